/**
 * Provides the image's Node. It is the fallback version that servers download if the installed version does not fit.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import { FALLBACK_NODE, FALLBACK_PACKAGE, type PinnedPackage } from '../../fallback-node.js'
import type { Contents } from '../package/archives.ts'
import { archivePath } from './npm.ts'
import type { Platform } from './platform.ts'

/** Returns the npm package that contains the Node binary. Throws Error if there is none for the platform. */
export const nodePackage = ({ architecture }: Platform): PinnedPackage => {
  if (!FALLBACK_PACKAGE) throw new Error(`Node ${FALLBACK_NODE} is not available for ${architecture}`)
  return FALLBACK_PACKAGE
}

/** Returns the Node binary and its licence, by their paths in the image. */
export const nodeFiles = async (platform: Platform): Promise<Contents> => {
  const path = await archivePath(nodePackage(platform))
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
