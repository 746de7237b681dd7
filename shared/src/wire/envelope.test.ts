import { randomBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeEnvelope, deriveSymKey, open, publicKeyOf, seal, sealFrom } from './envelope.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const text = fc.string({ unit: 'binary' })

test('type 0 round-trips', () => {
  fc.assert(
    fc.property(bytes(32), text, (key, text) => {
      expect(open(key, decodeEnvelope(seal(key, text)))).toBe(text)
    }),
  )
})

test('type 1 round-trips between two key pairs', () => {
  fc.assert(
    fc.property(bytes(32), bytes(32), text, (sender, receiver, text) => {
      const sent = sealFrom(publicKeyOf(sender), deriveSymKey(sender, publicKeyOf(receiver)), text)
      const envelope = decodeEnvelope(sent)
      if (envelope.type !== 1) throw new Error('type 1 was sealed')
      expect(open(deriveSymKey(receiver, envelope.senderPublicKey), envelope)).toBe(text)
    }),
    { numRuns: 20 },
  )
})

test('sealing the same text twice gives different envelopes', () => {
  const key = randomBytes(32)
  expect(seal(key, 'text')).not.toBe(seal(key, 'text'))
})

test('refuses any altered envelope', () => {
  const key = randomBytes(32)
  const sealed = base64.decode(seal(key, '{"id":1}'))
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const altered = sealed.map((byte, i) => (i === at ? byte ^ change : byte))
      expect(() => open(key, decodeEnvelope(base64.encode(altered)))).toThrow(/^envelope: /)
    }),
  )
})

test('only throws ValueError', () => {
  const any = fc.oneof(
    text,
    fc.uint8Array({ maxLength: 100 }).map(bytes => base64.encode(bytes)),
  )
  fc.assert(
    fc.property(any, text => {
      expect(() => open(new Uint8Array(32), decodeEnvelope(text))).toThrow(/^envelope: /)
    }),
  )
})

test('refuses contents that are not UTF-8', () => {
  const key = new Uint8Array(32)
  const sealed = base64.decode(seal(key, 'é', new Uint8Array(12)))
  expect(() => open(key, decodeEnvelope(base64.encode(sealed.subarray(0, -1))))).toThrow('cannot be decrypted')
})
