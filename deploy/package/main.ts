/** `npm run package`: writes everything that is published into dist/, and prints the SHA-256 of each file. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeAll } from './makers.ts'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))

mkdirSync(DIST, { recursive: true })
for (const { name, bytes } of await makeAll()) {
  writeFileSync(join(DIST, name), bytes)
  process.stdout.write(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
}
