/** Writes the catalogue of networks: `npm run networks`. */
import { writeFile } from 'node:fs/promises'
import { networkCatalogue } from './catalogue.ts'

await writeFile(new URL('../public/networks.json', import.meta.url), networkCatalogue())
