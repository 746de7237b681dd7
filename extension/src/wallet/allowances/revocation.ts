/** Builds the transaction that revokes an allowance. */
import { sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import { PERMIT2, type RevocationInput } from '../../messages.ts'
import type { Activity } from '../activity/activity.ts'

/** `approve(address,uint256)` of both ERC-20 and ERC-721, and `setApprovalForAll(address,bool)`. */
const APPROVE = '0x095ea7b3'
const SET_APPROVAL_FOR_ALL = '0xa22cb465'
/** Permit2's `approve(address,address,uint160,uint48)` */
const PERMIT2_APPROVE = '0x87517c45'

const word = (value: string | bigint): string => BigInt(value).toString(16).padStart(64, '0')
const dataOf = (selector: string, ...values: readonly (string | bigint)[]): Hex =>
  `${selector}${values.map(word).join('')}` as Hex

const callOf = ({ kind, token: text, spender: other, item }: RevocationInput): { to: Hex; data: Hex } => {
  const [token, spender] = [toAddress(text, 'token'), toAddress(other, 'spender')]
  if (kind === 'permit2') return { to: PERMIT2, data: dataOf(PERMIT2_APPROVE, token, spender, 0n, 0n) }
  if (kind === 'collection') return { to: token, data: dataOf(SET_APPROVAL_FOR_ALL, spender, 0n) }
  if (kind === 'item') return { to: token, data: dataOf(APPROVE, 0n, item ?? '') }
  return { to: token, data: dataOf(APPROVE, spender, 0n) }
}

/** Builds the revoking transaction. Throws ValueError if an address is invalid. */
export const revocationOf = (input: RevocationInput): TransactionRequest => ({
  from: toAddress(input.from, 'from'),
  chainId: encodeQuantity(input.chainId),
  value: '0x0',
  ...callOf(input),
})

/**
 * True if the record revokes the same allowance. Always false if the request names a nonce: the user then wants a
 * separate transaction.
 */
export const isRevocation =
  ({ from, to, data, nonce }: TransactionRequest) =>
  (record: Activity): boolean =>
    nonce === undefined &&
    sameAddress(record.account, from) &&
    sameAddress(record.to ?? '', to ?? '') &&
    record.data === data
