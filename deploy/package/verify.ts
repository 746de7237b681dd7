/** `npm run verify -- FILE`: tells whether a downloaded package was made from this source. Exits with 1 if it was not. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { differences } from './compare.ts'
import { makeAll } from './makers.ts'

const [file] = process.argv.slice(2)

const verify = async (path: string): Promise<string> => {
  const name = basename(path)
  const published = { name, bytes: readFileSync(path) }
  const all = await makeAll()
  const made = all.find(artefact => artefact.name === name)
  if (made === undefined)
    throw new Error(`this source makes no ${name}, but ${all.map(artefact => artefact.name).join(', ')}`)
  const found = differences(published, made)
  if (found.length > 0) throw new Error(`${name} is not this source:\n${found.map(line => `  ${line}`).join('\n')}`)
  return `${name} is this source, byte for byte. SHA-256: ${createHash('sha256').update(made.bytes).digest('hex')}`
}

try {
  if (file === undefined) throw new Error('name the downloaded package: npm run verify -- FILE')
  process.stdout.write(`${await verify(file)}\n`)
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
  process.exitCode = 1
}
