/**
 * `npm run verify -- FILE...`: tells of each downloaded file whether it was made from this source. Exits with 1 if one was
 * not, and runs nothing of any. The image, which only some machines can make, is made only if one is to be compared.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isOfImage, makeImage } from '../image/image.ts'
import type { Artefact } from './archives.ts'
import { sha256 } from './artefacts.ts'
import { differences } from './compare.ts'
import { makeAll } from './makers.ts'

const readPublished = (path: string): Artefact => ({ name: basename(path), bytes: readFileSync(path) })

/** Why a published file is not from this source, a line each. */
const objections = (published: Artefact, all: readonly Artefact[]): string[] => {
  const made = all.find(({ name }) => name === published.name)
  return made ? differences(published, made) : [`this source makes ${all.map(({ name }) => name).join(', ')}`]
}

/** Makes the kinds of files that are to be compared. */
const makeFor = async (files: readonly Artefact[]): Promise<readonly Artefact[]> => {
  const images = files.filter(isOfImage).length
  return [...(images < files.length ? await makeAll() : []), ...(images > 0 ? await makeImage() : [])]
}

const report = (published: Artefact, found: readonly string[]): string => {
  if (found.length > 0) return `${published.name} is NOT this source:\n${found.map(line => `  ${line}\n`).join('')}`
  return `${published.name} is this source, byte for byte. SHA-256: ${sha256(published.bytes)}\n`
}

try {
  const paths = process.argv.slice(2)
  if (paths.length === 0) throw new Error('name the downloaded file: npm run verify -- FILE')
  const files = paths.map(readPublished)
  const all = await makeFor(files)
  for (const published of files) {
    const found = objections(published, all)
    process.stdout.write(report(published, found))
    if (found.length > 0) process.exitCode = 1
  }
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
  process.exitCode = 1
}
