/** `npm run image`: writes the image of the servers into dist/, and prints its SHA-256. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeImage } from './image.ts'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))

mkdirSync(DIST, { recursive: true })
const { name, bytes } = await makeImage()
writeFileSync(join(DIST, name), bytes)
process.stdout.write(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
