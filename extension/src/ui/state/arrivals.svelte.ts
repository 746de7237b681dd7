/** An account's latest incoming transfers that the wallet knows. Reading them contacts no node. */
import type { ActivityEntry, ActivityFilter, LookView } from '../../messages.ts'
import { NO_FILTER } from '../model/activity-filter.ts'
import type { Client } from './client.svelte.ts'

/** The latest transfers, without those that may be traps, and the number of these. */
export type Arrivals = { entries: readonly ActivityEntry[]; marked: number }

const NONE: Arrivals = { entries: [], marked: 0 }

export type WatchingArrivals = {
  client: () => Client
  place: () => { address: string; chainId: number }
  /** The wallet's own look at the place; null if there was none. */
  look: () => LookView | null
  /** True while the transfers are shown: the new ones are then seen. */
  isShown: () => boolean
}

const filterOf = ({ address, chainId }: { address: string; chainId: number }): ActivityFilter => ({
  ...NO_FILTER,
  account: address,
  chainId,
  direction: 'in',
  hidesMarked: true,
})

/** Reads the transfers while they are shown, and after each look. Call it during component initialization. */
export const watchArrivals = ({ client, place, look, isShown }: WatchingArrivals): { readonly value: Arrivals } => {
  let value = $state.raw(NONE)
  let round = 0
  const where = $derived(`${place().address} ${place().chainId}`)
  const news = $derived(`${look()?.at} ${look()?.unseen}`)
  const hasNew = $derived((look()?.unseen ?? 0) > 0)

  const read = async () => {
    const own = ++round
    const asked = place()
    const page = await client()
      .call('getAllActivity', { filter: filterOf(asked), skip: 0 })
      .catch(() => null)
    if (own !== round || page === null) return
    value = page
    if (hasNew)
      await client()
        .call('seeIncoming', { address: asked.address, chainId: asked.chainId })
        .catch(() => null)
  }
  $effect(() => {
    void where
    round++
    value = NONE
  })
  $effect(() => {
    void where
    void news
    if (isShown()) void read()
  })

  return {
    get value() {
      return value
    },
  }
}
