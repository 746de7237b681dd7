/**
 * Generates arbitrary typed data: types that refer to each other, a domain and a message. There is no recursion, which
 * other libraries do not sign.
 */
import { toAddress } from '@heliograph/shared/evm/address'
import { encodeData } from '@heliograph/shared/evm/hex'
import type { TypedDataField, TypedDataTypes } from '@heliograph/shared/evm/typed-data'
import fc from 'fast-check'

/** Typed data as a site sends it. */
export type TypedDataRequest = {
  types: TypedDataTypes
  primaryType: string
  domain: Readonly<Record<string, unknown>>
  message: Readonly<Record<string, unknown>>
}

const STRUCTS = ['Root', 'Order', 'order_item', 'A', 'Aa', 'B1']
/** The domain's fields, in the order of the standard. */
export const DOMAIN: readonly TypedDataField[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

const size = fc.integer({ min: 1, max: 32 })
/** Generates a built-in type. */
export const atom = fc.oneof(
  fc.constantFrom('bool', 'address', 'string', 'bytes'),
  size.map(bytes => `bytes${bytes}`),
  size.map(bytes => `uint${8 * bytes}`),
  size.map(bytes => `int${8 * bytes}`),
)
const brackets = fc.array(fc.constantFrom('[]', '[1]', '[2]'), { maxLength: 2 }).map(list => list.join(''))
const arrayOf = (base: fc.Arbitrary<string>) => fc.tuple(base, brackets).map(parts => parts.join(''))

/**
 * Generates the types of a struct's fields. A struct refers to the next struct and to no earlier one, so there is one
 * root and no cycle. It refers to at most six structs, so with four structs no message approaches the limit on values.
 */
const fieldTypes = ([next, ...later]: readonly string[]): fc.Arbitrary<string[]> => {
  if (next === undefined) return fc.array(arrayOf(atom), { maxLength: 3 })
  const other = fc.oneof(arrayOf(atom), fc.constantFrom(next, ...later))
  return fc
    .tuple(arrayOf(fc.constant(next)), fc.array(other, { maxLength: 2 }))
    .map(([first, rest]) => [first, ...rest])
}

const structs = fc.shuffledSubarray(STRUCTS, { minLength: 1, maxLength: 4 }).chain(names =>
  fc.tuple(...names.map((_, i) => fieldTypes(names.slice(i + 1)))).map(lists => {
    const fields = lists.map(list => list.map((type, i) => ({ name: `field${i}`, type })))
    return { root: names[0] ?? '', types: Object.fromEntries(names.map((name, i) => [name, fields[i] ?? []])) }
  }),
)

const bytes = (length: { minLength?: number; maxLength: number }) => fc.uint8Array(length).map(encodeData)
const integer = (min: bigint, max: bigint) =>
  fc.oneof(
    fc.bigInt(min, max).map(String),
    fc.bigInt(0n, max).map(value => `0x${value.toString(16)}`),
    fc.constantFrom(String(min), String(max), 0),
  )

const ARRAY = /^(.*)\[(\d*)\]$/
const SIZED = /^(bytes|uint|int)(\d+)$/

const valueFor = (types: TypedDataTypes, text: string): fc.Arbitrary<unknown> => {
  const [, element, length] = ARRAY.exec(text) ?? []
  if (element !== undefined) {
    const range = length ? { minLength: Number(length), maxLength: Number(length) } : { maxLength: 2 }
    return fc.array(valueFor(types, element), range)
  }
  if (types[text] !== undefined) return structOf(types, types[text])
  if (text === 'bool') return fc.boolean()
  if (text === 'string') return fc.string({ unit: 'binary', maxLength: 40 })
  if (text === 'bytes') return bytes({ maxLength: 70 })
  const address = bytes({ minLength: 20, maxLength: 20 })
  if (text === 'address')
    return fc.oneof(
      address,
      address.map(value => toAddress(value)),
    )
  const [, kind, digits] = SIZED.exec(text) ?? []
  const size = Number(digits)
  if (kind === 'bytes') return bytes({ minLength: size, maxLength: size })
  const range = 2n ** BigInt(size)
  return kind === 'uint' ? integer(0n, range - 1n) : integer(-range / 2n, range / 2n - 1n)
}

export const structOf = (types: TypedDataTypes, fields: readonly TypedDataField[]) =>
  fc.record(Object.fromEntries(fields.map(({ name, type }) => [name, valueFor(types, type)])))

export const typedDataRequest: fc.Arbitrary<TypedDataRequest> = fc
  .tuple(structs, fc.subarray([...DOMAIN]))
  .chain(([{ root, types }, domain]) =>
    fc.record({
      types: fc.constant({ ...types, EIP712Domain: domain }),
      primaryType: fc.constant(root),
      domain: structOf(types, domain),
      message: valueFor(types, root) as fc.Arbitrary<Record<string, unknown>>,
    }),
  )
