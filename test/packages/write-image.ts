/**
 * Writes the image and its bill of materials into the folder that is the first argument. The second argument is the
 * folder into which write-packages.ts wrote the server packages.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeImage } from '../../deploy/image/image.ts'

const [folder, packages] = process.argv.slice(2)
if (folder === undefined || packages === undefined) throw new Error('usage: write-image.ts <folder> <packages>')
const listed: { name: string; packages: readonly string[] }[] = JSON.parse(
  readFileSync(join(dirname(packages), 'servers.json'), 'utf8'),
)
const servers = listed.map(({ name, packages: included }) => ({
  archive: { name, bytes: readFileSync(join(packages, name)) },
  packages: included,
}))
mkdirSync(folder, { recursive: true })
for (const { name, bytes } of await makeImage(servers)) writeFileSync(join(folder, name), bytes)
