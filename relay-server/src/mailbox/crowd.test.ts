import type { Payers } from '@heliograph/shared/server/limits/shares'
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTemporaryMailbox, type TemporaryMailbox } from '../temporary-mailbox.fixture.ts'
import { inboxOf } from './inboxes.ts'
import type { Client } from './mailbox.ts'
import { publication } from './mailbox-store.fixture.ts'
import { crowdOf, entryOf } from './topic.ts'
import { createTopicIndex } from './topic-index.ts'

const shares = sharesOf()
const [one, two] = ['192.0.2.1', '192.0.2.2'].map(address => shares.accountOf('address', address).alone)
const payersOf = (who: boolean): Payers => (who ? one : two) ?? []

let temporary: TemporaryMailbox
beforeEach(async () => {
  temporary = await openTemporaryMailbox({ topicMessages: 4000 })
})
afterEach(() => temporary.remove())

test('publishing on a crowded topic does not visit the payers of all other messages', async () => {
  const { mailbox } = temporary
  let looks = 0
  const payers = new Proxy(payersOf(true), {
    get: (accounts, name) => {
      looks += 1
      return Reflect.get(accounts, name)
    },
  })
  const publish = (text: string, by: Payers) => mailbox.append('did:key:zAnn', [publication(text)], by).commit.durable
  for (let count = 0; count < 2000; count++) await publish(`${count}`, payers)
  await publish('the first of another address', payersOf(false))
  looks = 0
  for (let count = 0; count < 100; count++) await publish(`other ${count}`, payersOf(false))
  expect(looks).toBe(0)
  expect(() => publish('one more', payers)).toThrow(
    'a topic holds at most 2000 messages of one address (topic-messages)',
  )
})

/** A step that adds or removes a message or a client, charged to one of two addresses. */
const step = fc.record({
  kind: fc.constantFrom('enter', 'leave', 'enroll', 'charge', 'strike'),
  who: fc.boolean(),
  at: fc.nat(8),
  size: fc.integer({ min: 1, max: 50 }),
})

test('a crowd that is kept up to date equals a new count', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const index = createTopicIndex(0, sharesOf())
      const topic = index.topicOf('t')
      index.attach('t', 'something, so that the topic stays')
      crowdOf(topic)
      let seq = 0
      for (const { kind, who, at, size } of steps) {
        const payers = payersOf(who)
        const client: Client = `did:key:z${at}`
        const inbox = inboxOf(topic, client)
        const entry = topic.entries[at]
        if (kind === 'enter') {
          seq += 1
          index.enter(entryOf({ seq, publisher: 'did:key:z', expiresAt: 1, size, isOpen: false }, topic, payers))
        } else if (kind === 'leave' && entry) index.leave(entry)
        else if (kind === 'enroll' && !inbox) index.enroll(client, topic, seq, 0, payers)
        else if (kind === 'charge' && inbox) index.charge(topic, inbox, payers)
        else if (kind === 'strike') index.strike(client, topic)
      }
      const kept = crowdOf(topic)
      topic.crowd = undefined
      expect(kept).toEqual(crowdOf(topic))
    }),
  )
})
