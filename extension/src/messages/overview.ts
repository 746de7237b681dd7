/** Balances and activity of all accounts, as shown by the overview. */
import type { ActivityStatus, ActivityView } from './transactions.ts'
import type { SearchView, TokenHolding, TokenKind } from './wallet.ts'

/** Balances of an account on a network: `wei` in 0x hex, and the listed tokens. Null if the node did not respond. */
export type AccountBalances = { address: string; wei: string | null; tokens: readonly TokenHolding[] }

/** An account's balance in the network's currency: `wei` in 0x hex, null if the node did not respond to this read. */
export type CoinBalance = Pick<AccountBalances, 'address' | 'wei'>

/** Direction of a transfer, as seen by the account. */
export type Direction = 'in' | 'out'

/**
 * An amount transferred to or from `counterpart`, in the smallest unit. `symbol` and `decimals` are null if unknown.
 * For a token that is not `listed`, they are claims of its contract.
 */
export type MoveView = {
  kind: TokenKind
  token: string | null
  id: string | null
  symbol: string | null
  decimals: number | null
  listed: boolean
  amount: string
  counterpart: string
}

/**
 * Why a transfer to an account may be a trap: the sender looks like a known address, the transfer moves nothing, or the
 * token imitates another one or has a misleading name. `known` is the imitated address or symbol, and `name` the name
 * of the imitated address.
 */
export type TransferMark =
  | { name: 'lookalikeSender'; known: string; knownName: string }
  | { name: 'imitatedToken'; known: string }
  | { name: 'zeroValue' | 'oddName' }

/**
 * A transaction of an account, or a transfer to it in another party's transaction. `time` is in Unix ms, null if the
 * block's time is unknown. `block` is a decimal number. `transaction` is null for a transfer to the account.
 */
export type ActivityEntry = {
  id: string
  chainId: number
  account: string
  direction: Direction
  hash: string
  time: number | null
  block: string | null
  status: ActivityStatus
  moves: readonly MoveView[]
  marks: readonly TransferMark[]
  transaction: ActivityView | null
}

/**
 * Filter of the activity list. Null and empty conditions accept everything. `from` (inclusive) and `until` (exclusive)
 * are Unix ms. `hidesMarked` leaves out transfers with marks. `asset` limits the list to an asset of the filter's
 * network: the contract of a token, or null for the network's currency.
 */
export type ActivityFilter = {
  account: string | null
  chainId: number | null
  direction: Direction | null
  status: ActivityStatus | null
  origin: string | null
  from: number | null
  until: number | null
  text: string
  hidesMarked: boolean
  asset?: string | null
}

/**
 * The blocks of a network that were searched for transfers to the accounts. `isCut` is true if there were more transfers
 * than the wallet keeps.
 */
export type IncomingSearch = { chainId: number; search: SearchView; isCut: boolean }

/**
 * A page of the list, newest first. `total` is the number of matching entries, `marked` the number of transfers left
 * out for their marks. `origins` are the sites of all transactions.
 */
export type ActivityPage = {
  entries: readonly ActivityEntry[]
  total: number
  marked: number
  origins: readonly string[]
  searches: readonly IncomingSearch[]
}
