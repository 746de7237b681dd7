/** The catalogue of price feeds that ships with the wallet. */

/**
 * A contract with the price of one asset in another. `pair` names them, as in `ETH / USD`. Its answers have `decimals`,
 * and at most `heartbeat` seconds are between them.
 */
export type Feed = { pair: string; address: string; decimals: number; heartbeat: number }

/** An asset with a price: the product of the feeds of `pairs`, in US dollars. `token` is null for the native coin. */
export type PricedAsset = { token: string | null; decimals: number; pairs: readonly string[] }

/** A network's feeds. `uptime` is the contract that tells whether the network's sequencer is up, or null. */
export type NetworkFeeds = {
  uptime: string | null
  coin: string | null
  /** Codes of the currencies with a feed in US dollars. */
  currencies: readonly string[]
  feeds: ReadonlyMap<string, Feed>
  tokens: readonly PricedAsset[]
}

type FileOfNetwork = {
  uptime?: string
  coin?: string
  currencies: readonly string[]
  feeds: readonly (readonly [pair: string, address: string, decimals: number, heartbeat: number])[]
  tokens: readonly (readonly [address: string, decimals: number, ...pairs: string[]])[]
}

/** Reads the catalogue's file. */
export type FeedList = () => Promise<{ networks: Readonly<Record<string, FileOfNetwork>> }>

/** Returns the feeds of all networks, by chain id. */
export type PriceFeeds = () => Promise<ReadonlyMap<number, NetworkFeeds>>

/** The currency of the feeds. It needs no feed itself. */
export const DOLLAR = 'USD'

/** Returns the pair of a currency's feed. */
export const currencyPair = (code: string): string => `${code} / ${DOLLAR}`

const toNetwork = ({ uptime = '', coin = '', currencies, feeds, tokens }: FileOfNetwork): NetworkFeeds => ({
  uptime: uptime || null,
  coin: coin || null,
  currencies,
  feeds: new Map(feeds.map(([pair, address, decimals, heartbeat]) => [pair, { pair, address, decimals, heartbeat }])),
  tokens: tokens.map(([token, decimals, ...pairs]) => ({ token, decimals, pairs })),
})

/** Reads the file once, when it is first needed. */
export const createPriceFeeds = (list: FeedList): PriceFeeds => {
  let reading: ReturnType<PriceFeeds> | undefined
  const read = async () => {
    const { networks } = await list()
    return new Map(Object.entries(networks).map(([id, network]) => [Number(id), toNetwork(network)]))
  }
  return () => {
    reading ??= read()
    return reading
  }
}
