/** Writes the server packages into the folder that is the only argument. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverPackages } from '../../deploy/package/servers.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: write-servers.ts <folder>')
mkdirSync(folder, { recursive: true })
for (const { archive } of await serverPackages()) writeFileSync(join(folder, archive.name), archive.bytes)
