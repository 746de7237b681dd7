/** DATA and QUANTITY of the Ethereum JSON-RPC: https://ethereum.org/developers/docs/apis/json-rpc/#conventions */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { type Catalogue, fillIn, type Values, type ValuesIn, valuesFor } from '../reasons.ts'
import { valueReasons } from './value-reasons.ts'

/** A 0x-prefixed hex string. */
export type Hex = `0x${string}`

/**
 * A value that breaks a rule. Its message names the place: `message.orders[3].price: 2^256 does not fit uint256`. The reason
 * names the rule, the values are those of its text, usually `place` and `value`.
 */
export class ValueError extends Error {
  override name = 'ValueError'
  readonly reason: string
  readonly values: Values

  constructor(message: string, reason: string, values: Values) {
    super(message)
    this.reason = reason
    this.values = values
  }
}

const LONGEST_QUOTE = 80

/** Formats any value for an error message: one short line, truncated. */
export const show = (value: unknown): string => {
  const text = describe(value)
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text
}

/** Writes large powers of two as such: 2^256 is easier to read than its 78 digits. */
const showInteger = (value: bigint): string => {
  const exponent = value.toString(2).length - 1
  return exponent >= 64 && value === 1n << BigInt(exponent) ? `2^${exponent}` : String(value)
}

const describe = (value: unknown): string => {
  if (typeof value === 'bigint') return showInteger(value)
  if (typeof value === 'string') return JSON.stringify(value.slice(0, LONGEST_QUOTE))
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (typeof value === 'function' || typeof value === 'symbol' || (typeof value === 'object' && value !== null))
    return `a value of type ${typeof value}`
  return String(value)
}

type Rest<Values> = keyof Values extends never ? [] : [values: Values]

/** A function from a reason of the catalogue and its values. */
export type ValueErrors<C extends Catalogue> = <R extends keyof C & string>(
  reason: R,
  ...rest: Rest<ValuesIn<C[R]>>
) => ValueError

/** Makes the function that makes a part's ValueErrors. A reason that the catalogue lacks, or a missing value, does not compile. */
export const valueErrorsOf =
  <C extends Catalogue>(catalogue: C): ValueErrors<C> =>
  (reason, ...rest) => {
    const [values = {}]: readonly Values[] = rest
    const text = catalogue[reason] ?? reason
    const kept = valuesFor(text, values)
    return new ValueError(fillIn(text, kept), reason, kept)
  }

/** A function that throws a ValueError with `place`, `value` and further values of the text. The value is shown as by `show`. */
export type Failing<C extends Catalogue> = <R extends keyof C & string>(
  place: string,
  value: unknown,
  reason: R,
  ...rest: Rest<Omit<ValuesIn<C[R]>, 'place' | 'value'>>
) => never

/** Makes the function that throws a part's ValueErrors about values at a place. */
export const failingOf = <C extends Catalogue>(catalogue: C): Failing<C> => {
  const valueError: (reason: string, values: Values) => ValueError = valueErrorsOf<Catalogue>(catalogue)
  return (place, value, reason, ...rest) => {
    const [values = {}]: readonly Values[] = rest
    throw valueError(reason, { ...values, place, value: show(value) })
  }
}

/** Makes a ValueError of this part. */
export const valueError = valueErrorsOf(valueReasons)

/** Throws a ValueError that names the place, the value and the rule. */
export const fail: Failing<typeof valueReasons> = failingOf(valueReasons)

const DATA = /^0x(?:[0-9a-fA-F]{2})*$/
const HEX_NUMBER = /^0x[0-9a-fA-F]*$/
const QUANTITY = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]*)$/

/** True for `0x` followed by an even number of hex digits. */
export const isHex = (value: unknown): value is Hex => typeof value === 'string' && DATA.test(value)

/** Encodes bytes as lower-case DATA. */
export const fromBytes = (bytes: Uint8Array): Hex => `0x${bytesToHex(bytes)}`

/** Decodes DATA. `size` requires an exact length in bytes. Throws ValueError. */
export const toBytes = (value: unknown, place = 'data', size?: number): Uint8Array => {
  if (!isHex(value)) return fail(place, value, 'notData')
  const bytes = hexToBytes(value.slice(2))
  if (size !== undefined && bytes.length !== size)
    return fail(place, value, 'wrongByteCount', { bytes: bytes.length, wanted: size })
  return bytes
}

/**
 * Encodes a non-negative integer as QUANTITY: shortest form, `0x0` for zero. Throws ValueError for a negative value or
 * an unsafe integer, which may have lost digits.
 */
export const fromQuantity = (value: bigint | number): Hex => {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return fail('quantity', value, 'notSafeInteger')
  if (value < 0) return fail('quantity', value, 'negative')
  return `0x${value.toString(16)}`
}

/** Decodes a QUANTITY of at most `bits` bits. Refuses leading zeros and a bare `0x`. Throws ValueError. */
export const toQuantity = (value: unknown, place = 'quantity', bits = 256): bigint => {
  if (typeof value !== 'string' || !QUANTITY.test(value)) return fail(place, value, 'notQuantity')
  const quantity = BigInt(value)
  if (quantity >> BigInt(bits) !== 0n) return fail(place, value, 'outOfRange', { type: `uint${bits}` })
  return quantity
}

/**
 * Normalizes a hex number as sites write it: drops leading zeros and reads `0x` as zero. Throws ValueError for
 * anything else, and for more than 256 bits.
 */
export const normalizeQuantity = (value: unknown, place = 'quantity'): Hex => {
  if (typeof value !== 'string' || !HEX_NUMBER.test(value)) return fail(place, value, 'notHexNumber')
  const digits = value.replace(/^0x0*/, '')
  return fromQuantity(toQuantity(`0x${digits === '' ? '0' : digits}`, place))
}
