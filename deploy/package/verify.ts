/**
 * `npm run verify -- FILE...`: tells of each downloaded package whether it was made from this source. Exits with 1 if one was
 * not, and runs nothing of any.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
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

const report = (published: Artefact, found: readonly string[]): string => {
  if (found.length > 0) return `${published.name} is NOT this source:\n${found.map(line => `  ${line}\n`).join('')}`
  return `${published.name} is this source, byte for byte. SHA-256: ${sha256(published.bytes)}\n`
}

try {
  const paths = process.argv.slice(2)
  if (paths.length === 0) throw new Error('name the downloaded package: npm run verify -- FILE')
  const files = paths.map(readPublished)
  const all = await makeAll()
  for (const published of files) {
    const found = objections(published, all)
    process.stdout.write(report(published, found))
    if (found.length > 0) process.exitCode = 1
  }
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
  process.exitCode = 1
}
