import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { concatBytes, randomBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decodeEnvelope,
  deriveSymKey,
  openEnvelope,
  sealEnvelope,
  sealEnvelopeFrom,
  x25519PublicKey,
} from './envelope.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const text = fc.string({ unit: 'binary' })

test('type 0 round-trips', () => {
  fc.assert(
    fc.property(bytes(32), text, (key, text) => {
      expect(openEnvelope(decodeEnvelope(sealEnvelope(text, key)), key)).toBe(text)
    }),
  )
})

test('type 1 round-trips between two key pairs', () => {
  fc.assert(
    fc.property(bytes(32), bytes(32), text, (sender, receiver, text) => {
      const sent = sealEnvelopeFrom(text, deriveSymKey(sender, x25519PublicKey(receiver)), x25519PublicKey(sender))
      const envelope = decodeEnvelope(sent)
      if (envelope.type !== 1) throw new Error('type 1 was sealed')
      expect(openEnvelope(envelope, deriveSymKey(receiver, envelope.senderPublicKey))).toBe(text)
    }),
    { numRuns: 20 },
  )
})

test('sealing the same text twice gives different envelopes', () => {
  const key = randomBytes(32)
  expect(sealEnvelope('text', key)).not.toBe(sealEnvelope('text', key))
})

test('refuses any altered envelope', () => {
  const key = randomBytes(32)
  const sealed = base64.decode(sealEnvelope('{"id":1}', key))
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const altered = sealed.map((byte, i) => (i === at ? byte ^ change : byte))
      expect(() => openEnvelope(decodeEnvelope(base64.encode(altered)), key)).toThrow(/^envelope: /)
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
      expect(() => openEnvelope(decodeEnvelope(text), new Uint8Array(32))).toThrow(/^envelope: /)
    }),
  )
})

test('refuses contents that are not UTF-8', () => {
  const key = new Uint8Array(32)
  const iv = new Uint8Array(12)
  const sealed = chacha20poly1305(key, iv).encrypt(Uint8Array.of(0xc3))
  const envelope = decodeEnvelope(base64.encode(concatBytes(Uint8Array.of(0), iv, sealed)))
  expect(() => openEnvelope(envelope, key)).toThrow('cannot be decrypted')
})
