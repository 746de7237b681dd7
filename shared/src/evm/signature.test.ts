import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeData, type Hex } from './hex.ts'
import { addressOfPrivateKey, decodeSignature, encodeSignature, recoverAddress, sign } from './signature.ts'

const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(encodeData)
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const key = new Uint8Array(32).fill(7)
/** A signature with v 27, without the checks of `encodeSignature`. */
const signatureOf = (r: bigint, s: bigint): Hex =>
  `0x${[r, s].map(part => part.toString(16).padStart(64, '0')).join('')}1b`
const hash: Hex = `0x${'09'.repeat(32)}`

test('recovers the signer, and signatures round-trip through 65 bytes', () => {
  fc.assert(
    fc.property(hashes, fc.uint8Array({ minLength: 31, maxLength: 31 }), (hash, digits) => {
      const key = Uint8Array.of(1, ...digits)
      const signature = sign(hash, key)
      expect(decodeSignature(signature).s * 2n < order).toBe(true)
      expect(encodeSignature(decodeSignature(signature))).toBe(signature)
      expect(recoverAddress(hash, signature)).toBe(addressOfPrivateKey(key))
    }),
  )
})

test('the same hash and key give the same signature', () => {
  expect(sign(hash, key)).toEqual(sign(hash, key))
})

test('accepts v as 0 and 1 as well as 27 and 28', () => {
  const text = sign(hash, key)
  const parity = decodeSignature(text).yParity
  expect(decodeSignature(`${text.slice(0, -2)}0${parity}`)).toEqual(decodeSignature(text))
})

test('refuses a signature with a high s', () => {
  const { r, s, yParity } = decodeSignature(sign(hash, key))
  const high = { r, s: order - s, yParity: yParity === 0 ? 1 : 0 } as const
  expect(() => encodeSignature(high)).toThrow('only the low s')
  expect(() => recoverAddress(hash, signatureOf(high.r, high.s))).toThrow('only the low s')
})

test('refuses an r that is not the x coordinate of a curve point', () => {
  expect(() => recoverAddress(hash, signatureOf(5n, 1n))).toThrow(
    expect.objectContaining({ message: 'signature.r: 5 does not belong to any public key' }),
  )
})

test.each([0, 31, 33, 64])('a hash of %i bytes is refused', length => {
  const wrong: Hex = `0x${'00'.repeat(length)}`
  const message = expect.stringMatching(/^hash: "0x0*"?…? is not a hash of 32 bytes$/)
  expect(() => sign(wrong, key)).toThrow(expect.objectContaining({ message: message }))
  expect(() => recoverAddress(wrong, signatureOf(1n, 1n))).toThrow(expect.objectContaining({ message: message }))
})

test.each([
  ['no bytes', new Uint8Array()],
  ['31 bytes', new Uint8Array(31).fill(1)],
  ['33 bytes', new Uint8Array(33).fill(1)],
  ['zero', new Uint8Array(32)],
  ['2^256 - 1', new Uint8Array(32).fill(255)],
])('refuses a key of %s without quoting it', (_, wrong) => {
  const error = expect.objectContaining({
    message: 'private key: must be 32 bytes, a number between 1 and n − 1 (n: the order of secp256k1)',
  })
  expect(() => sign(hash, wrong)).toThrow(error)
  expect(() => addressOfPrivateKey(wrong)).toThrow(error)
})
