/** `npm run package`: writes everything that is published into dist/, and prints the SHA-256 of each file. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Artefact } from './archives.ts'
import { makeLibraries } from './libraries.ts'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))

/** Everything that is published, in the order in which it is made. */
const makers: readonly (() => Promise<readonly Artefact[]>)[] = [makeLibraries]

mkdirSync(DIST, { recursive: true })
for (const make of makers) {
  for (const { name, bytes } of await make()) {
    writeFileSync(join(DIST, name), bytes)
    process.stdout.write(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
  }
}
