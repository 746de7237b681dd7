/** Formats items of collections. Their names are claims of whoever made the collection, so they are in quotes. */
import type { CollectionView, ItemView } from '../../messages.ts'
import { text } from './text.ts'
import { cutName } from './text-safety.ts'

/** An item and its collection. */
export type HeldItem = { collection: CollectionView; item: ItemView }

/** Digits of a number that are shown whole. Longer ones are often hashes. */
const MOST_DIGITS = 12

/** "#7", or "#123456…7890" for a long number. */
export const shortNumber = (id: string): string =>
  text('itemNumber', id.length <= MOST_DIGITS ? id : `${id.slice(0, 6)}…${id.slice(-4)}`)

export const collectionName = ({ name }: CollectionView): string =>
  name === null || name.trim() === '' ? text('unnamedCollection') : text('quoted', cutName(name))

/** The collection and the number, which identify the item. */
export const itemTitle = ({ collection, item }: HeldItem): string =>
  `${collectionName(collection)} ${shortNumber(item.id)}`
