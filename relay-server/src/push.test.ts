import { relayPrefixes } from '@heliograph/shared/wire/relay-methods'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from './mailbox.ts'
import { readHead, readMessage, roomFor, writeRecord } from './message-record.ts'
import { encodePush, type PushTarget, pushHead } from './push.ts'

/** Any text. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '☀', '😀') }),
)
const v2 = relayPrefixes.filter(prefix => prefix !== 'relay')

const frameOf = (pushId: number, target: PushTarget, message: Message): string =>
  encodePush(pushId, pushHead(target), target.prefix, message)

/** Where a record begins in its chunk. */
const AT = 100

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
        const json = JSON.stringify(said)
        const size = Buffer.byteLength(json)
        const message: Message = {
          seq: 2 ** 40 + 7,
          topic,
          publisher: 'did:key:zAnn',
          message: json,
          publishedAt: 1_800_000_000_000,
          expiresAt: 1_800_000_300_000,
          tag,
          attestation: proof,
          size,
        }
        const { seq, publisher, expiresAt } = message
        const bytes = Buffer.alloc(AT + roomFor(message))
        const end = writeRecord(bytes, AT, message, isOpen)
        expect(readHead(bytes, AT)).toEqual({ seq, topic, publisher, expiresAt, size, isOpen, end })
        expect(readMessage(bytes, AT)).toEqual(message)
        expect(JSON.parse(frameOf(12, { id: 'ab', topic, prefix }, readMessage(bytes, AT)))).toEqual({
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
  const message: Message = {
    seq: 1,
    topic: 't',
    publisher: 'socket:1',
    message: '"m"',
    tag: 1,
    attestation: '',
    publishedAt: 1,
    expiresAt: 2,
    size: 3,
  }
  expect(frameOf(5, { id: 'ab', topic: 't', prefix: 'relay' }, message)).toBe(
    '{"id":5,"jsonrpc":"2.0","method":"relay_subscription","params":{"id":"ab","data":{"topic":"t","message":"m"}}}',
  )
})
