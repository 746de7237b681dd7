/** Entries of another wallet or a backup during the user's review, and the user's selection. */
import type { BackupItem, EntryReview, ImportEntry, ListedEntry, SectionName } from '../../messages.ts'

/** A reviewed entry. `nodes` are the URLs that the user selected among those in the review. */
export type ImportRow = {
  entry: ImportEntry
  review: EntryReview
  isChosen: boolean
  nodes: readonly string[]
}

/** An import of unread entries, as other-wallets/export.ts has it. */
export type ReadEntries = { entries: readonly ImportEntry[]; unreadable: number }

export const GROUPS = [
  'accounts',
  'contacts',
  'networks',
  'tokens',
  'contracts',
  'sites',
  'relays',
  'settings',
  'activity',
] as const
export type Group = (typeof GROUPS)[number]

const GROUP_OF: Record<Exclude<ImportEntry, BackupItem>['kind'], Group> = {
  watchOnly: 'accounts',
  key: 'accounts',
  contact: 'contacts',
  network: 'networks',
}
const GROUP_OF_SECTION: Record<SectionName, Group> = {
  phrases: 'accounts',
  accounts: 'accounts',
  privateKeys: 'accounts',
  contacts: 'contacts',
  networks: 'networks',
  nodes: 'networks',
  hiddenNetworks: 'networks',
  tokens: 'tokens',
  tokenChoices: 'tokens',
  interfaces: 'contracts',
  descriptors: 'contracts',
  sites: 'sites',
  siteSettings: 'sites',
  siteNetworks: 'sites',
  relays: 'relays',
  settings: 'settings',
  activity: 'activity',
}
const ORDER: readonly EntryReview['verdict'][] = ['conflict', 'new', 'known', 'refused']

const groupOfEntry = (entry: ImportEntry): Group =>
  entry.kind === 'item' ? GROUP_OF_SECTION[entry.section] : GROUP_OF[entry.kind]

/** Levels with which a new entry is selected. A backup is the user's own, so cautions do not deselect its items. */
const isHarmless = (entry: ImportEntry, { findings }: EntryReview): boolean =>
  findings.every(({ level }) => level === 'none' || (entry.kind === 'item' && level === 'caution'))

/**
 * Returns a row. New entries are selected initially, except those with findings. Conflicts and nodes are not selected
 * initially.
 */
const rowOf = (entry: ImportEntry, review: EntryReview): ImportRow => ({
  entry,
  review,
  isChosen: review.verdict === 'new' && isHarmless(entry, review),
  nodes: [],
})

/** True if the user can select the entry. */
export const isOpen = ({ review: { verdict } }: ImportRow): boolean => verdict === 'new' || verdict === 'conflict'

/** Returns the rows of a review, conflicts first, then new ones. */
export const rowsOf = (entries: readonly ImportEntry[], reviews: readonly EntryReview[]): ImportRow[] =>
  reviews
    .flatMap((review, at) => {
      const entry = entries[at]
      return entry ? [rowOf(entry, review)] : []
    })
    .toSorted((one, other) => ORDER.indexOf(one.review.verdict) - ORDER.indexOf(other.review.verdict))

export const groupOf = (rows: readonly ImportRow[], group: Group): ImportRow[] =>
  rows.filter(({ entry }) => groupOfEntry(entry) === group)

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
