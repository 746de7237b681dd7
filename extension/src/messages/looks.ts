/** What the wallet found by itself, as its pages show it. */
import type { SearchView } from './wallet.ts'

/**
 * What a node could not do. `noLogs`: it does not search logs, so only listed tokens were looked for. `fewListed`: it
 * cannot read many values at once, so only the most used listed tokens were looked for. `olderBlocks`: blocks before
 * the searched ones were left out.
 */
export type LookLimit = 'noLogs' | 'fewListed' | 'olderBlocks'

/**
 * The wallet's own look for an account's tokens on a network. `tokens` and `collectibles` are the numbers that the
 * account holds, without spam; `others` is the number of held tokens and collections, with spam, that the user has not
 * decided on. `at` is when it last ended (Unix ms), null before that. `unseen` is the number of new transfers that the
 * user has not seen.
 */
export type LookView = {
  account: string
  chainId: number
  status: 'running' | 'pending' | 'done' | 'failed'
  at: number | null
  tokens: number
  collectibles: number
  others: number
  limits: readonly LookLimit[]
  search: SearchView | null
  unseen: number
}
