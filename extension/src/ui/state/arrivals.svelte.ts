/** An account's latest incoming transfers that the wallet knows. Reading them contacts no node. */
import type { ActivityEntry, ActivityFilter, LookView } from '../../messages.ts'
import { NO_FILTER } from '../model/activity-filter.ts'
import type { Client } from './client.svelte.ts'
import { errorText } from './errors.ts'

/** The latest transfers, without those that may be traps, and the number of these. */
export type Arrivals = { entries: readonly ActivityEntry[]; marked: number }

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

/**
 * Reads the transfers while they are shown, and after each look. `value` is null until they are read. `error` is empty,
 * or says why they could not be read. Call it during component initialization.
 */
export const watchArrivals = ({
  client,
  place,
  look,
  isShown,
}: WatchingArrivals): { readonly value: Arrivals | null; readonly error: string } => {
  let value = $state.raw<Arrivals | null>(null)
  let error = $state('')
  let round = 0
  const where = $derived(`${place().address} ${place().chainId}`)
  const news = $derived(`${look()?.at} ${look()?.unseen}`)
  const hasNew = $derived((look()?.unseen ?? 0) > 0)

  const read = async () => {
    const own = ++round
    const asked = place()
    try {
      const page = await client().call('getAllActivity', { filter: filterOf(asked), skip: 0 })
      if (own !== round) return
      value = page
      error = ''
    } catch (failure) {
      if (own === round) error = errorText(failure)
      return
    }
    if (hasNew)
      await client()
        .call('seeIncoming', { address: asked.address, chainId: asked.chainId })
        .catch(() => null)
  }
  $effect(() => {
    void where
    round++
    value = null
    error = ''
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
    get error() {
      return error
    },
  }
}
