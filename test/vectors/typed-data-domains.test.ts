/**
 * Compares domains with viem: every order, other types and absent members. `typed-data.json` has domains of
 * eth-sig-util.
 */
import { encodeType, hashTypedData, parseTypedData, type TypedDataField } from '@heliograph/shared/evm/typed-data'
import fc from 'fast-check'
import { hashTypedData as viemHash } from 'viem'
import { expect, test } from 'vitest'
import { fuzzCases } from '../support/fuzz-cases.ts'
import { atom, DOMAIN, structOf, typedDataRequest } from './typed-data-arbitrary.ts'

const integer = atom.filter(type => /^u?int/.test(type))
const NAMES = DOMAIN.map(({ name }) => name)

/** Generates domain fields in any order, with the usual or any other built-in types. */
const declaredFields: fc.Arbitrary<TypedDataField[]> = fc
  .shuffledSubarray([...DOMAIN])
  .chain(fields =>
    fc.tuple(
      ...fields.map(({ name, type }) =>
        fc.oneof(fc.constant(type), name === 'chainId' ? integer : atom).map(chosen => ({ name, type: chosen })),
      ),
    ),
  )

/** Returns viem's hash. viem reads a type without a name as a separate struct. */
const hashOfViem = (data: unknown) => viemHash(data as Parameters<typeof viemHash>[0])

test('a domain in any order, of any built-in types, with undeclared members that are null', () => {
  const cases = fc.tuple(typedDataRequest, declaredFields, fc.subarray(NAMES), fc.constantFrom(null, undefined))
  const request = cases.chain(([{ types, primaryType, message }, declared, empty, nothing]) =>
    structOf(types, declared).map(values => ({
      types: { ...types, EIP712Domain: declared },
      primaryType,
      message,
      domain: { ...Object.fromEntries(empty.map(name => [name, nothing])), ...(values as object) },
    })),
  )
  fc.assert(
    fc.property(request, data => {
      const hash = hashTypedData(parseTypedData(data))
      expect(hash).toBe(hashOfViem(data))
      expect(hashTypedData(parseTypedData(JSON.stringify(data)))).toBe(hash)
    }),
    { numRuns: fuzzCases('typedDataHashes') },
  )
})

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map(rest => [item, ...rest]))
const subsets = <T>(items: readonly T[]): T[][] =>
  items.reduce<T[][]>((found, item) => found.flatMap(subset => [subset, [...subset, item]]), [[]])

const VALUES: Readonly<Record<string, unknown>> = {
  name: 'X',
  version: '1',
  chainId: 31_337,
  verifyingContract: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
  salt: `0x${'5a'.repeat(32)}`,
}

test('each of the 326 orders of the standard fields is hashed as declared, and no two orders have the same hash', () => {
  const orders = subsets([...DOMAIN]).flatMap(permutations)
  const hashes = orders.map(EIP712Domain => {
    const domain = Object.fromEntries(EIP712Domain.map(({ name }) => [name, VALUES[name]]))
    const data = {
      types: { EIP712Domain, M: [{ name: 'a', type: 'string' }] },
      primaryType: 'M',
      domain,
      message: { a: 'x' },
    }
    const parsed = parseTypedData(data)
    expect(encodeType('EIP712Domain', parsed.types)).toBe(
      `EIP712Domain(${EIP712Domain.map(({ type, name }) => `${type} ${name}`).join(',')})`,
    )
    expect(hashTypedData(parsed)).toBe(hashOfViem(data))
    return hashTypedData(parsed)
  })
  expect([orders.length, new Set(hashes).size]).toEqual([326, 326])
})
