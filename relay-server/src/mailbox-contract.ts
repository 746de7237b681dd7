/**
 * What every mailbox must do, store by store: the ten rules, first by example, then against a model that keeps them in
 * the plainest way. A store proves itself by `describeMailbox(name, open)` in its own test file.
 */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { wide } from './limits.fixture.ts'
import type { Client, Mailbox, MailboxLimits, Message, Publication, Taken } from './mailbox.ts'
import { createModel } from './mailbox-model.fixture.ts'

/** Opens the mailbox on what the previous opening left behind; `close` ends it as a stop of the process would. */
export type OpenMailbox = (
  limits: MailboxLimits,
  now: () => number,
) => Promise<{ mailbox: Mailbox; close: () => Promise<void> }>
/** A store of its own, empty at first. */
export type MakeStore = () => Promise<{ open: OpenMailbox; remove: () => Promise<void> }>

const ann: Client = 'did:key:zAnn'
const ben: Client = 'did:key:zBen'
const cat: Client = 'did:key:zCat'
const socket: Client = 'socket:1'
const other: Client = 'socket:2'
const third: Client = 'socket:3'

const TOPIC = 'a topic'
const START = 1_800_000_000_000
const roomy: MailboxLimits = {
  topicMessages: 1000,
  topicBytes: 1_000_000,
  topicClients: 100,
  clientTopics: 100,
  ...wide,
}

const publication = (message: string, more: Partial<Publication> = {}): Publication => ({
  topic: TOPIC,
  message: JSON.stringify(message),
  size: Buffer.byteLength(JSON.stringify(message)),
  ttl: 300,
  tag: 0,
  attestation: '',
  ...more,
})

const texts = (messages: readonly Message[]): string[] => messages.map(({ message }) => JSON.parse(message))

const client = fc.constantFrom(ann, ben, cat, socket, other)
const topic = fc.constantFrom(TOPIC, 'another')
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('publish' as const),
      client,
      topic,
      text: fc.constantFrom('a', 'b', 'c'),
      ttl: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('subscribe' as const), client, topic }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('acknowledge' as const), client, topic, index: fc.nat(2) }) },
  fc.record({ do: fc.constant('unsubscribe' as const), client, topic }),
  fc.record({ do: fc.constant('wait' as const), milliseconds: fc.nat(2000) }),
  fc.record({ do: fc.constant('sweep' as const) }),
  fc.record({ do: fc.constant('restart' as const) }),
)

/** Runs every rule on a store. */
export const describeMailbox = (name: string, makeStore: MakeStore): void => {
  describe(`mailbox on ${name}`, () => {
    let store: Awaited<ReturnType<MakeStore>>
    let opened: Awaited<ReturnType<OpenMailbox>>
    let time = START

    const open = async (limits: MailboxLimits = roomy): Promise<void> => {
      opened = await store.open(limits, () => time)
    }
    const restart = async (limits: MailboxLimits = roomy): Promise<void> => {
      await opened.close()
      await open(limits)
    }
    const append = async (publisher: Client, ...publications: Publication[]): Promise<readonly Taken[]> => {
      const { taken, safe } = opened.mailbox.append(publisher, publications)
      await safe
      return taken.flatMap(one => one ?? [])
    }
    const publish = (publisher: Client, message: string, more: Partial<Publication> = {}) =>
      append(publisher, publication(message, more))
    const subscribe = (reader: Client, topic = TOPIC) => opened.mailbox.subscribe(reader, topic)
    const read = (reader: Client, after = 0, limit = 1000): Promise<readonly Message[]> =>
      opened.mailbox.read(reader, TOPIC, after, limit)
    const waiting = async (reader: Client) => texts(await read(reader))
    const acknowledge = async (reader: Client, message: string): Promise<void> => {
      const found = (await read(reader)).find(one => JSON.parse(one.message) === message)
      if (found) await opened.mailbox.acknowledge(reader, TOPIC, found.seq)
    }

    beforeEach(async () => {
      time = START
      store = await makeStore()
      await open()
    })
    afterEach(async () => {
      await opened.close()
      await store.remove()
    })

    test('the clients of a topic are those that subscribed and have not unsubscribed', async () => {
      const { mailbox } = opened
      expect([...mailbox.clients(TOPIC)]).toEqual([])
      for (const reader of [ann, ben, socket]) await subscribe(reader)
      await mailbox.unsubscribe(ben, TOPIC)
      expect([...mailbox.clients(TOPIC)].toSorted()).toEqual([ann, socket].toSorted())
    })

    test('rule 1: what was accepted is there after a restart, letter for letter', async () => {
      const message = 'quotes " \\ and \n, é, ☀, 😀'
      await subscribe(ben)
      await publish(ann, message, { tag: 1108, attestation: 'a"b' })
      await restart()
      const [stored] = await read(ben)
      expect(stored).toMatchObject({
        message: JSON.stringify(message),
        tag: 1108,
        attestation: 'a"b',
        publishedAt: START,
      })
    })

    test('rule 1: nothing is handed out before it is safe', async () => {
      await subscribe(ben)
      const accepted = publish(ann, 'm')
      expect(await waiting(ben)).toEqual([])
      await accepted
      expect(await waiting(ben)).toEqual(['m'])
    })

    test('rule 2: a message waits for every recipient known when it was published, and for no later one', async () => {
      await subscribe(ben)
      await subscribe(cat)
      await restart()
      await publish(ann, 'm')
      await subscribe('did:key:zLate')
      expect([await waiting(ben), await waiting(cat), await waiting('did:key:zLate')]).toEqual([['m'], ['m'], []])
    })

    test('rule 2: with no recipient known, it waits for the first other client that subscribes, and it alone', async () => {
      await subscribe(ann)
      await publish(ann, 'm')
      await subscribe(ben)
      await restart()
      await subscribe(cat)
      expect([await waiting(ben), await waiting(cat)]).toEqual([['m'], []])
    })

    test('rules 2 and 6: what a named client and a socket wait for is nobody else’s, but the next socket’s', async () => {
      await subscribe(ben)
      await subscribe(socket)
      await publish(ann, 'm')
      await opened.mailbox.unsubscribe(socket, TOPIC)
      await subscribe(cat)
      await subscribe(other)
      expect([await waiting(ben), await waiting(cat), await waiting(other)]).toEqual([['m'], [], ['m']])
    })

    test('rule 3: an acknowledgement is one recipient’s; with the last one the message leaves the store', async () => {
      await subscribe(ben)
      await subscribe(cat)
      await publish(ann, 'm')
      await acknowledge(ben, 'm')
      await restart()
      expect([await waiting(ben), await waiting(cat)]).toEqual([[], ['m']])
      await acknowledge(cat, 'm')
      expect(opened.mailbox.size()).toMatchObject({ messages: 0, bytes: 0 })
      await restart()
      expect(opened.mailbox.size()).toMatchObject({ messages: 0, bytes: 0 })
    })

    test('rule 3: a message is over to the millisecond when its ttl is, and its room comes back', async () => {
      await subscribe(ben)
      await publish(ann, 'm', { ttl: 7 })
      await publish(ann, 'n', { ttl: 8 })
      time += 6999
      expect(await waiting(ben)).toEqual(['m', 'n'])
      time += 1
      expect(await waiting(ben)).toEqual(['n'])
      opened.mailbox.sweep()
      expect(opened.mailbox.size()).toMatchObject({ messages: 1, bytes: 3 })
      time += 1000
      await restart()
      expect(await waiting(ben)).toEqual([])
      opened.mailbox.sweep()
      expect(opened.mailbox.size()).toMatchObject({ messages: 0, bytes: 0 })
    })

    test('rule 4: nothing comes back to the client that published it', async () => {
      await subscribe(ann)
      await publish(ann, 'alone')
      await subscribe(ann)
      await subscribe(ben)
      await publish(ann, 'in company')
      await restart()
      await subscribe(ann)
      expect([await waiting(ann), await waiting(ben)]).toEqual([[], ['alone', 'in company']])
    })

    test('rule 5: messages are read in the order of publishing, page by page, and not again once acknowledged', async () => {
      await subscribe(cat)
      const sent = Array.from({ length: 25 }, (_, index) => `m${index}`)
      for (const [index, message] of sent.entries()) await publish(index % 2 === 0 ? ann : ben, message)
      const first = await read(cat, 0, 10)
      const second = await read(cat, first.at(-1)?.seq, 10)
      const last = await read(cat, second.at(-1)?.seq, 10)
      expect([first, second, last].flatMap(texts)).toEqual(sent)
      expect(await read(cat, last.at(-1)?.seq)).toEqual([])
      for (const message of sent) if (message !== 'm3') await acknowledge(cat, message)
      await restart()
      expect(await waiting(cat)).toEqual(['m3'])
    })

    test('rule 5: publishing at once keeps the order of the calls', async () => {
      await subscribe(ben)
      const sent = Array.from({ length: 100 }, (_, index) => `m${index}`)
      await Promise.all(sent.map(message => publish(ann, message)))
      expect(await waiting(ben)).toEqual(sent)
    })

    test('rule 6: a live message goes to every socket, and its first acknowledgement keeps it from later ones', async () => {
      await subscribe(socket)
      await subscribe(other)
      await publish(third, 'm')
      expect([await waiting(socket), await waiting(other)]).toEqual([['m'], ['m']])
      await acknowledge(socket, 'm')
      await subscribe(third)
      await subscribe('socket:4')
      expect([await waiting(socket), await waiting(other), await waiting('socket:4')]).toEqual([[], ['m'], []])
      await restart()
      await subscribe('socket:5')
      expect(await waiting('socket:5')).toEqual([])
    })

    test('rule 6: what no socket acknowledged waits for the next one', async () => {
      await subscribe(socket)
      await publish(other, 'm')
      await opened.mailbox.unsubscribe(socket, TOPIC)
      await subscribe(third)
      expect(await waiting(third)).toEqual(['m'])
      await restart()
      await subscribe('socket:4')
      expect(await waiting('socket:4')).toEqual(['m'])
    })

    test('rule 7: the same text by the same client is one message while it waits, and a new one afterwards', async () => {
      await subscribe(cat)
      await Promise.all([publish(ann, 'm'), publish(ann, 'm')])
      await restart()
      await publish(ann, 'm')
      await publish(ben, 'm')
      await publish(ann, 'm', { topic: 'another' })
      expect(await waiting(cat)).toEqual(['m', 'm'])
      await acknowledge(cat, 'm')
      await publish(ann, 'm')
      expect(await waiting(cat)).toEqual(['m', 'm'])
    })

    test('rule 7: a text that has expired may be sent again', async () => {
      await subscribe(ben)
      await publish(ann, 'm', { ttl: 1 })
      time += 1000
      await publish(ann, 'm', { ttl: 1 })
      expect(await waiting(ben)).toEqual(['m'])
    })

    test('rule 8: unsubscribing ends one client’s part on one topic', async () => {
      for (const reader of [ben, cat]) await subscribe(reader)
      await subscribe(ben, 'another')
      await publish(ann, 'm')
      await publish(ann, 'm', { topic: 'another' })
      await opened.mailbox.unsubscribe(ben, TOPIC)
      await restart()
      await publish(ann, 'n')
      expect([await waiting(ben), await waiting(cat)]).toEqual([[], ['m', 'n']])
      expect(texts(await opened.mailbox.read(ben, 'another', 0, 10))).toEqual(['m'])
      await opened.mailbox.unsubscribe(cat, TOPIC)
      expect(opened.mailbox.size().messages).toBe(1)
      await subscribe(ben)
      expect(await waiting(ben)).toEqual([])
    })

    test('rule 9: listeners hear of a message when it is announced, and of one that comes early that it did', async () => {
      const heard: (string | undefined)[] = []
      opened.mailbox.listen((name, read) => heard.push(name, read?.().message))
      const [first, second, third] = (await Promise.all(['a', 'b', 'c'].map(text => publish(ann, text)))).flat()
      expect(heard).toEqual([])
      for (const taken of [first, third, second]) if (taken) opened.mailbox.announce(taken)
      expect(heard.filter(said => said !== undefined)).toEqual([TOPIC, '"a"', TOPIC, TOPIC, '"b"'])
    })

    test('rule 7: a repeat is safe when what it repeats is, and is announced with that', async () => {
      await subscribe(cat)
      const [first, repeat] = await Promise.all([publish(ann, 'm'), publish(ann, 'm')])
      expect([first.length, repeat]).toEqual([1, []])
      expect(await publish(ann, 'm')).toEqual([])
    })

    test.each([
      ['topicMessages', 2, 'a topic holds at most 2 messages (topic-messages)'],
      ['topicBytes', 7, 'a topic holds at most 7 bytes (topic-bytes)'],
    ] as const)('rule 10: %s bounds a topic, and nothing accepted is lost', async (bound, value, text) => {
      await restart({ ...roomy, [bound]: value })
      await subscribe(ben)
      await publish(ann, 'm')
      await publish(ann, 'n')
      await expect(publish(ann, 'o')).rejects.toMatchObject({ code: -32005, message: text })
      await publish(ann, 'o', { topic: 'another' })
      expect(await waiting(ben)).toEqual(['m', 'n'])
      await acknowledge(ben, 'm')
      await publish(ann, 'o')
      expect(await waiting(ben)).toEqual(['n', 'o'])
    })

    test.each([
      ['storeMessages', 2, 'this relay holds at most 2 messages (store-messages)'],
      ['storeBytes', 7, 'this relay holds at most 7 bytes (store-bytes)'],
    ] as const)('rule 10: %s bounds all topics together', async (bound, value, text) => {
      await restart({ ...roomy, [bound]: value })
      await subscribe(ben)
      await publish(ann, 'm')
      await publish(ann, 'n', { topic: 'another' })
      await restart({ ...roomy, [bound]: value })
      await expect(publish(ann, 'o')).rejects.toMatchObject({ code: -32005, message: text })
      await acknowledge(ben, 'm')
      await publish(ann, 'o')
      expect(await waiting(ben)).toEqual(['o'])
    })

    test('rule 10: subscriptions of all clients are bounded', async () => {
      await restart({ ...roomy, subscriptions: 2 })
      await subscribe(ann)
      await subscribe(ben)
      await restart({ ...roomy, subscriptions: 2 })
      await expect(subscribe(cat)).rejects.toMatchObject({
        code: -32005,
        message: 'this relay has at most 2 subscriptions (subscriptions)',
      })
      await subscribe(ben)
      await opened.mailbox.unsubscribe(ann, TOPIC)
      await subscribe(cat)
    })

    test('a client that does not come any more is taken off its topic, one that comes is not', async () => {
      const day = 24 * 60 * 60 * 1000
      await subscribe(ben)
      await subscribe(cat)
      time += 59 * day
      await subscribe(cat)
      await restart()
      time += 2 * day
      await publish(ann, 'm')
      opened.mailbox.sweep()
      expect([await waiting(ben), await waiting(cat)]).toEqual([[], ['m']])
      await restart()
      expect(opened.mailbox.size()).toMatchObject({ messages: 1, subscriptions: 1 })
    })

    test('rule 10: clients of a topic and topics of a client are bounded', async () => {
      await restart({ ...roomy, topicClients: 2, clientTopics: 2 })
      await subscribe(ann)
      await subscribe(ben)
      await subscribe(ben)
      await expect(subscribe(cat)).rejects.toMatchObject({
        code: -32005,
        message: 'a topic has at most 2 clients (topic-clients)',
      })
      await subscribe(ann, 'another')
      await expect(subscribe(ann, 'a third')).rejects.toMatchObject({
        code: -32005,
        message: 'a client has at most 2 topics (client-topics)',
      })
      await opened.mailbox.unsubscribe(ann, TOPIC)
      await subscribe(cat)
      await subscribe(ann, 'a third')
    })

    test('a message that was refused leaves nothing behind', async () => {
      await restart({ ...roomy, topicBytes: 2 })
      await expect(publish(ann, 'm')).rejects.toMatchObject({ code: -32005 })
      expect(opened.mailbox.size()).toEqual({ topics: 0, messages: 0, bytes: 0, subscriptions: 0 })
    })

    test('messages that are published together are stored together, in their order', async () => {
      await subscribe(ben)
      await append(ann, publication('a'), publication('b'), publication('a'))
      await restart()
      expect(await waiting(ben)).toEqual(['a', 'b'])
    })

    test('of messages that are published together none is stored when one is refused', async () => {
      await restart({ ...roomy, topicMessages: 2 })
      await subscribe(ben)
      await publish(ann, 'kept')
      const together = ['kept', 'a', 'b'].map(message => publication(message))
      await expect(append(ann, ...together)).rejects.toMatchObject({ code: -32005 })
      expect(await waiting(ben)).toEqual(['kept'])
      expect(opened.mailbox.size()).toEqual({ topics: 1, messages: 1, bytes: 6, subscriptions: 1 })
      await restart()
      expect(await waiting(ben)).toEqual(['kept'])
    })

    test('any course of events leaves waiting what the rules say', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 50, size: 'max' }), async steps => {
          await opened.close()
          await store.remove()
          store = await makeStore()
          await open()
          const model = createModel()
          for (const one of steps) {
            if (one.do === 'publish') {
              await publish(one.client, one.text, { topic: one.topic, ttl: one.ttl })
              model.publish(one.client, one.topic, one.text, time + one.ttl * 1000, time)
            } else if (one.do === 'subscribe') {
              await subscribe(one.client, one.topic)
              model.subscribe(one.client, one.topic, time)
            } else if (one.do === 'unsubscribe') {
              await opened.mailbox.unsubscribe(one.client, one.topic)
              model.unsubscribe(one.client, one.topic)
            } else if (one.do === 'acknowledge') {
              const messages = await opened.mailbox.read(one.client, one.topic, 0, 100)
              const message = messages[one.index]
              if (message) {
                await opened.mailbox.acknowledge(one.client, one.topic, message.seq)
                model.acknowledge(one.client, one.topic, one.index, time)
              }
            } else if (one.do === 'wait') time += one.milliseconds
            else if (one.do === 'sweep') opened.mailbox.sweep()
            else {
              await restart()
              model.restart()
            }
            for (const reader of [ann, ben, cat, socket, other])
              for (const name of [TOPIC, 'another'])
                expect(texts(await opened.mailbox.read(reader, name, 0, 100))).toEqual(model.read(reader, name, time))
          }
        }),
        { numRuns: 100 },
      )
    })
  })
}
