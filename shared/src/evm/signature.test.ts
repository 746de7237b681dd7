import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOfKey, parseSignature, recoverAddress, serializeSignature, sign } from './signature.ts'

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const key = new Uint8Array(32).fill(7)
const hash = new Uint8Array(32).fill(9)

test('recovers the signer, and signatures round-trip through 65 bytes', () => {
  fc.assert(
    fc.property(bytes32, fc.uint8Array({ minLength: 31, maxLength: 31 }), (hash, digits) => {
      const key = Uint8Array.of(1, ...digits)
      const signature = sign(hash, key)
      expect(signature.s * 2n < order).toBe(true)
      expect(parseSignature(serializeSignature(signature))).toEqual(signature)
      expect(recoverAddress(hash, signature)).toBe(addressOfKey(key))
    }),
  )
})

test('the same hash and key give the same signature', () => {
  expect(sign(hash, key)).toEqual(sign(hash, key))
})

test('accepts v as 0 and 1 as well as 27 and 28', () => {
  const text = serializeSignature(sign(hash, key))
  const parity = parseSignature(text).yParity
  expect(parseSignature(`${text.slice(0, -2)}0${parity}`)).toEqual(parseSignature(text))
})

test('refuses a signature with a high s', () => {
  const { r, s, yParity } = sign(hash, key)
  expect(() => recoverAddress(hash, { r, s: order - s, yParity: yParity === 0 ? 1 : 0 })).toThrow('only the low s')
})

test('refuses an r that is not the x coordinate of a curve point', () => {
  expect(() => recoverAddress(hash, { r: 5n, s: 1n, yParity: 0 })).toThrow(
    expect.objectContaining({ message: 'signature.r: 5 does not belong to any public key' }),
  )
})

test.each([0, 31, 33, 64])('a hash of %i bytes is refused', length => {
  const wrong = new Uint8Array(length)
  const message = `hash: ${length} bytes is not a hash of 32 bytes`
  expect(() => sign(wrong, key)).toThrow(expect.objectContaining({ message: message }))
  expect(() => recoverAddress(wrong, { r: 1n, s: 1n, yParity: 0 })).toThrow(
    expect.objectContaining({ message: message }),
  )
})

test.each([
  ['no bytes', new Uint8Array()],
  ['31 bytes', new Uint8Array(31).fill(1)],
  ['33 bytes', new Uint8Array(33).fill(1)],
  ['zero', new Uint8Array(32)],
  ['2^256 - 1', new Uint8Array(32).fill(255)],
])('refuses a key of %s without quoting it', (_, wrong) => {
  const error = expect.objectContaining({
    message: 'private key: is not 32 bytes that hold a number between 1 and n − 1',
  })
  expect(() => sign(hash, wrong)).toThrow(error)
  expect(() => addressOfKey(wrong)).toThrow(error)
})
