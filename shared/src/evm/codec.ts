/** Codecs for the fields of Ethereum objects, in RLP and JSON-RPC form: https://ethereum.github.io/execution-apis/ */
import { bytesToNumberBE, numberToVarBytesBE } from '@noble/curves/utils.js'
import { type Address, toAddress } from './address.ts'
import { fail } from './fail.ts'
import { decodeData, decodeQuantity, encodeData, type Hex } from './hex.ts'
import { isRlpList, type RlpItem } from './rlp.ts'
import { toParity } from './signature.ts'

/**
 * Converts a field to RLP, and from RLP and JSON. All methods throw a ValueError that names the place of an invalid
 * value.
 */
export type Codec<T> = {
  toRlp(value: T, place: string): RlpItem
  fromRlp(item: RlpItem, place: string): T
  fromJson(value: unknown, place: string): T
}

/** A codec for objects. In RLP an object is a list of its fields, in the order of `names`. */
export interface RecordCodec<T> extends Codec<T> {
  names: readonly string[]
  toRlp(value: T, place: string): readonly RlpItem[]
}

/** Returns the item as a list. Throws ValueError for a byte string. */
export const asList = (item: RlpItem, place: string): readonly RlpItem[] =>
  isRlpList(item) ? item : fail(place, item, 'notList')

/** Returns the item as a byte string, of exactly `size` bytes if given. Throws ValueError. */
export const asBytes = (item: RlpItem, place: string, size?: number): Uint8Array => {
  if (isRlpList(item)) return fail(place, item, 'notByteString')
  if (size !== undefined && item.length !== size) return fail(place, encodeData(item), 'wrongSize', { wanted: size })
  return item
}

/**
 * Codec of an integer of 0 to `bits` bits (a multiple of 8): big-endian without leading zeros in RLP, QUANTITY in JSON.
 */
const uint = (bits: number): Codec<bigint> => ({
  toRlp: (value, place) => {
    if (value < 0n || value >> BigInt(bits) !== 0n) return fail(place, value, 'outOfRange', { type: `uint${bits}` })
    return value === 0n ? new Uint8Array() : numberToVarBytesBE(value)
  },
  fromRlp: (item, place) => {
    const bytes = asBytes(item, place)
    if (bytes[0] === 0) return fail(place, encodeData(bytes), 'leadingZeros')
    if (bytes.length * 8 > bits) return fail(place, encodeData(bytes), 'outOfRange', { type: `uint${bits}` })
    return bytesToNumberBE(bytes)
  },
  fromJson: (value, place) => decodeQuantity(value, place, bits),
})

const byte = uint(8)

/** A non-negative integer below 2^64. */
export const uint64 = uint(64)

/** A non-negative integer below 2^256. */
export const uint256 = uint(256)

/** Bytes as lower-case DATA, exactly `size` of them if given. */
export const data = (size?: number): Codec<Hex> => ({
  toRlp: (value, place) => decodeData(value, place, size),
  fromRlp: (item, place) => encodeData(asBytes(item, place, size)),
  fromJson: (value, place) => encodeData(decodeData(value, place, size)),
})

/** An address; parsing gives it EIP-55 case. */
export const address: Codec<Address> = {
  toRlp: (value, place) => decodeData(value, place, 20),
  fromRlp: (item, place) => toAddress(encodeData(asBytes(item, place, 20)), place),
  fromJson: toAddress,
}

/** An address that may be missing. RLP writes a missing address as an empty byte string. */
export const optionalAddress: Codec<Address | undefined> = {
  toRlp: (value, place) => (value === undefined ? new Uint8Array() : address.toRlp(value, place)),
  fromRlp: (item, place) => (asBytes(item, place).length === 0 ? undefined : address.fromRlp(item, place)),
  fromJson: address.fromJson,
}

/** A non-negative integer below 2^8, as a number. */
export const uint8: Codec<number> = {
  toRlp: (value, place) => byte.toRlp(BigInt(value), place),
  fromRlp: (item, place) => Number(byte.fromRlp(item, place)),
  fromJson: (value, place) => Number(byte.fromJson(value, place)),
}

/** A signature's y parity. */
export const parity: Codec<0 | 1> = {
  toRlp: (value, place) => uint256.toRlp(BigInt(toParity(value, place)), place),
  fromRlp: (item, place) => toParity(uint256.fromRlp(item, place), place),
  fromJson: (value, place) => toParity(decodeQuantity(value, place), place),
}

/** An array, which is a list in RLP. */
export const list = <T>(element: Codec<T>): Codec<readonly T[]> => ({
  toRlp: (values, place) => values.map((value, i) => element.toRlp(value, `${place}[${i}]`)),
  fromRlp: (item, place) => asList(item, place).map((child, i) => element.fromRlp(child, `${place}[${i}]`)),
  fromJson: (value, place) =>
    Array.isArray(value)
      ? value.map((child, i) => element.fromJson(child, `${place}[${i}]`))
      : fail(place, value, 'notArray'),
})

/** Reasons that need no values except `place` and `value`. */
type Rule = 'noAuthorization' | 'noBlob' | 'notBlobHash' | 'notChainId' | 'notNonce'

/** Adds a condition to a codec. */
export const restrict = <T>(codec: Codec<T>, holds: (value: T) => boolean, reason: Rule): Codec<T> => {
  const check = (value: T, place: string) => (holds(value) ? value : fail(place, value, reason))
  return {
    toRlp: (value, place) => codec.toRlp(check(value, place), place),
    fromRlp: (item, place) => check(codec.fromRlp(item, place), place),
    fromJson: (value, place) => check(codec.fromJson(value, place), place),
  }
}

/** Codec of an object with its fields in RLP order. `check` throws for combinations of fields that are not valid. */
export const record = <T extends object>(
  fields: { readonly [K in keyof T]-?: Codec<T[K]> },
  check: (value: T, place: string) => unknown = () => {},
): RecordCodec<T> => {
  // Object.entries loses the relation between a codec's type and its field, so the cast restores it.
  const entries = Object.entries(fields) as [keyof T & string, Codec<T[keyof T]>][]
  const build = (read: (codec: Codec<T[keyof T]>, name: string, i: number) => T[keyof T], place: string): T => {
    const values = entries.map(([name, codec], i) => [name, read(codec, name, i)] as const)
    const value = Object.fromEntries(values.filter(([, field]) => field !== undefined)) as T
    check(value, place)
    return value
  }
  return {
    names: entries.map(([name]) => name),
    toRlp: (value, place) => {
      check(value, place)
      return entries.map(([name, codec]) => codec.toRlp(value[name], `${place}.${name}`))
    },
    fromRlp: (item, place) => {
      const items = asList(item, place)
      if (items.length !== entries.length) return fail(place, items, 'wrongFieldCount', { wanted: entries.length })
      return build((codec, name, i) => codec.fromRlp(items[i] ?? [], `${place}.${name}`), place)
    },
    fromJson: (value, place) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(place, value, 'notObject')
      const given = value as Record<string, unknown>
      return build((codec, name) => codec.fromJson(given[name], `${place}.${name}`), place)
    },
  }
}
