/**
 * Writes the libraries and the server packages, with their bills of materials, into the folder that is the only
 * argument. Writes the paths in package-lock.json of the servers' npm packages into servers.json beside that folder.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makePackages } from '../../deploy/package/makers.ts'
import { serverPackages } from '../../deploy/package/servers.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: write-packages.ts <folder>')
mkdirSync(folder, { recursive: true })
for (const { name, bytes } of await makePackages(['libraries', 'servers'])) writeFileSync(join(folder, name), bytes)
const servers = (await serverPackages()).map(({ archive, packages }) => ({ name: archive.name, packages }))
writeFileSync(join(dirname(folder), 'servers.json'), JSON.stringify(servers))
