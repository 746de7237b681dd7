/**
 * Prices in the user's currency, read from price feeds through the networks' own nodes. Nothing is read until the user
 * chooses a currency.
 */
import type { Network } from '@heliograph/shared/network'
import type { PricesView } from '../../messages.ts'
import type { Networks } from '../networks/networks.ts'
import { type Chain, isUnreachable } from '../networks/node.ts'
import type { Cell } from '../storage/store.ts'
import { currencyPair, DOLLAR, type Feed, type NetworkFeeds, type PricedAsset, type PriceFeeds } from './feeds.ts'
import { priceOf, type Quote, quotesIn } from './price.ts'
import { type Rounds, readRounds } from './rounds.ts'

export type Prices = {
  /**
   * Returns the prices of all assets of the network that have feeds. Null while no currency is chosen. Throws 4901, and
   * 4902 for an unknown network.
   */
  on(chainId: number): Promise<PricesView | null>
  /** Returns the codes of the currencies that a chosen node can provide, US dollars first. Empty if no node has feeds. */
  currencies(): Promise<readonly string[]>
}

export type PricesParts = {
  chain: Chain
  networks: Networks
  feeds: PriceFeeds
  /** The chosen currency; null if values are off. */
  currency: Cell<string | null>
  now(): number
}

/** Time for which answers are cached, in ms. */
export const KEPT_FOR = 30_000

type Reading = { at: number; rounds: Promise<Rounds> }
type Place = { network: Network; feeds: NetworkFeeds }

const hasNode = ({ rpcUrls, testnet = false }: Network): boolean => rpcUrls.length > 0 && !testnet

const unlessUnreachable = (error: unknown): undefined => {
  if (!isUnreachable(error)) throw error
}

const assetsOf = ({ network, feeds }: Place): readonly PricedAsset[] => [
  ...(feeds.coin === null ? [] : [{ token: null, decimals: network.currency.decimals, pairs: [feeds.coin] }]),
  ...feeds.tokens,
]

export const createPrices = ({ chain, networks, feeds, currency, now }: PricesParts): Prices => {
  const readings = new Map<string, Reading>()

  /** Reads these feeds together, or returns what was just read. A failed reading is not cached. */
  const quotes = async (place: Place, wanted: readonly Feed[]): Promise<ReadonlyMap<string, Quote>> => {
    const { network } = place
    const key = JSON.stringify([network.chainId, network.rpcUrls, wanted.map(({ pair }) => pair)])
    for (const [name, { at }] of readings) if (now() - at >= KEPT_FOR) readings.delete(name)
    const reading = readings.get(key) ?? {
      at: now(),
      rounds: readRounds(chain, network, wanted, place.feeds.uptime),
    }
    readings.set(key, reading)
    reading.rounds.catch(() => readings.delete(key))
    return quotesIn(await reading.rounds, place.feeds.feeds, now())
  }

  const feedsFor = ({ feeds: known }: Place, pairs: readonly string[]): readonly Feed[] =>
    [...new Set(pairs)].flatMap(pair => known.feeds.get(pair) ?? [])

  /** Returns the networks that have both feeds and a node, in the user's order. */
  const places = async (): Promise<readonly Place[]> => {
    const catalogue = await feeds()
    return (await networks.list()).filter(hasNode).flatMap(network => {
      const known = catalogue.get(network.chainId)
      return known ? [{ network, feeds: known }] : []
    })
  }

  /** Reads a currency's price in US dollars on the first network whose node has it. Undefined if there is none. */
  const rateFrom = async (pair: string): Promise<Quote | undefined> => {
    for (const place of (await places()).filter(({ feeds: known }) => known.feeds.has(pair))) {
      const rate = (await quotes(place, feedsFor(place, [pair])).catch(unlessUnreachable))?.get(pair)
      if (rate) return rate
    }
    return undefined
  }

  return {
    on: async chainId => {
      const code = await currency.read()
      if (code === null) return null
      const network = await networks.get(chainId)
      const known = (await feeds()).get(chainId)
      if (!known || !hasNode(network)) return { currency: code, prices: [] }
      const place = { network, feeds: known }
      const assets = assetsOf(place)
      const pair = code === DOLLAR ? null : currencyPair(code)
      const pairs = [...assets.flatMap(asset => asset.pairs), ...(pair === null ? [] : [pair])]
      const answers = await quotes(place, feedsFor(place, pairs))
      const rate = pair === null ? null : (answers.get(pair) ?? (await rateFrom(pair)))
      if (rate === undefined) return { currency: code, prices: [] }
      return { currency: code, prices: assets.flatMap(asset => priceOf(asset, answers, rate) ?? []) }
    },
    currencies: async () => {
      const known = await places()
      const codes = known.flatMap(({ feeds: { currencies } }) => currencies)
      return known.length === 0 ? [] : [DOLLAR, ...[...new Set(codes)].toSorted()]
    },
  }
}
