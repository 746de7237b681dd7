/** Writes the catalogue of networks, their marks and the list of OP Stack chains: `npm run networks`. */
import { writeFile } from 'node:fs/promises'
import { networkCatalogue, networkMarks, opStackSource } from './catalogue.ts'

await writeFile(new URL('../public/networks.json', import.meta.url), networkCatalogue())
await writeFile(new URL('../public/network-marks.json', import.meta.url), networkMarks())
await writeFile(new URL('../src/wallet/fees/op-stack.ts', import.meta.url), opStackSource())
