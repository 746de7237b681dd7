/** Writes the catalogue of contracts: `npm run contracts`. Downloads packages through npm. */
import { writeFile } from 'node:fs/promises'
import { serialiseCatalogue, toCatalogue } from './catalogue.ts'
import { FACTS } from './facts.ts'
import { withPackage } from './packages.ts'
import { SOURCES } from './sources.ts'
import { viemEntries } from './viem.ts'

const fromPackages = await Promise.all(SOURCES.map(source => withPackage(source, source.read)))
const catalogue = toCatalogue([...fromPackages.flat(), ...viemEntries(), ...FACTS])
await writeFile(new URL('../public/contracts.json', import.meta.url), serialiseCatalogue(catalogue))
