import { createTally } from '@heliograph/shared/server/transfer/tally'
import { expect, test } from 'vitest'
import type { StoredMessage } from '../mailbox/contents.ts'
import type { Client } from '../mailbox/mailbox.ts'
import { livingContents } from './relay-transfer.ts'

const [ann, ben]: Client[] = ['did:key:zAnn', 'did:key:zBen']
const NOW = 1_000_000
const patience = { subscriptionMs: 1000, unusedMs: 10 }
const kinds = ['topics', 'messages', 'bytes', 'subscriptions']

const message = (seq: number, more: Partial<StoredMessage>): StoredMessage => ({
  ...{ topic: 't', json: '"x"', size: 3, tag: 0, attestation: '', seq, publisher: 'socket:1', publishedAt: 0 },
  ...{ expiresAt: NOW + 1, isOpen: false, waiting: [ann as Client], ...more },
})

const live = async (seenAt: number, isUsed: boolean, messages: StoredMessage[]) => {
  const tally = createTally(kinds)
  const clients = [
    { client: ann as Client, seenAt, isUsed },
    { client: ben as Client, seenAt: NOW, isUsed: true },
  ]
  const contents = livingContents({ topic: 't', clients, messages }, patience, NOW, tally)
  const kept: StoredMessage[] = []
  for await (const one of contents.messages) kept.push(one)
  return { clients: contents.clients.map(({ client }) => client), kept, lines: tally.lines() }
}

test('leaves out expired messages', async () => {
  const { kept, lines } = await live(NOW, true, [message(1, { expiresAt: NOW }), message(2, {})])
  expect(kept.map(({ seq }) => seq)).toEqual([2])
  expect(lines).toEqual(['1 topics', '1 messages', '3 bytes', '2 subscriptions', 'expired and left out: 1 messages'])
})

test.each([
  [NOW - 1000, true, true],
  [NOW - 1001, true, false],
  [NOW - 10, false, true],
  [NOW - 11, false, false],
])('a client last seen at %i, used %s, is kept: %s', async (seenAt, isUsed, isKept) => {
  expect((await live(seenAt, isUsed, [])).clients).toEqual(isKept ? [ann, ben] : [ben])
})

test('a message that waited only for an inactive client is left out, others wait for the rest', async () => {
  const messages = [
    message(1, {}),
    message(2, { waiting: [ann as Client, ben as Client] }),
    message(3, { isOpen: true }),
  ]
  const { kept } = await live(0, true, messages)
  expect(kept.map(({ seq, waiting }) => [seq, waiting])).toEqual([
    [2, [ben]],
    [3, []],
  ])
})
