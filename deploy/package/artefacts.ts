/** Writes published files into dist/ and returns their hashes. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Artefact } from './archives.ts'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))

/** Returns the SHA-256 in hex. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Returns the name without version and extension: `heliograph-relay` of `heliograph-relay-0.1.0.tgz`. */
export const titleOf = ({ name }: Pick<Artefact, 'name'>): string => name.replace(/-\d.*$/, '')

/** Writes files into dist/, and prints the SHA-256 and the name of each. */
export const publish = (artefacts: readonly Artefact[]): void => {
  mkdirSync(DIST, { recursive: true })
  for (const { name, bytes } of artefacts) {
    writeFileSync(join(DIST, name), bytes)
    process.stdout.write(`${sha256(bytes)}  ${name}\n`)
  }
}
