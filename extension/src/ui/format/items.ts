/** Formats items of collections. Their names are in quotes, because they are claims of the collection's creator. */
import type { CollectionView, ItemView } from '../../messages.ts'
import { text } from './text.ts'
import { cutName } from './text-safety.ts'

/** An item and its collection. */
export type HeldItem = { collection: CollectionView; item: ItemView }

/** Longest token ID that is shown whole, in digits. Longer ones are often hashes. */
const MOST_DIGITS = 12

/** Formats a token ID as "#7", or "#123456…7890" if it is long. */
export const shortNumber = (id: string): string =>
  text('itemNumber', id.length <= MOST_DIGITS ? id : `${id.slice(0, 6)}…${id.slice(-4)}`)

export const collectionName = ({ name }: CollectionView): string =>
  name === null || name.trim() === '' ? text('unnamedCollection') : text('quoted', cutName(name))

/** Returns the collection and the token ID, which identify the item. */
export const itemTitle = ({ collection, item }: HeldItem): string =>
  `${collectionName(collection)} ${shortNumber(item.id)}`
