/** Reads an item's metadata once, when it is shown. */
import type { CollectionView, ItemDetails, ItemView } from '../../messages.ts'
import type { Client } from './client.svelte.ts'

/** The account and network whose item is shown. */
export type ItemPlace = { client: Client; address: string; chainId: number }

/** `value` is null until it is read, and after a failure. */
export type WatchedItem = { readonly value: ItemDetails | null; readonly isLoading: boolean }

/** Identifies an item. */
type Named = { collection: Pick<CollectionView, 'address'>; item: Pick<ItemView, 'id'> }

const readWith = (method: 'describeItem' | 'getCachedItem', place: () => ItemPlace, held: () => Named): WatchedItem => {
  let value = $state.raw<ItemDetails | null>(null)
  let isLoading = $state(true)
  /**
   * Identifies the item by a string. Each read of the balances makes new objects, which would read the same item again.
   */
  const asked = $derived(
    JSON.stringify({
      token: held().collection.address,
      id: held().item.id,
      address: place().address,
      chainId: place().chainId,
    }),
  )
  $effect(() => {
    let isCurrent = true
    value = null
    isLoading = true
    const settle = (details: ItemDetails | null) => {
      if (!isCurrent) return
      value = details
      isLoading = false
    }
    place()
      .client.call(method, JSON.parse(asked))
      .then(settle, () => settle(null))
    return () => {
      isCurrent = false
    }
  })
  return {
    get value() {
      return value
    },
    get isLoading() {
      return isLoading
    },
  }
}

/** Reads the item's metadata. Call it during component initialization. */
export const readItem = (place: () => ItemPlace, held: () => Named): WatchedItem =>
  readWith('describeItem', place, held)

/** Like `readItem`, but only metadata that the wallet has read already, so that no host is contacted. */
export const readCachedItem = (place: () => ItemPlace, held: () => Named): WatchedItem =>
  readWith('getCachedItem', place, held)
