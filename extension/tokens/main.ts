/** Writes the catalogue of tokens: `npm run tokens`. Downloads packages through npm. */
import { writeFile } from 'node:fs/promises'
import { withPackage } from '../contracts/packages.ts'
import { serialiseTokens, toTokenCatalogue, validateTokens } from './catalogue.ts'
import { TOKEN_SOURCES } from './sources.ts'

const entries = await Promise.all(TOKEN_SOURCES.map(source => withPackage(source, source.read)))
const catalogue = toTokenCatalogue(entries.flat())
validateTokens(catalogue)
await writeFile(new URL('../public/tokens.json', import.meta.url), serialiseTokens(catalogue))
