/** Packages of Moonwell and Morpho. */
import { at, byChainAndName, byName, type Entry, type Label } from '../entries.ts'
import { literalAfter } from '../literal.ts'
import type { Source } from './source.ts'

const readMoonwellMarkets = (tokens: unknown): Readonly<Record<string, Label>> =>
  Object.fromEntries(
    Object.entries(tokens ?? {}).flatMap(([key, token]) =>
      key.startsWith('MOONWELL_') ? [[`${key}.address`, [`${at(token, 'symbol')} market`, 'lending']]] : [],
    ),
  )

const MOONWELL: Readonly<Record<string, Label>> = {
  comptroller: ['comptroller', 'lending'],
  multiRewardDistributor: ['rewards', 'lending'],
  router: ['native coin router', 'lending'],
}

const readMoonwell: Source['read'] = async files => {
  const read = async (chain: string): Promise<readonly Entry[]> => {
    const folder = `_cjs/environments/definitions/${chain}`
    const contracts = literalAfter(await files.text(`${folder}/contracts.js`), 'contracts: {')
    const tokens = literalAfter(await files.text(`${folder}/tokens.js`), 'createTokenConfig)(')
    return [
      ...byName(chain, contracts, 'Moonwell', MOONWELL),
      ...byName(chain, tokens, 'Moonwell', readMoonwellMarkets(tokens)),
    ]
  }
  return (await Promise.all(['base', 'optimism', 'moonbeam', 'moonriver'].map(read))).flat()
}

const readMorpho: Source['read'] = async files => {
  const chains = literalAfter(await files.text('lib/esm/addresses.js'), '_addressesRegistry =')
  return [
    ...byChainAndName(chains, 'Uniswap', { permit2: ['Permit2', 'permit'] }),
    ...byChainAndName(chains, 'Morpho', {
      blue: ['Morpho Blue', 'lending'],
      'bundler3.bundler3': ['Bundler3', 'router'],
      'bundler3.generalAdapter1': ['general adapter', 'router'],
      publicAllocator: ['public allocator', 'lending'],
    }),
  ]
}

export const LENDING_SOURCES: readonly Source[] = [
  {
    name: '@moonwell-fi/moonwell-sdk',
    version: '1.0.0',
    integrity: 'sha512-xpLa0WdiSEk9/FVb7hhrEpcJ9vd//k02EyCsmv87KLLKHPPsh+mUeoLEU9Zz1c5fKxsmW/TX56sQrnHGlo2aoQ==',
    read: readMoonwell,
  },
  {
    name: '@morpho-org/morpho-ts',
    version: '2.8.0',
    integrity: 'sha512-I+fSrYjx8VYHgzaTGUdGmxKM7qDrOWNBM4Yz/6hgum2tlCcgb5MN1sJVgztbO4nOk5C9Ly9I752CiyyYr2oeOg==',
    read: readMorpho,
  },
]
