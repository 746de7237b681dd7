/** Writes the catalogue of networks and the list of OP Stack chains: `npm run networks`. */
import { writeFile } from 'node:fs/promises'
import { networkCatalogue, opStackSource } from './catalogue.ts'

await writeFile(new URL('../public/networks.json', import.meta.url), networkCatalogue())
await writeFile(new URL('../src/wallet/fees/op-stack.ts', import.meta.url), opStackSource())
