/** The Node of the image: the one that a server downloads if it does not run on the installed one. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import { FALLBACK_NODE, FALLBACK_PACKAGE } from '../../fallback-node.js'
import type { Contents } from '../package/archives.ts'
import { archivePath } from './npm.ts'
import type { Platform } from './platform.ts'

/** The program and its licences by their paths in the image. */
export const nodeFiles = async ({ architecture }: Platform): Promise<Contents> => {
  if (!FALLBACK_PACKAGE) throw new Error(`there is no Node ${FALLBACK_NODE} for ${architecture}`)
  const path = await archivePath(FALLBACK_PACKAGE)
  const unpacked = parseTar(new Uint8Array(gunzipSync(readFileSync(path))))
  const fileOf = (name: string): Uint8Array => {
    const data = unpacked.find(entry => entry.name === name)?.data
    if (!data) throw new Error(`${path} has no file ${name}`)
    return data
  }
  return new Map([
    ['usr/local/bin/node', fileOf('package/bin/node')],
    ['usr/local/share/doc/node/LICENSE', fileOf('package/LICENSE')],
  ])
}
