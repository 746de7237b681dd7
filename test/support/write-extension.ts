/**
 * Builds the released extension into the folder that is the only argument. Writes the paths in package-lock.json of its
 * npm packages into packages.json beside that folder.
 */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildReleased } from '../../deploy/package/extension.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: write-extension.ts <folder>')
writeFileSync(join(dirname(folder), 'packages.json'), JSON.stringify(await buildReleased(folder)))
