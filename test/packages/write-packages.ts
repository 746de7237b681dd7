/** Writes the libraries and the server packages, with their bills of materials, into the folder that is the only argument. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePackages } from '../../deploy/package/makers.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: write-packages.ts <folder>')
mkdirSync(folder, { recursive: true })
for (const { name, bytes } of await makePackages(['libraries', 'servers'])) writeFileSync(join(folder, name), bytes)
