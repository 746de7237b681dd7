/** Titles, amounts and recipients of an account's transactions, and of transfers to it. */
import type { ActivityEntry, ActivityView, MoveView, NetworkView, TransferMark } from '../../messages.ts'
import { sameAddress } from './address.ts'
import { headlineOf } from './headline.ts'
import type { IconName } from './icons.ts'
import { moveAmount } from './moves.ts'
import { text } from './text.ts'

/** What lists show of an entry. */
export type ListedEntry = Pick<
  ActivityEntry,
  'id' | 'hash' | 'direction' | 'time' | 'block' | 'status' | 'moves' | 'marks' | 'transaction'
>

/** Signature of the function that runs a batch. */
const BATCH = 'executeBatch((address,uint256,bytes)[])'

/** True until the transaction is final: the user can still speed it up, cancel it or discard it. */
export const isOpen = ({ status }: ActivityView): boolean => status === 'signed' || status === 'pending'

/** Returns the title, worded as when the user approved the transaction. */
export const titleOf = (activity: ActivityView, network: NetworkView): string => {
  if (activity.purpose === 'cancel') return text('activity_cancel')
  if (activity.purpose === 'removeDelegation') return text('activity_removeDelegation')
  const { to, value, selector, call, nonce, account } = activity
  // The account calls itself to run a batch in one transaction.
  if (call?.signature === BATCH && to !== null && sameAddress(to, account)) return text('kindCalls')
  const data = selector ?? '0x'
  const read = { acts: [], tokens: [], limit: null }
  return headlineOf({
    network,
    account: null,
    effect: { kind: 'transaction', broadcast: true, to, value, data, nonce, call, fee: null, ...read },
  }).title
}

/** Returns the recipient of coins, or of tokens in a transfer that sends no coins; null for any other call. */
export const recipientOf = ({ to, value, selector, call }: ActivityView): string | null => {
  if (selector === null) return to
  const [receiver] = call?.signature === 'transfer(address,uint256)' && BigInt(value) === 0n ? call.args : []
  return typeof receiver?.value === 'string' ? receiver.value : null
}

export const iconOf = ({ status, selector }: ActivityView): IconName => {
  if (status === 'failed' || status === 'dropped') return 'x-circle'
  if (status === 'pending' || status === 'signed') return 'clock'
  return selector === null ? 'send' : 'contract'
}

/** Returns the list entry of a transaction whose token transfers have not been read. */
export const entryOf = (transaction: ActivityView): ListedEntry => {
  const { hash, status, createdAt, settledAt, block } = transaction
  return {
    ...{ id: hash, hash, direction: 'out', time: settledAt ?? createdAt, block },
    ...{ status, moves: [], marks: [], transaction },
  }
}

const amountsOf = (moves: readonly MoveView[]): string => moves.map(moveAmount).join(', ')

/** Orders entries for a list: transactions that can still change first, then by time. An unknown time is the newest. */
export const ordered = (entries: readonly ListedEntry[]): ListedEntry[] => {
  const rank = ({ transaction }: ListedEntry) => (transaction && isOpen(transaction) ? 1 : 0)
  const timeOf = ({ time }: ListedEntry) => time ?? Number.MAX_SAFE_INTEGER
  return entries.toSorted((one, other) => rank(other) - rank(one) || timeOf(other) - timeOf(one))
}

/** Returns when an entry happened: its time, or else its block. Empty if the node told neither. */
export const whenOf = (
  { time, block }: Pick<ListedEntry, 'time' | 'block'>,
  format: (time: number) => string,
): string => {
  if (time !== null) return format(time)
  return block === null ? '' : text('inBlock', block)
}

/** True if the transfer was probably made to deceive. Other marks only say that it is unusual. */
export const isTrap = ({ name }: TransferMark): boolean => name === 'lookalikeSender' || name === 'imitatedToken'

/** Returns the title of an entry: what was received, the tokens that were sent, or else the transaction's title. */
export const entryTitle = ({ transaction, moves }: ListedEntry, network: NetworkView): string => {
  if (transaction === null) return text('receivedAmount', amountsOf(moves))
  const tokens = moves.filter(({ token }) => token !== null)
  return tokens.length === 0 ? titleOf(transaction, network) : text('sendToken', amountsOf(tokens))
}
