/** The Node of the image: the one that a server downloads if it does not run on the installed one. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import { downloadFallbackNode, FALLBACK_HASH, FALLBACK_NODE, npmCommand, requireHash } from '../../fallback-node.js'
import type { Contents } from '../package/archives.ts'
import { cached } from './cache.ts'
import type { Platform } from './platform.ts'

const npm = async (...args: string[]): Promise<boolean> => {
  const [command, ...first] = npmCommand()
  await promisify(execFile)(command, [...first, ...args])
  return true
}

/** The program and its licences by their paths in the image. */
export const nodeFiles = async ({ architecture }: Platform): Promise<Contents> => {
  const failure = new Error(`there is no Node ${FALLBACK_NODE} for ${architecture}`)
  const path = await cached(`node-${FALLBACK_NODE}-${architecture}.tgz`, async folder => {
    const archive = await downloadFallbackNode(folder, npm)
    if (archive === undefined) throw failure
    return archive
  })
  if (FALLBACK_HASH === undefined) throw failure
  requireHash(path, FALLBACK_HASH)
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
