/** Another wallet's entries during the user's review, and the user's selection. */
import type { EntryReview, ImportEntry, ListedEntry } from '../../messages.ts'

/** A reviewed entry. `nodes` are the URLs that the user selected among those in the review. */
export type ImportRow = {
  entry: ImportEntry
  review: EntryReview
  isChosen: boolean
  nodes: readonly string[]
}

export const GROUPS = ['accounts', 'contacts', 'networks'] as const
export type Group = (typeof GROUPS)[number]

const GROUP_OF: Record<ImportEntry['kind'], Group> = {
  watchOnly: 'accounts',
  key: 'accounts',
  contact: 'contacts',
  network: 'networks',
}
const ORDER: readonly EntryReview['verdict'][] = ['new', 'known', 'refused']

/**
 * Returns a row. New entries are selected initially, except networks with findings. No nodes are selected initially.
 */
const rowOf = (entry: ImportEntry, review: EntryReview): ImportRow => ({
  entry,
  review,
  isChosen: review.verdict === 'new' && review.findings.every(({ level }) => level === 'none'),
  nodes: [],
})

/** Returns the rows of a review, new ones first. */
export const rowsOf = (entries: readonly ImportEntry[], reviews: readonly EntryReview[]): ImportRow[] =>
  reviews
    .flatMap((review, at) => {
      const entry = entries[at]
      return entry ? [rowOf(entry, review)] : []
    })
    .toSorted((one, other) => ORDER.indexOf(one.review.verdict) - ORDER.indexOf(other.review.verdict))

export const groupOf = (rows: readonly ImportRow[], group: Group): ImportRow[] =>
  rows.filter(({ entry }) => GROUP_OF[entry.kind] === group)

/** Selects the new entries among the given rows, or deselects them. */
export const chooseAll = (rows: readonly ImportRow[], of: readonly ImportRow[], isChosen: boolean): ImportRow[] =>
  rows.map(row => (of.includes(row) && row.review.verdict === 'new' ? { ...row, isChosen } : row))

/** Returns the row with or without one of its nodes. */
export const withNode = (row: ImportRow, url: string, isChosen: boolean): ImportRow => ({
  ...row,
  nodes: isChosen ? [...row.nodes, url] : row.nodes.filter(other => other !== url),
})

/** True if the network's nodes can be selected: the wallet has the network, or will have it. */
export const takesNodes = ({ review, isChosen }: ImportRow): boolean => review.verdict === 'known' || isChosen

/**
 * Returns the entries to import, with only the selected nodes. A network that the wallet already has is included if a
 * node is added to it.
 */
export const chosenEntries = (rows: readonly ImportRow[]): ImportEntry[] =>
  rows
    .filter(row => row.isChosen || (takesNodes(row) && row.nodes.length > 0))
    .map(({ entry, nodes }) => (entry.kind === 'network' ? { ...entry, rpcUrls: nodes } : entry))

/** Turns listed addresses into watch-only accounts or contacts. */
export const listedAs = (entries: readonly ImportEntry[], kind: ListedEntry['kind']): ImportEntry[] =>
  entries.map(entry => (entry.kind === 'watchOnly' || entry.kind === 'contact' ? { ...entry, kind } : entry))
