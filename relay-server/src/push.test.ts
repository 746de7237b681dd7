import { relayPrefixes } from '@heliograph/shared/wire/relay-methods'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeLine, decodeMessage, encodeRecord } from './mailbox-record.ts'
import { encodePush } from './push.ts'

/** Any text, halves of surrogate pairs included. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '☀', '\ud800', '\udc00') }),
)
const v2 = relayPrefixes.filter(prefix => prefix !== 'relay')

test('any message comes out of its record and its frame as it went in', () => {
  fc.assert(
    fc.property(
      text,
      text,
      text,
      fc.nat(),
      fc.boolean(),
      fc.constantFrom(...v2),
      (topic, said, proof, tag, isOpen, prefix) => {
        const line = {
          topic,
          publisher: 'did:key:zAnn' as const,
          waiting: ['did:key:zBen' as const],
          isOpen,
          expiresAt: 1_800_000_300_000,
          digest: 2 ** 30 - 1,
        }
        const message = {
          seq: 7,
          message: JSON.stringify(said),
          tag,
          attestation: proof,
          publishedAt: 1_800_000_000_000,
        }
        const bytes = encodeRecord(line, message)
        expect(decodeLine(bytes)).toEqual({ ...line, size: Buffer.byteLength(message.message) })
        expect(decodeMessage(7, bytes)).toEqual(message)
        expect(JSON.parse(encodePush(12, { id: 'ab', topic, prefix }, decodeMessage(7, bytes)))).toEqual({
          id: 12,
          jsonrpc: '2.0',
          method: `${prefix}_subscription`,
          params: {
            id: 'ab',
            data: { topic, message: said, publishedAt: 1_800_000_000_000, tag, attestation: proof },
          },
        })
      },
    ),
  )
})

test('the interface’s own prefix carries its own fields only', () => {
  const message = { seq: 1, message: '"m"', tag: 1, attestation: '', publishedAt: 1 }
  expect(encodePush(5, { id: 'ab', topic: 't', prefix: 'relay' }, message)).toBe(
    '{"id":5,"jsonrpc":"2.0","method":"relay_subscription","params":{"id":"ab","data":{"topic":"t","message":"m"}}}',
  )
})
