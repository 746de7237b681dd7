/** EIP-712, tested with `typed-data.json`, which names its sources, and with small changes to arbitrary typed data. */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { decodeData } from '@heliograph/shared/evm/hex'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import {
  describeTypedData,
  encodeType,
  hashTypedData,
  parseTypedData,
  recoverTypedData,
  signTypedData,
  type TypedData,
} from '@heliograph/shared/evm/typed-data'
import { ValueError } from '@heliograph/shared/evm/value-error'
import { TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import { hashTypedData as viemHash } from 'viem'
import { expect, test } from 'vitest'
import { fuzzCases } from '../support/fuzz-cases.ts'
import { typedDataRequest } from './typed-data-arbitrary.ts'

/** Read as a file, because an imported module would treat `__proto__` keys as prototypes. */
const vectors: {
  valid: { name: string; data: unknown; hash: string; privateKey?: string; signature?: string }[]
  invalid: { note: string; data: unknown; error: string }[]
} = JSON.parse(readFileSync(new URL('typed-data.json', import.meta.url), 'utf8'))

test.each(vectors.valid)('hashes and signs $name', ({ data, hash, privateKey, signature }) => {
  const parsed = parseTypedData(data)
  expect(hashTypedData(parsed)).toBe(hash)
  if (privateKey === undefined) return
  expect(signTypedData(parsed, decodeData(privateKey))).toBe(signature)
  expect(recoverTypedData(parsed, signature)).toBe(addressOfPrivateKey(decodeData(privateKey)))
})

test.each(vectors.invalid)('refuses $note', ({ data, error }) => {
  expect(() => parseTypedData(data)).toThrow(expect.objectContaining({ message: error }))
  if (typeof data === 'string') return
  expect(() => parseTypedData(JSON.stringify(data))).toThrow(expect.objectContaining({ message: error }))
})

const parseIfValid = (text: string): TypedData | undefined => {
  try {
    return parseTypedData(text)
  } catch (error) {
    if (error instanceof ValueError) return undefined
    throw error
  }
}

/** Returns everything that is signed. */
const meaningOf = (data: TypedData) => [
  encodeType('EIP712Domain', data.types),
  encodeType(data.primaryType, data.types),
  describeTypedData(data),
]

test('after one character is changed, data is rejected, or means the same, or has another hash', () => {
  const characters = fc.constantFrom(...'0123456789abcdefABCDEF[]{}",:-x_ étrue')
  fc.assert(
    fc.property(typedDataRequest, fc.nat(), characters, (request, position, character) => {
      const text = JSON.stringify(request)
      const at = position % text.length
      const changed = parseIfValid(text.slice(0, at) + character + text.slice(at + 1))
      if (changed === undefined) return
      const data = parseTypedData(request)
      const sameHash = isDeepStrictEqual(hashTypedData(changed), hashTypedData(data))
      expect(sameHash).toBe(isDeepStrictEqual(meaningOf(changed), meaningOf(data)))
    }),
    { numRuns: fuzzCases('typedData') },
  )
})

type Fields = Record<string, unknown>
/** Returns every struct in a value, including the value itself. */
const structsIn = (value: unknown): Fields[] => {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(structsIn)
  return Array.isArray(value) ? inner : [value as Fields, ...inner]
}
const hashOf = (data: unknown) => hashTypedData(parseTypedData(data))

test('undeclared fields anywhere in a message are named and not signed, as in ethers and viem', () => {
  const name = fc.constantFrom('undeclared', 'toString', '__proto__', 'constructor', 'value', ' ', '\u202e')
  fc.assert(
    fc.property(typedDataRequest, fc.nat(), name, fc.jsonValue(), (request, position, field, value) => {
      const data = structuredClone(request)
      const structs = structsIn(data.message)
      const struct = structs[position % structs.length] ?? {}
      Object.defineProperty(struct, field, { value, enumerable: true, configurable: true })
      const parsed = parseTypedData(data)
      // Null means that the field is absent.
      expect(parsed.undeclared).toEqual(value === null ? [] : [expect.stringMatching(/^message/)])
      if (value !== null) expect(parsed.undeclared[0]?.endsWith(`.${field}`)).toBe(true)
      const { undeclared: _, ...signed } = parsed
      expect({ ...signed, undeclared: [] }).toEqual(parseTypedData(request))
      const { EIP712Domain: __, ...types } = request.types
      const mutable = Object.fromEntries(Object.entries(types).map(([type, fields]) => [type, [...fields]]))
      const hash = hashOf(data)
      expect(hash).toBe(hashOf(request))
      expect(TypedDataEncoder.hash(data.domain, mutable, data.message)).toBe(hash)
      const theirs = { ...data, types: { ...mutable, EIP712Domain: [...(request.types.EIP712Domain ?? [])] } }
      expect(viemHash(theirs as Parameters<typeof viemHash>[0])).toBe(hash)
    }),
    { numRuns: 300 },
  )
})

test('data with an extra field in the domain, or with any missing field, is rejected', () => {
  fc.assert(
    fc.property(typedDataRequest, fc.nat(), (request, position) => {
      const data = structuredClone(request)
      const domain = data.domain as Fields
      domain.undeclared = 1
      expect(() => parseTypedData(data)).toThrow('domain: "undeclared" is not a field of EIP712Domain')
      domain.undeclared = null
      expect(parseTypedData(data)).toEqual(parseTypedData(request))
      delete domain.undeclared
      const structs = structsIn([data.domain, data.message])
      const struct = structs[position % structs.length] ?? {}
      const [field] = Object.keys(struct)
      if (field === undefined) return
      delete struct[field]
      expect(() => parseTypedData(data)).toThrow(`.${field}: undefined is not a value of type `)
    }),
  )
})
