/**
 * `npm run package [-- KIND...]`: writes everything that is published, or the files of these kinds, into dist/, and
 * prints the SHA-256 of each file.
 */
import { publish } from './artefacts.ts'
import { readKinds } from './kinds.ts'
import { makePackages } from './makers.ts'

try {
  publish(await makePackages(readKinds(process.argv.slice(2))))
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
  process.exitCode = 1
}
