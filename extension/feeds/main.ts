/** Writes the catalogue of price feeds: `npm run feeds`. Downloads packages through npm. */
import { writeFile } from 'node:fs/promises'
import { withPackage } from '../contracts/packages.ts'
import { buildFeeds, serialiseFeeds } from './catalogue.ts'
import { CHAINLINK, FEED_SOURCES, TOKENS } from './sources.ts'

const catalogue = await withPackage(CHAINLINK, chainlink =>
  withPackage(TOKENS, tokens => buildFeeds(chainlink, tokens, FEED_SOURCES)),
)
await writeFile(new URL('../public/feeds.json', import.meta.url), serialiseFeeds(catalogue))
