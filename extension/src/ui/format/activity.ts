/** Titles and recipients of an account's transactions. */
import type { ActivityView, NetworkView } from '../../messages.ts'
import { headlineOf } from './headline.ts'
import type { IconName } from './icons.ts'
import { text } from './text.ts'

/** True until the transaction is final: the user can still speed it up, cancel it or discard it. */
export const isOpen = ({ status }: ActivityView): boolean => status === 'signed' || status === 'pending'

/** Returns the title, worded as when the user approved the transaction. */
export const titleOf = (activity: ActivityView, network: NetworkView): string => {
  if (activity.purpose === 'cancel') return text('activity_cancel')
  if (activity.purpose === 'removeDelegation') return text('activity_removeDelegation')
  const { to, value, selector, call, nonce } = activity
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
