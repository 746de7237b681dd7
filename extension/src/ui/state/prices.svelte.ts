/** Prices in the user's currency, for any component of a page. Read on demand, and not while values are off. */
import { getContext } from 'svelte'
import type { PricesView, PriceView } from '../../messages.ts'
import type { Client } from './client.svelte.ts'

export type Prices = {
  /** Code of the currency; null while values are off. */
  readonly currency: string | null
  /** Returns the price of a token, or of the native coin for null. Undefined if it is unknown. */
  of(chainId: number, token: string | null): PriceView | undefined
  /** Reads a network's prices, unless the page has just done so. Call it in an effect. */
  read(chainId: number): void
}

const PRICES = Symbol('prices')
/** Time until prices are read again, in ms. */
const REFRESH = 30_000

const keyOf = (token: string | null): string | undefined => token?.toLowerCase()

export const createPrices = (client: Client): Prices => {
  let known = $state.raw<ReadonlyMap<number, PricesView>>(new Map())
  /** The last read of each network. A read in another currency has replaced its prices. */
  const reads = new Map<number, { currency: string; at: number }>()
  const currency = $derived(client.state?.currency ?? null)

  const read = async (chainId: number) => {
    const view = await client.call('getPrices', { chainId })
    if (view?.currency === currency) known = new Map([...known, [chainId, view]])
  }

  return {
    get currency() {
      return currency
    },
    of: (chainId, token) => {
      const view = known.get(chainId)
      if (!view || view.currency !== currency) return undefined
      return view.prices.find(price => keyOf(price.token) === keyOf(token))
    },
    read: chainId => {
      if (currency === null) return
      const last = reads.get(chainId)
      if (last?.currency === currency && Date.now() - last.at < REFRESH) return
      reads.set(chainId, { currency, at: Date.now() })
      // Amounts are shown without values while the node cannot be reached.
      read(chainId).catch(() => {})
    },
  }
}

/** Adds the page's prices to the Svelte context of its root component. */
export const withPrices = <T>(context: Map<symbol, T>, client: Client): Map<symbol, T | Prices> =>
  new Map<symbol, T | Prices>([...context, [PRICES, createPrices(client)]])

/** Returns the page's prices. Call it during component initialization. */
export const usePrices = (): Prices => getContext<Prices>(PRICES)
