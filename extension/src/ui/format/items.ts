/** Formats items of collections. Their names are in quotes, because they are claims of the collection's creator. */
import type { CollectionView, ItemView, TransactionEffect } from '../../messages.ts'
import { text } from './text.ts'
import { cutName } from './text-safety.ts'
import { findToken } from './tokens.ts'

/** An item and its collection. */
export type HeldItem = { collection: CollectionView; item: ItemView }

/** Longest token ID that is shown whole, in digits. Longer ones are often hashes. */
const MOST_DIGITS = 12

/** Formats a token ID as "#7", or "#123456…7890" if it is long. */
export const shortNumber = (id: string): string =>
  text('itemNumber', id.length <= MOST_DIGITS ? id : `${id.slice(0, 6)}…${id.slice(-4)}`)

export const collectionName = ({ name }: Pick<CollectionView, 'name'>): string =>
  name === null || name.trim() === '' ? text('unnamedCollection') : text('quoted', cutName(name))

/** Returns the collection and the token ID, which identify the item. */
export const itemTitle = ({ collection, item }: HeldItem): string =>
  `${collectionName(collection)} ${shortNumber(item.id)}`

/** What is shown of an item that moves. */
export type MovedItem = { collection: Pick<CollectionView, 'address' | 'name'>; item: ItemView }

/** Returns the item that a call transfers; undefined if the call does anything else, as far as its acts show. */
export const movedItemOf = ({ acts, tokens }: Pick<TransactionEffect, 'acts' | 'tokens'>): MovedItem | undefined => {
  const [act, ...others] = acts.filter(({ kind }) => kind !== 'call')
  if (act?.kind !== 'transfer' || act.id === null || others.length > 0) return undefined
  const { token: address, id, amount } = act
  return { collection: { address, name: findToken(tokens, address)?.symbol ?? null }, item: { id, amount } }
}
