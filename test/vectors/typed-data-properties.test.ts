/** Arbitrary typed data: ethers signs the same, JSON carries it unchanged, each value counts, and junk is rejected. */
import { decodeData, encodeData } from '@heliograph/shared/evm/hex'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import {
  describeTypedData,
  hashTypedData,
  parseTypedData,
  recoverTypedData,
  signTypedData,
  type TypedData,
  type TypedDataStruct,
  type TypedDataValue,
} from '@heliograph/shared/evm/typed-data'
import { ValueError } from '@heliograph/shared/evm/value-error'
import { AbiCoder, concat, id, keccak256, SigningKey, TypedDataEncoder, ZeroHash } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzzCases } from '../support/fuzz-cases.ts'
import { type TypedDataRequest, typedDataRequest } from './typed-data-arbitrary.ts'

const key = new Uint8Array(32).fill(7)

test('ethers hashes and signs the same', () => {
  fc.assert(
    fc.property(typedDataRequest, request => {
      const { EIP712Domain: _, ...types } = request.types
      const theirs = TypedDataEncoder.hash(
        request.domain,
        Object.fromEntries(Object.entries(types).map(([name, fields]) => [name, [...fields]])),
        request.message,
      )
      const data = parseTypedData(request)
      expect(hashTypedData(data)).toBe(theirs)
      const signature = signTypedData(data, key)
      expect(signature).toBe(new SigningKey(key).sign(theirs).serialized)
      expect(recoverTypedData(data, signature)).toBe(addressOfPrivateKey(key))
    }),
    { numRuns: fuzzCases('typedDataHashes') },
  )
})

test('parsed data survives JSON unchanged', () => {
  fc.assert(
    fc.property(typedDataRequest, request => {
      const data = parseTypedData(JSON.stringify(request))
      expect(data).toEqual(parseTypedData(request))
      expect(parseTypedData(JSON.stringify(data))).toEqual(data)
    }),
  )
})

/** Returns another value of the same type, as close as possible. */
const nextAtom = (type: string, value: TypedDataValue): TypedDataValue => {
  if (typeof value === 'boolean') return !value
  const text = String(value)
  if (type === 'string') return `${text}\0`
  if (type === 'bytes') return `${text}00`
  if (/^u?int/.test(type)) return String(BigInt(text) ^ 1n)
  const bytes = decodeData(text)
  return encodeData(bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1))
}

const ELEMENT = /^(.*)\[\d*\]$/

/** Returns all values that differ from this value in a single atom. */
const variants = (types: TypedData['types'], type: string, value: TypedDataValue): TypedDataValue[] => {
  const element = ELEMENT.exec(type)?.[1]
  if (element !== undefined) {
    const list = value as readonly TypedDataValue[]
    return list.flatMap((item, i) => variants(types, element, item).map(changed => list.with(i, changed)))
  }
  const fields = types[type]
  if (fields === undefined) return [nextAtom(type, value)]
  const struct = value as TypedDataStruct
  return fields.flatMap(field =>
    variants(types, field.type, struct[field.name] ?? null).map(changed => ({ ...struct, [field.name]: changed })),
  )
}

test('changing any single value changes the hash', () => {
  fc.assert(
    fc.property(typedDataRequest, request => {
      const data = parseTypedData(request)
      const { types, primaryType, domain, message } = data
      const changed = [
        ...variants(types, 'EIP712Domain', domain).map(domain => ({ ...data, domain })),
        ...variants(types, primaryType, message).map(message => ({ ...data, message })),
      ].slice(0, 100)
      const hashes = [data, ...changed].map(variant => hashTypedData(parseTypedData(variant)))
      expect(new Set(hashes).size).toBe(hashes.length)
    }),
  )
})

type Tree = { value: string; next?: Tree | null; children: readonly (Tree | null)[] }

test('recursive structs hash to the words of their fields', () => {
  const bound = { maxDepth: 4, depthIdentifier: 'tree' }
  const { tree } = fc.letrec<{ tree: Tree }>(tie => ({
    tree: fc.record(
      {
        value: fc.bigInt(0n, 2n ** 256n - 1n).map(String),
        next: fc.option(tie('tree'), bound),
        children: fc.array(fc.option(tie('tree'), bound), { maxLength: 2 }),
      },
      { requiredKeys: ['value', 'children'] },
    ),
  }))
  const types = {
    Tree: [
      { name: 'value', type: 'uint256' },
      { name: 'next', type: 'Tree' },
      { name: 'children', type: 'Tree[]' },
    ],
  }
  const typeHash = id('Tree(uint256 value,Tree next,Tree[] children)')
  const hash = (tree: Tree | null | undefined): string => {
    if (tree === null || tree === undefined) return ZeroHash
    const words = [typeHash, tree.value, hash(tree.next), keccak256(concat(tree.children.map(hash)))]
    return keccak256(AbiCoder.defaultAbiCoder().encode(['bytes32', 'uint256', 'bytes32', 'bytes32'], words))
  }
  const domainHash = keccak256(id('EIP712Domain()'))
  fc.assert(
    fc.property(tree, message => {
      const data = parseTypedData({ types, primaryType: 'Tree', domain: {}, message })
      expect(hashTypedData(data)).toBe(keccak256(concat(['0x1901', domainHash, hash(message)])))
      expect(parseTypedData(JSON.stringify(data))).toEqual(data)
    }),
  )
})

/** Replaces one place in the value, to which the steps lead, with junk. */
const damage = (value: unknown, [step, ...rest]: readonly number[], junk: unknown): unknown => {
  if (step === undefined || typeof value !== 'object' || value === null) return junk
  const entries = Object.entries(value)
  const at = step % entries.length
  const damaged = entries.map(([key, part], i) => [key, i === at ? damage(part, rest, junk) : part] as const)
  return Array.isArray(value) ? damaged.map(([, part]) => part) : Object.fromEntries(damaged)
}

test('data with junk in any place is either valid typed data or rejected with a ValueError', () => {
  const junk = fc.oneof(
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
    }),
    fc.constantFrom('__proto__', 'uint', 'Root', 'Root[]', '[]', '\ud800', Symbol('junk'), () => {}),
  )
  const request: fc.Arbitrary<TypedDataRequest | undefined> = fc.option(typedDataRequest, { nil: undefined })
  fc.assert(
    fc.property(request, fc.array(fc.nat(20), { maxLength: 6 }), junk, (request, steps, junk) => {
      try {
        const data = parseTypedData(damage(request, steps, junk))
        describeTypedData(data)
        expect(hashTypedData(data)).toHaveLength(66)
      } catch (error) {
        expect(error).toBeInstanceOf(ValueError)
      }
    }),
    { numRuns: fuzzCases('typedDataJunk') },
  )
})

test('any text is either valid typed data or rejected with a ValueError', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    typedDataRequest.map(request => JSON.stringify(request)),
  )
  fc.assert(
    fc.property(text, fc.nat(), fc.string({ maxLength: 2 }), (text, at, insert) => {
      const place = at % (text.length + 1)
      try {
        hashTypedData(parseTypedData(text.slice(0, place) + insert + text.slice(place)))
      } catch (error) {
        expect(error).toBeInstanceOf(ValueError)
      }
    }),
    { numRuns: 500 },
  )
})
