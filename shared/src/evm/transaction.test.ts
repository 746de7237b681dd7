import { numberToVarBytesBE } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toAddress } from './address.ts'
import { type AuthorizationTuple, recoverAuthorization, signAuthorization } from './authorization.ts'
import { decodeData, encodeData, type Hex } from './hex.ts'
import { decodeRlp, encodeRlp, isRlpList, type RlpItem } from './rlp.ts'
import { addressOfPrivateKey } from './signature.ts'
import {
  decodeTransaction,
  type Eip1559Transaction,
  type Eip4844Transaction,
  type Eip7702Transaction,
  encodeTransaction,
  hashTransaction,
  type LegacyTransaction,
  recoverTransaction,
  signTransaction,
} from './transaction.ts'
import { ValueError } from './value-error.ts'

const key = new Uint8Array(32).fill(7)
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const to = toAddress(`0x${'35'.repeat(20)}`)
const call = { nonce: 1n, gas: 21_000n, to, value: 10n ** 18n, data: '0x' } as const
const legacy: LegacyTransaction = { type: 'legacy', ...call, gasPrice: 7n }
const eip1559: Eip1559Transaction = {
  type: 'eip1559',
  chainId: 1n,
  ...call,
  maxPriorityFeePerGas: 2n,
  maxFeePerGas: 7n,
  accessList: [{ address: to, storageKeys: [`0x${'01'.repeat(32)}`] }],
}
const eip7702: Eip7702Transaction = {
  ...eip1559,
  to,
  type: 'eip7702',
  authorizationList: [signAuthorization({ chainId: 1n, address: to, nonce: 0n }, key)],
}

/** Fields of a signed EIP-2718 transaction. */
const itemsOf = (raw: Hex): RlpItem[] => {
  const item = decodeRlp(decodeData(raw).subarray(1))
  return isRlpList(item) ? [...item] : []
}
const envelope = (type: number, item: RlpItem): Hex => encodeData(concatBytes(Uint8Array.of(type), encodeRlp(item)))
const bytes = (hex: string) => decodeData(`0x${hex}`)
const word = (value: bigint) => bytes(value.toString(16).padStart(64, '0'))

describe('a legacy transaction', () => {
  test('without a chain id is signed with v 27 or 28', () => {
    const raw = signTransaction(legacy, key)
    expect(decodeTransaction(raw).transaction).toEqual(legacy)
    expect(recoverTransaction(raw)).toBe(addressOfPrivateKey(key))
  })

  test('with a chain id has a different signature', () => {
    const signed = signTransaction({ ...legacy, chainId: 8217n }, key)
    expect(decodeTransaction(signed).transaction).toEqual({ ...legacy, chainId: 8217n })
    expect(recoverTransaction(signed)).toBe(addressOfPrivateKey(key))
  })

  test('refuses a v of more than 256 bits', () => {
    const chainId = 2n ** 255n - 19n
    expect(decodeTransaction(signTransaction({ ...legacy, chainId }, key)).transaction).toEqual({ ...legacy, chainId })
    expect(() => signTransaction({ ...legacy, chainId: 2n ** 255n }, key)).toThrow('transaction.v: ')
  })
})

describe('signing refuses', () => {
  test.each<[string, Partial<Eip1559Transaction>, string]>([
    ['a negative value', { value: -1n }, 'transaction.value: -1 does not fit uint256'],
    ['too large a value', { value: 2n ** 256n }, 'transaction.value: '],
    ['too much gas', { gas: 2n ** 64n }, 'transaction.gas: 2^64 does not fit uint64'],
    ['the last nonce', { nonce: 2n ** 64n - 1n }, 'transaction.nonce: 18446744073709551615 is not below 2^64 − 1'],
    ['chain id 0', { chainId: 0n }, 'transaction.chainId: 0 is not a chain id: they start at 1'],
    [
      'a priority fee above the maximum fee',
      { maxPriorityFeePerGas: 8n },
      'transaction.maxPriorityFeePerGas: 8 is above',
    ],
    ['a short recipient', { to: '0x35' }, 'transaction.to: "0x35" has 1 bytes, not 20'],
    ['odd data', { data: '0x123' }, 'transaction.data: "0x123" is not DATA'],
    [
      'a short storage key',
      { accessList: [{ address: to, storageKeys: ['0x01'] }] },
      'transaction.accessList[0].storageKeys[0]: "0x01" has 1 bytes, not 32',
    ],
  ])('%s', (_, fields, error) => {
    expect(() => signTransaction({ ...eip1559, ...fields }, key)).toThrow(error)
  })

  test('a legacy transaction of chain id 0', () => {
    expect(() => signTransaction({ ...legacy, chainId: 0n }, key)).toThrow('they start at 1')
  })

  test('a delegation without authorizations', () => {
    expect(() => signTransaction({ ...eip7702, authorizationList: [] }, key)).toThrow(
      'transaction.authorizationList: an array of 0 contains no authorization',
    )
  })

  test('a signature with a high s', () => {
    const high: Hex = `0x${[1n, order - 1n].map(part => part.toString(16).padStart(64, '0')).join('')}1b`
    for (const transaction of [legacy, eip1559])
      expect(() => encodeTransaction(transaction, high)).toThrow('only the low s is accepted')
  })
})

/** Encodes an EIP-7702 transaction with this entry as its only authorization. */
const withTuple = (tuple: RlpItem): Hex => envelope(4, itemsOf(signTransaction(eip7702, key)).with(9, [tuple]))

describe('an authorization that EIP-7702 permits but the chain skips', () => {
  const tuples = fc.record({
    chainId: fc.bigInt(0n, 2n ** 256n - 1n),
    address: fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytes => toAddress(encodeData(bytes))),
    nonce: fc.bigInt(0n, 2n ** 64n - 1n),
    yParity: fc.nat(255),
    r: fc.bigInt(0n, 2n ** 256n - 1n),
    s: fc.bigInt(0n, 2n ** 256n - 1n),
  })
  const minimal = (value: bigint) => (value === 0n ? bytes('') : numberToVarBytesBE(value))
  const itemOf = ({ chainId, address, nonce, yParity, r, s }: AuthorizationTuple): RlpItem => [
    minimal(chainId),
    decodeData(address),
    ...[nonce, BigInt(yParity), r, s].map(minimal),
  ]

  test('is decoded, and the transaction re-encodes to the same bytes', () => {
    fc.assert(
      fc.property(tuples, tuple => {
        const raw = withTuple(itemOf(tuple))
        const { transaction, signature } = decodeTransaction(raw)
        expect(transaction).toMatchObject({ authorizationList: [tuple] })
        expect(encodeTransaction(transaction, signature)).toBe(raw)
        expect(hashTransaction(raw)).toBe(encodeData(keccak_256(decodeData(raw))))
        expect(recoverTransaction(raw)).toMatch(/^0x/)
      }),
    )
  })

  test.each<[string, Partial<AuthorizationTuple>, string]>([
    ['the high s', { s: order - 1n }, 'transaction.authorizationList[0].s: '],
    ['r of 0', { r: 0n }, 'transaction.authorizationList[0].r: 0 is not between'],
    ['parity 2', { yParity: 2 }, 'transaction.authorizationList[0].yParity: 2 is neither 0 nor 1'],
    ['parity 255', { yParity: 255 }, 'transaction.authorizationList[0].yParity: 255 is neither 0 nor 1'],
    ['the last nonce', { nonce: 2n ** 64n - 1n }, 'transaction.authorizationList[0].nonce: '],
  ])('is not signed: %s', (_, fields, error) => {
    const [given] = eip7702.authorizationList as [AuthorizationTuple]
    const tuple = { ...given, ...fields }
    const transaction = { ...eip7702, authorizationList: [tuple] }
    expect(() => signTransaction(transaction, key)).toThrow(error)
    expect(() => recoverAuthorization(tuple)).toThrow(ValueError)
    expect(decodeTransaction(withTuple(itemOf(tuple))).transaction).toMatchObject({ authorizationList: [tuple] })
  })
})

describe('decoding refuses', () => {
  const raw = signTransaction(eip1559, key)
  const items = itemsOf(raw)
  const replaced = (index: number, item: RlpItem) => envelope(2, items.with(index, item))

  test.each<[string, Hex, string]>([
    ['nothing', '0x', 'transaction: "0x" is not a known transaction type'],
    ['type 0', `0x00${raw.slice(4)}`, 'transaction: "0x00" is not a known transaction type'],
    ['type 5', `0x05${raw.slice(4)}`, 'transaction: "0x05" is not a known transaction type'],
    ['a type byte twice', `0x02${raw.slice(2)}`, 'transaction: "0x0202" is not followed by a list'],
    ['a type byte alone', '0x02', 'transaction: "0x02" is not followed by a list'],
    [
      'an envelope within a byte string',
      encodeData(encodeRlp(decodeData(raw))),
      'transaction: "0xb8" is not a known transaction type',
    ],
    ['a byte after the end', `${raw}00`, 'bytes have 1 trailing bytes'],
    ['a missing last byte', raw.slice(0, -2) as Hex, 'declares more bytes than remain'],
    ['a missing field', envelope(2, items.slice(1)), 'an array of 11 does not have the 9 fields of type eip1559 (12'],
    [
      'an extra field',
      envelope(2, [...items, word(1n)]),
      'an array of 13 does not have the 9 fields of type eip1559 (12',
    ],
    ['the fields of another type', `0x01${raw.slice(4)}`, 'does not have the 8 fields of type eip2930 (11'],
    ['a leading zero', replaced(1, bytes('0001')), 'transaction.nonce: "0x0001" has leading zeros'],
    ['a zero as a byte', replaced(1, bytes('00')), 'transaction.nonce: "0x00" has leading zeros'],
    ['a list for a number', replaced(1, []), 'transaction.nonce: an array of 0 is not a byte string'],
    ['bytes for a list', replaced(8, bytes('')), 'transaction.accessList: 0 bytes is not a list'],
    ['19 bytes for an address', replaced(5, bytes('35'.repeat(19))), '" is not 20 bytes long'],
    ['21 bytes for an address', replaced(5, bytes('35'.repeat(21))), '" is not 20 bytes long'],
    [
      'an access entry of three',
      replaced(8, [[decodeData(to), [], []]]),
      'transaction.accessList[0]: an array of 3 does not',
    ],
    ['parity 2', replaced(9, bytes('02')), 'transaction.yParity: 2 is neither 0 nor 1'],
    ['v 27 for the parity', replaced(9, bytes('1b')), 'transaction.yParity: 27 is neither 0 nor 1'],
    ['r of 0', replaced(10, bytes('')), 'transaction.r: 0 is not between 1 and n − 1'],
    ['r of n', replaced(10, word(order)), 'is not between 1 and n − 1'],
    ['s of 0', replaced(11, bytes('')), 'transaction.s: 0 is not between 1 and n − 1'],
    ['the high s', replaced(11, word(order - 1n)), 'is above n/2: only the low s is accepted'],
    ['r of 33 bytes', replaced(10, bytes(`01${'00'.repeat(32)}`)), 'does not fit uint256'],
  ])('%s', (_, raw, error) => {
    expect(() => decodeTransaction(raw)).toThrow(error)
    expect(() => decodeTransaction(raw)).toThrow(ValueError)
  })

  test('a delegation without a recipient', () => {
    const items = itemsOf(signTransaction(eip7702, key)).with(5, bytes(''))
    expect(() => decodeTransaction(envelope(4, items))).toThrow('transaction.to: "0x" is not 20 bytes long')
  })

  test.each<[string, number, Uint8Array]>([
    ['a chain id of 33 bytes', 0, bytes(`01${'00'.repeat(32)}`)],
    ['an address of 21 bytes', 1, bytes('35'.repeat(21))],
    ['a nonce of 2^64', 2, bytes(`01${'00'.repeat(8)}`)],
    ['a parity of 2^8', 3, bytes('0100')],
    ['an r of 33 bytes', 4, bytes(`01${'00'.repeat(32)}`)],
    ['an s of 33 bytes', 5, bytes(`01${'00'.repeat(32)}`)],
    ['a parity with a leading zero', 3, bytes('0001')],
  ])('an authorization with %s', (_, index, item) => {
    const tuple = [bytes('01'), decodeData(to), bytes(''), bytes(''), word(1n), word(1n)].with(index, item)
    expect(() => decodeTransaction(withTuple(tuple))).toThrow(ValueError)
    expect(() => decodeTransaction(withTuple(tuple))).toThrow('transaction.authorizationList[0].')
  })

  test('lists nested too deeply', () => {
    let item: RlpItem = []
    for (let i = 1; i < 64; i++) item = [item]
    const payload = encodeRlp(item)
    const header = Uint8Array.of(0xf8, payload.length)
    expect(() => decodeTransaction(encodeData(concatBytes(header, payload)))).toThrow('is nested deeper than 64 levels')
  })

  test.each([encodeTransaction(eip1559), encodeTransaction({ ...legacy, chainId: 1n })])(
    'an unsigned transaction where a signature is needed: %s',
    raw => {
      expect(decodeTransaction(raw).signature).toBeUndefined()
      expect(() => recoverTransaction(raw)).toThrow('is not signed')
      expect(() => hashTransaction(raw)).toThrow('is not signed')
    },
  )
})

describe('a blob transaction in its network form', () => {
  // For a blob of zeros, the commitment and the proofs are the point at infinity.
  const blob = new Uint8Array(131_072)
  const point = bytes(`c0${'00'.repeat(47)}`)
  const hash = encodeData(sha256(point).fill(1, 0, 1))
  const transaction: Eip4844Transaction = {
    ...eip1559,
    to,
    type: 'eip4844',
    maxFeePerBlobGas: 1n,
    blobVersionedHashes: [hash],
  }
  const raw = signTransaction(transaction, key)
  const items = itemsOf(raw)
  const cellProofs = Array.from({ length: 128 }, () => point)

  test.each<[string, Hex]>([
    ['proofs of blobs', envelope(3, [items, [blob], [point], [point]])],
    ['proofs of cells', envelope(3, [items, bytes('01'), [blob], [point], cellProofs])],
  ])('with %s has the hash and sender of the transaction without its sidecar', (_, network) => {
    expect(decodeTransaction(network)).toEqual(decodeTransaction(raw))
    expect(hashTransaction(network)).toBe(hashTransaction(raw))
    expect(recoverTransaction(network)).toBe(addressOfPrivateKey(key))
  })

  test.each<[string, RlpItem, string]>([
    ['no sidecar', [items], 'transaction.sidecar: an array of 0 is not a sidecar'],
    ['no proofs', [items, [blob], [point]], 'transaction.sidecar: an array of 2 is not a sidecar'],
    ['an extra item', [items, bytes('01'), [blob], [point], cellProofs, []], 'an array of 5 is not a sidecar'],
    ['version 2', [items, bytes('02'), [blob], [point], cellProofs], 'transaction.sidecar.version: 2 is not a known'],
    ['version 0', [items, bytes(''), [blob], [point], [point]], 'transaction.sidecar.version: 0 is not a known'],
    ['two blobs', [items, [blob, blob], [point], [point]], 'transaction.sidecar.blobs: an array of 2 does not have 1'],
    ['a short blob', [items, [point], [point], [point]], 'is not 131072 bytes long'],
    [
      'a short proof',
      [items, [blob], [point], [bytes('c0')]],
      'transaction.sidecar.proofs[0]: "0xc0" is not 48 bytes long',
    ],
    ['too few proofs', [items, bytes('01'), [blob], [point], [point]], 'proofs: an array of 1 does not have 128'],
    ['another commitment', [items, [blob], [point.with(47, 1)], [point]], 'does not match the hash in the transaction'],
  ])('is refused with %s', (_, item, error) => {
    expect(() => decodeTransaction(envelope(3, item))).toThrow(error)
  })

  test('is refused with a hash of another version', () => {
    const blobVersionedHashes = [hash.replace('0x01', '0x02') as Hex]
    expect(() => signTransaction({ ...transaction, blobVersionedHashes }, key)).toThrow(
      'is not a blob hash of version 1',
    )
  })
})
