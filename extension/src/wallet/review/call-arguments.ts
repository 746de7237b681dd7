/** Accesses a decoded call's arguments by name. */
import { toAddress } from '@heliograph/shared/evm/address'
import type { Call, CallArgument } from '@heliograph/shared/evm/calldata'

export type DecodedCall = Extract<Call, { kind: 'call' }>
/** A call's arguments, or the fields of a struct in them. */
export type Arguments = readonly CallArgument[]
/** A decoded call, the called contract, and the calling account. */
export type Made = { call: DecodedCall; to: string; account: string }

export const ZERO = /^0x0{40}$/
const ADDRESS_DIGITS = 40

export const find = (args: Arguments, name: string) => args.find(arg => arg.name === name)

/** Returns a plain argument's text. Empty if the argument is missing or not plain. */
export const textOf = (args: Arguments, name: string): string => {
  const value = find(args, name)?.value ?? ''
  return typeof value === 'string' ? value : ''
}

/** Returns the elements of an array, or the fields of a struct. */
export const partsOf = (args: Arguments, name: string): Arguments => {
  const value = find(args, name)?.value ?? []
  return typeof value === 'string' ? [] : value
}

/** Returns the fields of each struct in a list, or of a single struct. */
export const structsOf = (args: Arguments, name: string): Arguments[] => {
  const list = partsOf(args, name)
  if (!find(args, name)?.type.endsWith(']')) return list.length === 0 ? [] : [list]
  return list.flatMap(({ value }) => (typeof value === 'string' ? [] : [value]))
}

/** Returns the arguments, and the fields of every struct in them. */
export const levelsOf = (args: Arguments): Arguments[] => {
  const within = args.flatMap(({ value }) => (typeof value === 'string' ? [] : levelsOf(value)))
  return [args, ...within]
}

/** Returns the address in the lower 20 bytes. `digits` has no 0x. */
const lastAddress = (digits: string): string =>
  toAddress(`0x${digits.slice(-ADDRESS_DIGITS).padStart(ADDRESS_DIGITS, '0')}`)

/**
 * Returns the party that an argument names, as an address or in another type. Chains with other address formats have
 * longer values, which are returned unchanged.
 */
export const partyOf = ({ type, value }: CallArgument): string | undefined => {
  if (typeof value !== 'string' || value === '' || value === '0x') return undefined
  if (type === 'uint256') return lastAddress(BigInt(value).toString(16))
  if (type === 'bytes' && value.length === 2 + ADDRESS_DIGITS) return toAddress(value)
  if (type !== 'bytes32') return value
  return /^0x0{24}/.test(value) ? lastAddress(value.slice(2)) : value
}
