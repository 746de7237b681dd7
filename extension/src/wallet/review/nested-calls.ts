/** Calls nested in other calls, and how they are made. */
import type { AbiFunction } from '@heliograph/shared/evm/abi'
import type { ReadBudget } from '@heliograph/shared/evm/abi-decode'
import { type Call, decodeCallOf } from '@heliograph/shared/evm/calldata'
import type { Hex } from '@heliograph/shared/evm/hex'
import { type Arguments, ZERO } from './call-arguments.ts'

/**
 * An execution context: `to` is the contract whose code runs, `account` its caller, and `self` the address it runs as,
 * which differs from `to` in a DELEGATECALL.
 */
export type Frame = { to: string; account: string; self: string }

/**
 * A nested call: its calldata, or the decoded call if it has none (undefined if it cannot be read). `value` is in wei,
 * `payee` is the address that the data names, and `delegates` is true for a DELEGATECALL. A refund of a Safe is marked.
 */
export type Inner = Frame & { value: string; payee: string; delegates: boolean; isRefund?: true } & (
    | { data: Hex }
    | { call: Call | undefined }
  )

export const NO_VALUE = '0'

/** A CALL by the contract. Some contracts read the zero address as themselves. */
export const callFrom = ({ self }: Frame, target: string, value: string, data: Hex): Inner => {
  const to = ZERO.test(target) ? self : target
  return { to, account: self, self: to, value, payee: target, data, delegates: false }
}
/** A DELEGATECALL: the target's code runs as the calling contract. */
export const delegateFrom = ({ account, self }: Frame, target: string, data: Hex): Inner => ({
  to: target,
  account,
  self,
  value: NO_VALUE,
  payee: target,
  data,
  delegates: true,
})
/** A forwarded call, which the target treats as made by `account`. */
export const callFor = (account: string, target: string, value: string, data: Hex): Inner => ({
  to: target,
  account,
  self: target,
  value,
  payee: target,
  data,
  delegates: false,
})
/** A nested operation that is not encoded as calldata. */
export const part = (frame: Frame, call: Call | undefined): Inner => ({
  ...frame,
  value: NO_VALUE,
  payee: frame.to,
  delegates: false,
  call,
})
export const unreadable = (frame: Frame, name: string): Inner =>
  part(frame, { kind: 'malformed', name, signature: `${name}(bytes)` })

/** Reads the calls nested in a call; undefined if it has none. */
export type NestedReader = (args: Arguments, frame: Frame, budget: ReadBudget) => Inner[] | undefined

/** Bare arguments are decoded behind a selector that the decoder ignores. */
const NO_SELECTOR = '0x00000000'

/** Decodes arguments that no selector precedes. */
export const decodeBare = (called: AbiFunction, bytes: Hex, budget: ReadBudget): Call =>
  decodeCallOf(`${NO_SELECTOR}${bytes.slice(2)}`, called, budget)
