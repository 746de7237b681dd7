/** The refund that a Safe pays for its transaction's gas: https://github.com/safe-global/safe-smart-account */
import type { TokenAct } from '../../messages.ts'
import { ZERO } from './call-arguments.ts'
import { callFor, type Inner } from './nested-calls.ts'

/** `token` is null for coins. `amount` is an upper bound, because the Safe pays only for the gas used. */
export type Refund = { safe: string; to: string; token: string | null; amount: string }

/** Assumed gas of a transaction that does not state its limit. */
const LEAST_GAS = 100_000n
const MOST = (1n << 256n) - 1n

const numberOf = (text: string): bigint => (/^\d+$/.test(text) ? BigInt(text) : 0n)

/**
 * Computes the refund from the fields of a Safe transaction. Undefined if there is none. The refund goes to `executor`
 * if no receiver is named.
 */
export const refundOf = (field: (name: string) => string, safe: string, executor: string): Refund | undefined => {
  const [base, within] = [numberOf(field('baseGas')), numberOf(field('safeTxGas'))]
  const gas = base + (within > LEAST_GAS ? within : LEAST_GAS)
  const amount = gas * numberOf(field('gasPrice'))
  if (amount === 0n) return undefined
  const [token, receiver] = [field('gasToken'), field('refundReceiver')]
  return {
    safe,
    to: receiver === '' || ZERO.test(receiver) ? executor : receiver,
    token: token === '' || ZERO.test(token) ? null : token,
    amount: String(amount > MOST ? MOST : amount),
  }
}

/** Converts a refund in coins to a payment by the Safe. */
export const refundPayment = ({ safe, to, amount }: Refund): Inner => ({
  ...callFor(safe, to, amount, '0x'),
  isRefund: true,
})

/** Converts a refund in tokens to a transfer by the Safe. */
export const refundAct = ({ safe, to, token, amount }: Refund): TokenAct => ({
  kind: 'transfer',
  token: token ?? '',
  from: safe,
  to,
  amount,
  id: null,
})
