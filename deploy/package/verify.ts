/**
 * `npm run verify -- FILE...`: reports for each downloaded file whether it was made from this source, without running
 * it. Exits with 1 if any was not. Makes the image only if an image is to be compared, because not every machine can.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isOfImage, makeImage } from '../image/image.ts'
import type { Artefact } from './archives.ts'
import { sha256 } from './artefacts.ts'
import { differences } from './compare.ts'
import { kindsOf } from './kinds.ts'
import { makePackages } from './makers.ts'
import { serverPackages } from './servers.ts'

const readPublished = (path: string): Artefact => ({ name: basename(path), bytes: readFileSync(path) })

/** Returns the reasons why a published file does not match this source, one per line. */
const objections = (published: Artefact, all: readonly Artefact[]): string[] => {
  const made = all.find(({ name }) => name === published.name)
  return made
    ? differences(published, made)
    : [`this source makes no file of that name, but ${all.map(({ name }) => name).join(', ')}`]
}

/** Makes the kinds of packages, the image or both, as the given files require. */
const makeFor = async (files: readonly Artefact[]): Promise<readonly Artefact[]> => {
  const packages = files.filter(file => !isOfImage(file))
  return [
    ...(await makePackages(packages.length > 0 ? kindsOf(packages) : [])),
    ...(packages.length < files.length ? await makeImage(await serverPackages()) : []),
  ]
}

const report = (published: Artefact, found: readonly string[]): string => {
  if (found.length > 0)
    return `${published.name} does NOT match this source:\n${found.map(line => `  ${line}\n`).join('')}`
  return `${published.name} matches this source, byte for byte. SHA-256: ${sha256(published.bytes)}\n`
}

try {
  const paths = process.argv.slice(2)
  if (paths.length === 0) throw new Error('name the downloaded files: npm run verify -- FILE...')
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
