/** Writes the packages of the servers into a folder, which is the only argument. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverPackages } from '../../deploy/package/servers.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('a folder is missing')
mkdirSync(folder, { recursive: true })
for (const { archive } of await serverPackages()) writeFileSync(join(folder, archive.name), archive.bytes)
