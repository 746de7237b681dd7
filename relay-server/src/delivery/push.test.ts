import { relayPrefixes } from '@heliograph/shared/wire/relay-methods'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Accepted, Message } from '../mailbox/mailbox.ts'
import { readHead, readMessage, roomFor, textIn, writeMessage } from '../mailbox/message-record.ts'
import { createPushWriter, type PushTarget, pushHead } from './push.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '☀', '😀') }),
)
const v2 = relayPrefixes.filter(prefix => prefix !== 'relay')

/** Returns the text of a message: a string if the message was read, bytes if it was accepted. */
const textOf = (message: Message | Accepted) => ('entry' in message ? (message.entry as Buffer) : message.json)
const write = createPushWriter(1, textOf)

const frameOf = (pushId: number, target: PushTarget, message: Message | Accepted): string =>
  String(write(pushId, pushHead(target), target.prefix, message))

/** Push ids: integers of 15 digits. */
const ids = fc.integer({ min: 10 ** 14, max: 10 ** 15 - 1 })

/** Offset of a record in its chunk. */
const AT = 100

test('any message round-trips through its record and its frame', () => {
  fc.assert(
    fc.property(
      text,
      text,
      text,
      fc.nat(),
      fc.boolean(),
      fc.constantFrom(...v2),
      ids,
      (topic, said, proof, tag, isOpen, prefix, id) => {
        const json = JSON.stringify(said)
        const size = Buffer.byteLength(json)
        const message: Message = {
          seq: 2 ** 40 + 7,
          topic,
          publisher: 'did:key:zAnn',
          json,
          publishedAt: 1_800_000_000_000,
          expiresAt: 1_800_000_300_000,
          tag,
          attestation: proof,
          size,
        }
        const { seq, publisher, expiresAt, json: _, ...rest } = message
        const bytes = Buffer.alloc(AT + roomFor(message, json))
        const payload = { bytes, start: AT, end: AT + writeMessage(bytes, AT, message, json, isOpen) }
        expect(readHead(payload)).toEqual({ seq, topic, publisher, expiresAt, size, isOpen })
        expect(readMessage(payload)).toEqual(message)
        const frame = JSON.stringify({
          id,
          jsonrpc: '2.0',
          method: `${prefix}_subscription`,
          params: {
            id: 'ab',
            data: { topic, message: said, publishedAt: 1_800_000_000_000, tag, attestation: proof },
          },
        })
        const accepted = { ...rest, seq, publisher, expiresAt, entry: textIn(payload) }
        for (const one of [readMessage(payload), accepted])
          expect(frameOf(id, { id: 'ab', topic, prefix }, one)).toBe(frame)
      },
    ),
  )
})

const messageOf = (json: string): Message => ({
  seq: 1,
  topic: 't',
  publisher: 'socket:1',
  json,
  tag: 1,
  attestation: '',
  publishedAt: 1,
  expiresAt: 2,
  size: Buffer.byteLength(json),
})

test('relay_ pushes have the documented fields only', () => {
  expect(frameOf(100_000_000_000_005, { id: 'ab', topic: 't', prefix: 'relay' }, messageOf('"m"'))).toBe(
    '{"id":100000000000005,"jsonrpc":"2.0","method":"relay_subscription","params":{"id":"ab","data":{"topic":"t","message":"m"}}}',
  )
})

test('a frame contains no bytes of the previous frame, whatever their lengths', () => {
  const target: PushTarget = { id: 'ab', topic: 't', prefix: 'relay' }
  for (const length of [10, 20_000, 30, 5000, 20_000, 100_000, 1]) {
    const text = 'x'.repeat(length)
    const frame = JSON.parse(frameOf(2 * 10 ** 14, target, messageOf(JSON.stringify(text))))
    expect(frame.params.data.message === text).toBe(true)
  }
})

test('with several buffers, each frame has its own message and subscription, in any order', () => {
  const writeMany = createPushWriter(2, textOf)
  const messages = ['"a"', '"b"', '"☀"', `"${'x'.repeat(5000)}"`].map(messageOf)
  const targets = ['ab', 'cd', 'longer'].flatMap(id =>
    relayPrefixes.map((prefix): PushTarget => ({ id, topic: 't', prefix })),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...messages), fc.constantFrom(...targets), ids)), pushes => {
      for (const [message, target, id] of pushes)
        expect(String(writeMany(id, pushHead(target), target.prefix, message))).toBe(frameOf(id, target, message))
    }),
  )
})

test('returns no frame for a message without text, and correct frames afterwards', () => {
  const target: PushTarget = { id: 'ab', topic: 't', prefix: 'irn' }
  const { json: _, ...gone } = messageOf('"gone"')
  const before = frameOf(10 ** 14, target, messageOf('"m"'))
  expect(write(10 ** 14, pushHead(target), target.prefix, { ...gone, entry: undefined })).toBeUndefined()
  expect(frameOf(10 ** 14, target, messageOf('"m"'))).toBe(before)
})
