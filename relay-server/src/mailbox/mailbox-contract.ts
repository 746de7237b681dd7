/**
 * Tests the rules of README.md beside this file, under the same numbers: first by example, then against a minimal
 * model. The test file of each store calls `describeMailbox(name, makeStore)`. Rule 9 is implemented by the methods and
 * tested in test/conformance/relay.test.ts.
 */
import { describe, expect, test } from 'vitest'
import { fuzzCases } from '../../../test/support/fuzz-cases.ts'
import { testCourse } from './mailbox-course.fixture.ts'
import {
  ann,
  ben,
  cat,
  type MakeStore,
  other,
  publication,
  roomy,
  START,
  socket,
  TOPIC,
  texts,
  third,
  useMailbox,
} from './mailbox-store.fixture.ts'

/** Runs the tests of all rules on a store, and this number of generated courses. */
export const describeMailbox = (name: string, makeStore: MakeStore, courses = fuzzCases('mailboxCourses')): void => {
  describe(`mailbox on ${name}`, () => {
    const used = useMailbox(makeStore)
    const { mailbox, restart, pass, append, publish, subscribe, unsubscribe, read, waiting, acknowledge } = used

    test('clients lists the subscribed clients of a topic', async () => {
      expect(await mailbox().clients(TOPIC)).toEqual([])
      for (const reader of [ann, ben, socket]) await subscribe(reader)
      await unsubscribe(ben)
      expect((await mailbox().clients(TOPIC)).toSorted()).toEqual([ann, socket].toSorted())
    })

    test('rule 1: accepted messages survive a restart unchanged', async () => {
      const message = 'quotes " \\ and \n, é, ☀, 😀'
      await subscribe(ben)
      await publish(ann, message, { tag: 1108, attestation: 'a"b' })
      await restart()
      const [stored] = await read(ben)
      expect(stored).toMatchObject({
        json: JSON.stringify(message),
        tag: 1108,
        attestation: 'a"b',
        publishedAt: START,
      })
    })

    test('rule 2: a message waits for the recipients known when it was published, and no later ones', async () => {
      await subscribe(ben)
      await subscribe(cat)
      await restart()
      await publish(ann, 'm')
      await subscribe('did:key:zLate')
      expect([await waiting(ben), await waiting(cat), await waiting('did:key:zLate')]).toEqual([['m'], ['m'], []])
    })

    test('rule 2: without a recipient, it waits for the first other client that subscribes, and only for that one', async () => {
      await subscribe(ann)
      await publish(ann, 'm')
      await subscribe(ben)
      await restart()
      await subscribe(cat)
      expect([await waiting(ben), await waiting(cat)]).toEqual([['m'], []])
    })

    test('rules 2 and 6: a message for a client with a key and a socket goes to no other client except the next socket', async () => {
      await subscribe(ben)
      await subscribe(socket)
      await publish(ann, 'm')
      await unsubscribe(socket)
      await subscribe(cat)
      await subscribe(other)
      expect([await waiting(ben), await waiting(cat), await waiting(other)]).toEqual([['m'], [], ['m']])
    })

    test('rule 3: an acknowledgement counts for one recipient; after the last one the message is removed', async () => {
      await subscribe(ben)
      await subscribe(cat)
      await publish(ann, 'm')
      await acknowledge(ben, 'm')
      await restart()
      expect([await waiting(ben), await waiting(cat)]).toEqual([[], ['m']])
      await acknowledge(cat, 'm')
      expect(mailbox().size()).toMatchObject({ messages: 0, bytes: 0 })
      await restart()
      expect(mailbox().size()).toMatchObject({ messages: 0, bytes: 0 })
    })

    test('rule 3: a cached acknowledger works like acknowledge, also after the client has unsubscribed and returned', async () => {
      for (const reader of [ben, cat]) await subscribe(reader)
      const acknowledge = mailbox().acknowledger(ben, TOPIC)
      const sent = [await publish(ann, 'm'), await publish(ann, 'n')].flat()
      await acknowledge(sent[0]?.seq ?? 0)
      await acknowledge(sent[0]?.seq ?? 0)
      expect([await waiting(ben), await waiting(cat)]).toEqual([['n'], ['m', 'n']])
      await unsubscribe(ben)
      await acknowledge(sent[1]?.seq ?? 0)
      await mailbox().acknowledger(ben, 'nowhere')(1)
      expect(await waiting(cat)).toEqual(['m', 'n'])
      await subscribe(ben)
      const [third] = await publish(ann, 'o')
      expect(await waiting(ben)).toEqual(['o'])
      await acknowledge(third?.seq ?? 0)
      expect([await waiting(ben), await waiting(cat)]).toEqual([[], ['m', 'n', 'o']])
    })

    test('rule 3: a message expires exactly when its ttl ends, and its space is freed', async () => {
      await subscribe(ben)
      await publish(ann, 'm', { ttl: 7 })
      await publish(ann, 'n', { ttl: 8 })
      pass(6999)
      expect(await waiting(ben)).toEqual(['m', 'n'])
      pass(1)
      expect(await waiting(ben)).toEqual(['n'])
      await mailbox().sweep()
      expect(mailbox().size()).toMatchObject({ messages: 1, bytes: 3 })
      pass(1000)
      await restart()
      expect(await waiting(ben)).toEqual([])
      await mailbox().sweep()
      expect(mailbox().size()).toMatchObject({ messages: 0, bytes: 0 })
    })

    test('rule 4: a message is never delivered to its publisher', async () => {
      await subscribe(ann)
      await publish(ann, 'alone')
      await subscribe(ann)
      await subscribe(ben)
      await publish(ann, 'in company')
      await restart()
      await subscribe(ann)
      expect([await waiting(ann), await waiting(ben)]).toEqual([[], ['alone', 'in company']])
    })

    test('rule 5: messages are read in the order of publishing, page by page, and not after acknowledgement', async () => {
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

    test('rule 5: concurrent publishes keep the order of the calls', async () => {
      await subscribe(ben)
      const sent = Array.from({ length: 100 }, (_, index) => `m${index}`)
      await Promise.all(sent.map(message => publish(ann, message)))
      expect(await waiting(ben)).toEqual(sent)
    })

    test('rule 6: a live message goes to every socket, and its first acknowledgement keeps it from later sockets', async () => {
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

    test('rule 6: an unacknowledged message waits for the next socket', async () => {
      await subscribe(socket)
      await publish(other, 'm')
      await unsubscribe(socket)
      await subscribe(third)
      expect(await waiting(third)).toEqual(['m'])
      await restart()
      await subscribe('socket:4')
      expect(await waiting('socket:4')).toEqual(['m'])
    })

    test('rule 7: a repeated publish is the same message while that is stored, and a new one afterwards', async () => {
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

    test('rule 7: distinguishes repeats among many texts with a common start and end', async () => {
      await subscribe(ben)
      const texts = Array.from({ length: 40 }, (_, index) => `${'x'.repeat(60)}${10 + index}${'x'.repeat(60)}`)
      const [last = '', ...others] = texts.toReversed()
      for (const text of others) expect(await publish(ann, text)).toHaveLength(1)
      for (const text of others) expect(await publish(ann, text)).toEqual([])
      await restart()
      for (const text of others) expect(await publish(ann, text)).toEqual([])
      expect(await publish(ann, last)).toHaveLength(1)
      expect(await publish(ann, last)).toEqual([])
    })

    test('rule 7: an expired text may be published again', async () => {
      await subscribe(ben)
      await publish(ann, 'm', { ttl: 1 })
      pass(1000)
      await publish(ann, 'm', { ttl: 1 })
      expect(await waiting(ben)).toEqual(['m'])
    })

    test('rule 8: unsubscribing affects one client and one topic', async () => {
      for (const reader of [ben, cat]) await subscribe(reader)
      await subscribe(ben, 'another')
      await publish(ann, 'm')
      await publish(ann, 'm', { topic: 'another' })
      await unsubscribe(ben)
      await restart()
      await publish(ann, 'n')
      expect([await waiting(ben), await waiting(cat)]).toEqual([[], ['m', 'n']])
      expect(await waiting(ben, 'another')).toEqual(['m'])
      await unsubscribe(cat)
      expect(mailbox().size().messages).toBe(1)
      await subscribe(ben)
      expect(await waiting(ben)).toEqual([])
    })

    test('rule 7: a repeat is durable when the original is, and announced with it', async () => {
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

    test('rule 10: the total of subscriptions is limited', async () => {
      await restart({ ...roomy, subscriptions: 2 })
      await subscribe(ann)
      await subscribe(ben)
      await restart({ ...roomy, subscriptions: 2 })
      await expect(subscribe(cat)).rejects.toMatchObject({
        code: -32005,
        message: 'this relay has at most 2 subscriptions (subscriptions)',
      })
      await subscribe(ben)
      await unsubscribe(ann)
      await subscribe(cat)
    })

    test('an inactive client is unsubscribed, an active one is not', async () => {
      const day = 24 * 60 * 60 * 1000
      await subscribe(ben)
      await subscribe(cat)
      await publish(ann, 'first', { ttl: 1 })
      pass(59 * day)
      await subscribe(cat)
      await restart()
      pass(2 * day)
      await publish(ann, 'm')
      await mailbox().sweep()
      expect([await waiting(ben), await waiting(cat)]).toEqual([[], ['m']])
      // No promise shows when a sweep's removals are done, but the response to a later call does.
      await subscribe(cat)
      await restart()
      expect(mailbox().size()).toMatchObject({ messages: 1, subscriptions: 1 })
    })

    test('a subscription that never had a message ends after a day of inactivity, others stay', async () => {
      const hour = 60 * 60 * 1000
      await subscribe(ben)
      await publish(ann, 'm')
      await subscribe(cat)
      for (let visit = 0; visit < 3; visit++) {
        pass(20 * hour)
        await mailbox().sweep()
        await subscribe(cat)
        await restart()
      }
      expect(mailbox().size()).toMatchObject({ subscriptions: 2 })
      pass(25 * hour)
      await mailbox().sweep()
      expect(mailbox().size()).toMatchObject({ subscriptions: 1 })
      expect(await mailbox().clients(TOPIC)).toEqual([ben])
    })

    test('rule 10: the clients of a topic and the topics of a client are limited', async () => {
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
      await unsubscribe(ann)
      await subscribe(cat)
      await subscribe(ann, 'a third')
    })

    test('a refused message leaves nothing behind', async () => {
      await restart({ ...roomy, topicBytes: 2 })
      await expect(publish(ann, 'm')).rejects.toMatchObject({ code: -32005 })
      expect(mailbox().size()).toEqual({ topics: 0, messages: 0, bytes: 0, subscriptions: 0 })
    })

    test('messages published in one call are stored together and in order', async () => {
      await subscribe(ben)
      await append(ann, publication('a'), publication('b'), publication('a'))
      await restart()
      expect(await waiting(ben)).toEqual(['a', 'b'])
    })

    test('if one of the messages published in one call is refused, none of them is stored', async () => {
      await restart({ ...roomy, topicMessages: 2 })
      await subscribe(ben)
      await publish(ann, 'kept')
      const together = ['kept', 'a', 'b'].map(message => publication(message))
      await expect(append(ann, ...together)).rejects.toMatchObject({ code: -32005 })
      expect(await waiting(ben)).toEqual(['kept'])
      expect(mailbox().size()).toEqual({ topics: 1, messages: 1, bytes: 6, subscriptions: 1 })
      await restart()
      expect(await waiting(ben)).toEqual(['kept'])
    })

    testCourse(used, courses)
  })
}
