/** Entries of another wallet's export or of a backup, and the result of importing them. */
import type { BackupItem } from './backup.ts'
import type { ReasonView } from './errors.ts'
import type { Finding } from './review.ts'

/** An account without its key, or a contact. An account without a name gets the next default one. */
export type ListedEntry = { kind: 'watchOnly' | 'contact'; address: string; name: string }
export type KeyEntry = { kind: 'key'; privateKey: string; name: string }
/**
 * A network to import, which the wallet may already have. `rpcUrls` are nodes to add to it; `explorerUrl` may be empty.
 */
export type NetworkEntry = {
  kind: 'network'
  chainId: number
  title: string
  symbol: string
  explorerUrl: string
  rpcUrls: readonly string[]
}

/** An entry as read from a file or a list. Only a backup's items are checked. */
export type ImportEntry = ListedEntry | KeyEntry | NetworkEntry | BackupItem

/** A node of an entry that the wallet does not have. `reason` says why it cannot be added, or is null. */
export type NodeReview = { url: string; reason: ReasonView | null }

/**
 * Result of checking an entry. `new` entries are added; `known` ones are already in the wallet or earlier in the list,
 * and change nothing. A `conflict` differs from what the wallet has, which `held` shows, and replaces it. `reason` is
 * null for new entries. `address` is in EIP-55 form, null for entries without one and for invalid addresses and keys.
 * `nodes` are only set for networks of another wallet.
 */
export type EntryReview = {
  verdict: 'new' | 'conflict' | 'known' | 'refused'
  reason: ReasonView | null
  address: string | null
  nodes: readonly NodeReview[]
  findings: readonly Finding[]
  held?: BackupItem
}

/** Number of added entries, of stored items of a backup, and the nodes whose chain id was queried. */
export type ImportResult = {
  accounts: number
  contacts: number
  networks: number
  items: number
  nodes: readonly (NodeReview & { chainId: number })[]
}

/** An account of a phrase, which the wallet may already have. */
export type PhraseAccountView = { index: number; address: string; path: string; isAdded: boolean }
