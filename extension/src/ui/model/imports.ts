/** Entries of another wallet as the person reviews them, and the part that they choose. */
import type { EntryReview, ImportEntry, ListedEntry } from '../../messages.ts'

/** A reviewed entry. `nodes` are the URLs that the person chose, of those in the review. */
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

/** New entries are chosen at first, except networks that the person should look at. No node is. */
const rowOf = (entry: ImportEntry, review: EntryReview): ImportRow => ({
  entry,
  review,
  isChosen: review.verdict === 'new' && review.findings.every(({ level }) => level === 'none'),
  nodes: [],
})

/** The rows of a review, new ones first. */
export const rowsOf = (entries: readonly ImportEntry[], reviews: readonly EntryReview[]): ImportRow[] =>
  reviews
    .flatMap((review, at) => {
      const entry = entries[at]
      return entry ? [rowOf(entry, review)] : []
    })
    .toSorted((one, other) => ORDER.indexOf(one.review.verdict) - ORDER.indexOf(other.review.verdict))

export const groupOf = (rows: readonly ImportRow[], group: Group): ImportRow[] =>
  rows.filter(({ entry }) => GROUP_OF[entry.kind] === group)

/** Chooses the new ones of some rows, or none of them. */
export const chooseAll = (rows: readonly ImportRow[], of: readonly ImportRow[], isChosen: boolean): ImportRow[] =>
  rows.map(row => (of.includes(row) && row.review.verdict === 'new' ? { ...row, isChosen } : row))

/** The row with or without one of its nodes. */
export const withNode = (row: ImportRow, url: string, isChosen: boolean): ImportRow => ({
  ...row,
  nodes: isChosen ? [...row.nodes, url] : row.nodes.filter(other => other !== url),
})

/** True if nodes of the network can be chosen: it is in the wallet, or will be. */
export const takesNodes = ({ review, isChosen }: ImportRow): boolean => review.verdict === 'known' || isChosen

/** The entries to import, with the chosen nodes only. A network of the wallet is one of them if a node is added to it. */
export const chosenEntries = (rows: readonly ImportRow[]): ImportEntry[] =>
  rows
    .filter(row => row.isChosen || (takesNodes(row) && row.nodes.length > 0))
    .map(({ entry, nodes }) => (entry.kind === 'network' ? { ...entry, rpcUrls: nodes } : entry))

/** Turns listed addresses into watch-only accounts or contacts. */
export const listedAs = (entries: readonly ImportEntry[], kind: ListedEntry['kind']): ImportEntry[] =>
  entries.map(entry => (entry.kind === 'watchOnly' || entry.kind === 'contact' ? { ...entry, kind } : entry))
