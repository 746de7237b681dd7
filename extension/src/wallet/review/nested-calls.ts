/** Calls nested in other calls, and how they are executed. */
import type { AbiFunction } from '@heliograph/shared/evm/abi'
import type { ReadBudget } from '@heliograph/shared/evm/abi-decode'
import { type Call, decodeCallOf } from '@heliograph/shared/evm/calldata'
import type { Hex } from '@heliograph/shared/evm/hex'
import { type Arguments, ZERO } from './call-arguments.ts'

/**
 * An execution context. `to` is the contract whose code runs, `account` its caller, and `self` the address as which the
 * code runs; in a DELEGATECALL, it differs from `to`.
 */
export type Frame = { to: string; account: string; self: string }

/**
 * A nested call: its calldata or, if it has none, the decoded call (undefined if unreadable). `value` is in wei.
 * `payee` is the address that the data names. `delegates` is true for a DELEGATECALL, `isRefund` for a Safe's refund.
 */
export type Inner = Frame & { value: string; payee: string; delegates: boolean; isRefund?: true } & (
    | { data: Hex }
    | { call: Call | undefined }
  )

export const NO_VALUE = '0'

/** Creates a CALL by the contract. Some contracts treat the zero address as themselves. */
export const callFrom = ({ self }: Frame, target: string, value: string, data: Hex): Inner => {
  const to = ZERO.test(target) ? self : target
  return { to, account: self, self: to, value, payee: target, data, delegates: false }
}
/** Creates a DELEGATECALL: the target's code runs as the calling contract. */
export const delegateFrom = ({ account, self }: Frame, target: string, data: Hex): Inner => ({
  to: target,
  account,
  self,
  value: NO_VALUE,
  payee: target,
  data,
  delegates: true,
})
/** Creates a forwarded call, which the target treats as made by `account`. */
export const callFor = (account: string, target: string, value: string, data: Hex): Inner => ({
  to: target,
  account,
  self: target,
  value,
  payee: target,
  data,
  delegates: false,
})
/** Creates a nested operation that is not encoded as calldata. */
export const part = (frame: Frame, call: Call | undefined): Inner => ({
  ...frame,
  value: NO_VALUE,
  payee: frame.to,
  delegates: false,
  call,
})
export const unreadable = (frame: Frame, name: string): Inner =>
  part(frame, { kind: 'malformed', name, signature: `${name}(bytes)` })

/** Reads the calls nested in a call. Undefined if the function contains none. */
export type NestedReader = (args: Arguments, frame: Frame, budget: ReadBudget) => Inner[] | undefined

/** Placeholder in front of bare arguments. The decoder ignores it. */
const NO_SELECTOR = '0x00000000'

/** Decodes arguments that are not preceded by a selector. */
export const decodeBare = (called: AbiFunction, bytes: Hex, budget: ReadBudget): Call =>
  decodeCallOf(`${NO_SELECTOR}${bytes.slice(2)}`, called, budget)
