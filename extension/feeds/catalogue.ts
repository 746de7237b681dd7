/**
 * Builds the catalogue of price feeds, `extension/public/feeds.json`, from two published packages. Chainlink's package
 * has the feeds, and Aave's address book has the tokens and, again, most feeds. `npm run feeds` writes the file.
 */
import { at, checksummed, isAddress, propertiesOf } from '../contracts/entries.ts'
import { WRAPPED_FACTS } from '../contracts/facts/wrapped.ts'
import { solidityConstants } from '../contracts/literal.ts'
import type { PackageFiles } from '../contracts/packages.ts'
import { ASSETS, type NetworkAssets, PAIR_NAMES } from './assets.ts'
import { HEARTBEATS, USUAL_HEARTBEAT } from './heartbeats.ts'

/** A feed: its pair, its contract, the decimals of its answers, and its heartbeat in seconds. */
type FeedRow = readonly [pair: string, address: string, decimals: number, heartbeat: number]
/** A token: its contract, its decimals, and the pairs whose prices are multiplied for its value in US dollars. */
type TokenRow = readonly [address: string, decimals: number, ...pairs: string[]]

/** Feeds of a network. `coin` is the pair of its native coin. `uptime` is the feed of its sequencer's uptime. */
export interface NetworkFeeds {
  readonly uptime?: string
  readonly coin?: string
  readonly currencies: readonly string[]
  readonly feeds: readonly FeedRow[]
  readonly tokens: readonly TokenRow[]
}

/** Contents of `feeds.json`. `date` is when the source was made. */
export interface FeedCatalogue {
  readonly source: string
  readonly date: string
  readonly networks: Readonly<Record<string, NetworkFeeds>>
}

const UPTIME = 'L2 Sequencer Uptime Status Feed'
const ETHER = 'ETH / USD'

interface Listed {
  readonly address: string
  readonly decimals: number
}

/** Feeds by pair, in capitals. A pair can have several feeds, such as one for a single protocol. */
type ListedFeeds = ReadonlyMap<string, readonly Listed[]>

const listedFeeds = async (files: PackageFiles, name: string): Promise<ListedFeeds> => {
  const networks = propertiesOf(at(await files.json(`data/feeds/${name}.json`), 'networks')).map(([, value]) => value)
  const main = networks.find(network => at(network, 'networkType') === 'mainnet')
  const feeds = new Map<string, Listed[]>()
  for (const [, feed] of propertiesOf(at(main, 'feeds'))) {
    const [pair, address, decimals] = ['name', 'proxyAddress', 'decimals'].map(key => at(feed, key))
    if (typeof pair !== 'string' || !isAddress(address) || typeof decimals !== 'number') continue
    const known = feeds.get(pair.toUpperCase()) ?? []
    feeds.set(pair.toUpperCase(), [...known, { address: checksummed(address), decimals }])
  }
  return feeds
}

/** Constants of Aave's address book for a network: its feeds by pair in capitals, and its tokens by key. */
interface AddressBook {
  readonly feeds: ReadonlyMap<string, string>
  readonly tokens: Readonly<Record<string, string>>
  readonly decimals: Readonly<Record<string, number>>
}

const addressBook = async (files: PackageFiles, name: string): Promise<AddressBook> => {
  const feeds = solidityConstants(await files.text(`src/Chainlink${name}.sol`))
  const market = await files.text(`src/AaveV3${name}.sol`)
  const decimals = [...market.matchAll(/constant\s+(\w+)_DECIMALS\s*=\s*(\d+);/g)]
  return {
    feeds: new Map(Object.entries(feeds).map(([key, address]) => [key.replace('__', ' / ').toUpperCase(), address])),
    tokens: solidityConstants(market),
    decimals: Object.fromEntries(decimals.map(([, key, digits]) => [key ?? '', Number(digits)])),
  }
}

/** Returns the pair's feed. Throws if the sources do not agree on one. */
const feedOf = (chainId: number, pair: string, listed: ListedFeeds, book: AddressBook | undefined): Listed => {
  const all = listed.get(pair.toUpperCase()) ?? []
  const confirmed = book?.feeds.get(pair.toUpperCase())
  const [feed, ...others] = confirmed ? all.filter(({ address }) => address === checksummed(confirmed)) : all
  if (!feed || others.length > 0) throw new Error(`${chainId}: no single feed for ${pair}`)
  return feed
}

const tokenOf = (chainId: number, key: string, book: AddressBook | undefined, pairs: readonly string[]): TokenRow => {
  const [address, decimals] = [book?.tokens[`${key}_UNDERLYING`], book?.decimals[key]]
  if (!isAddress(address) || decimals === undefined) throw new Error(`${chainId}: the address book has no ${key}`)
  return [checksummed(address), decimals, ...pairs]
}

/** Decimals of all native coins with a feed, and of their wrapped form. */
const COIN_DECIMALS = 18

/** Returns the wrapped native coin, which has the coin's value. Empty if the catalogue lists none. */
const wrappedCoin = (chainId: number, coin: string): readonly TokenRow[] =>
  WRAPPED_FACTS.flatMap(({ contracts }) => contracts[chainId] ?? []).map(([address]) => [address, COIN_DECIMALS, coin])

const pairOf = (key: string, quote: string): string => `${(PAIR_NAMES[key] ?? key).toUpperCase()} / ${quote}`

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const networkFeeds = (
  chainId: number,
  assets: NetworkAssets,
  listed: ListedFeeds,
  book: AddressBook | undefined,
): NetworkFeeds => {
  const { coin, usd = [], eth = [], currencies = [] } = assets
  const tokens = [
    ...(coin === null ? [] : wrappedCoin(chainId, coin)),
    ...usd.map(key => tokenOf(chainId, key, book, [pairOf(key, 'USD')])),
    ...eth.map(key => tokenOf(chainId, key, book, [pairOf(key, 'ETH'), ETHER])),
  ].toSorted(([one], [other]) => compare(one.toLowerCase(), other.toLowerCase()))
  const pairs = [
    ...(coin === null ? [] : [coin]),
    ...currencies.map(code => pairOf(code, 'USD')),
    ...tokens.flatMap(([, , ...path]) => path),
  ]
  const feeds = [...new Set(pairs)].toSorted(compare).map((pair): FeedRow => {
    const { address, decimals } = feedOf(chainId, pair, listed, book)
    return [pair, address, decimals, HEARTBEATS[chainId]?.[pair] ?? USUAL_HEARTBEAT]
  })
  const uptime = listed.get(UPTIME.toUpperCase())?.[0]?.address
  return { ...(uptime && { uptime }), ...(coin !== null && { coin }), currencies, feeds, tokens }
}

/** Builds the catalogue. `source` names the packages, `date` is when Chainlink's package collected the feeds. */
export const buildFeeds = async (
  chainlink: PackageFiles,
  aave: PackageFiles,
  source: string,
): Promise<FeedCatalogue> => {
  const generated = at(await chainlink.json('data/feeds/index.json'), 'generatedAt')
  const networks: Record<string, NetworkFeeds> = {}
  for (const [id, assets] of Object.entries(ASSETS)) {
    const book = assets.aave === undefined ? undefined : await addressBook(aave, assets.aave)
    networks[id] = networkFeeds(Number(id), assets, await listedFeeds(chainlink, assets.chainlink), book)
  }
  return { source, date: String(generated).slice(0, 10), networks }
}

const rows = (name: string, list: readonly (FeedRow | TokenRow)[]): string =>
  `"${name}":[${list.length === 0 ? '' : `\n${list.map(row => JSON.stringify(row)).join(',\n')}\n`}]`

/** Formats the catalogue file, with one feed or token per line. */
export const serialiseFeeds = ({ source, date, networks }: FeedCatalogue): string => {
  const lists = Object.entries(networks).map(([id, { feeds, tokens, ...facts }]) => {
    const head = JSON.stringify(facts).slice(1, -1)
    return `"${id}":{${head},${rows('feeds', feeds)},${rows('tokens', tokens)}}`
  })
  return `{"source":${JSON.stringify(source)},"date":"${date}","networks":{\n${lists.join(',\n')}\n}}\n`
}
