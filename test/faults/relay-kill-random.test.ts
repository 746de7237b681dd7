/**
 * A relay that is killed at random moments, twice in each round: during publishes and acknowledgements, and during the
 * delivery of stored messages. Acknowledged publishes are always delivered, in order, not after their ttl, and not
 * again after a durable acknowledgement.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Random, randomFrom } from '../support/random.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'
import { runSeed } from '../support/seed.ts'
import { NO_REDELIVERY, type Server, startServer } from '../support/server.ts'

const ROUNDS = 4
const [ANN, ZOE, BEN, CID] = [1, 2, 3, 4] as const
/** Calls of each writer, and how many of them may be in flight. */
const CALLS = 80
const IN_FLIGHT = 12
const BATCH = 4
/** Number of acknowledgements after which a reader waits until they are durable. */
const SURE = 8
/** Maximum milliseconds between the event that triggers a kill and the kill. */
const LATEST = 6

let folder: string
let relay: Server
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-kill-'))
  await start()
})
afterAll(async () => {
  await relay.stop()
  await rm(folder, { recursive: true })
})

const start = async (): Promise<void> => {
  relay = await startServer('relay-server', { dataDir: folder, args: NO_REDELIVERY })
}

/** Resolves at the tick with this number. */
const countdown = (count: number) => {
  let left = count
  let arrive = (): void => undefined
  const reached = new Promise<void>(resolve => {
    arrive = resolve
  })
  const tick = (): void => {
    left -= 1
    if (left === 0) arrive()
  }
  return { tick, reached }
}

const killAt = async (moment: Promise<void>, random: Random): Promise<void> => {
  await moment
  await pause(random(LATEST))
  await relay.stop('SIGKILL')
  await start()
}

/** Returns a round's topics. Ben is online and reads; Cid has subscribed and is offline. */
const topicsOf = (round: number) => {
  const topic = (kind: string) => `${kind} ${round} ${runSeed}`
  return { live: topic('live'), away: topic('away'), batches: topic('batches'), brief: topic('brief') }
}
type Topics = ReturnType<typeof topicsOf>

/** One call of a writer: messages for one topic, and the time of the response if it has arrived. */
type Call = { topic: string; messages: readonly string[]; ttl: number; answeredAt?: number }

const send = async (client: RelayClient, call: Call): Promise<void> => {
  const [message] = call.messages
  const publications = call.messages.map(text => ({ topic: call.topic, message: text, ttl: call.ttl }))
  const { result } =
    publications.length === 1
      ? await client.call('relay_publish', { topic: call.topic, message, ttl: call.ttl })
      : await client.call('relay_batchPublish', { messages: publications })
  expect(result).toBe(true)
  call.answeredAt = Date.now()
}

const callsOf = (writer: string, { live, away, batches, brief }: Topics, random: Random): Call[] =>
  Array.from({ length: CALLS }, (_, index) => {
    const one = [`${writer} ${index}`]
    const many = Array.from({ length: BATCH }, (_, part) => `${writer} ${index} ${part}`)
    const kinds: readonly [Call, ...Call[]] = [
      { topic: live, messages: one, ttl: 300 },
      { topic: away, messages: one, ttl: 300 },
      { topic: batches, messages: many, ttl: 300 },
      { topic: brief, messages: one, ttl: 1 },
    ]
    return kinds[random(kinds.length)] ?? kinds[0]
  })

/**
 * Makes the calls in order, several at a time. Never resolves if the relay is killed before it has responded to all.
 */
const write = async (client: RelayClient, calls: readonly Call[], onAnswer: () => void): Promise<void> => {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let call = calls[next++]; call; call = calls[next++]) {
      await send(client, call)
      onAnswer()
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
}

/** Messages that one connection received, by topic, and the messages whose acknowledgement is durable. */
type Reading = { got: Map<string, string[]>; sure: Set<string> }

/** Subscribes and reads until the relay is killed. Acknowledges `share` of every four messages. */
const read = async (
  seed: number,
  topics: readonly string[],
  { random, share, onMessage }: { random: Random; share: number; onMessage: (topic: string, text: string) => void },
): Promise<Reading> => {
  const client = await connectRelay(relay.url, seed)
  const got = new Map<string, string[]>(topics.map(topic => [topic, []]))
  const sure = new Set<string>()
  const acknowledged: string[] = []

  /** Makes the socket's earlier frames durable by publishing after them. */
  const makeSure = async (): Promise<void> => {
    const before = [...acknowledged]
    const message = `${seed} ${before.length}`
    const { result } = await client.call('relay_publish', { topic: `sure of ${topics[0]}`, message, ttl: 60 })
    if (result === true) for (const text of before) sure.add(text)
  }
  const take = async (): Promise<void> => {
    for (;;) {
      const push = await client.push()
      const { topic, message } = push.params.data
      got.get(topic)?.push(message)
      if (random(4) < share) {
        client.acknowledge(push)
        if (acknowledged.push(`${topic}: ${message}`) % SURE === 0) void makeSure()
      }
      onMessage(topic, message)
    }
  }
  for (const topic of topics) await client.call('relay_subscribe', { topic })
  void take()
  return { got, sure }
}

/** Subscribes Cid to the topics and disconnects it. */
const visit = async (seed: number, topics: readonly string[]): Promise<void> => {
  const client = await connectRelay(relay.url, seed)
  for (const topic of topics) await client.call('relay_subscribe', { topic })
  await client.close()
}

const END = 'the end'

/** Publishes a last message to each topic and reads until these arrive, after all stored messages. */
const readToEnd = async (seed: number, topics: readonly string[], random: Random): Promise<Reading> => {
  const ends = countdown(topics.length)
  const onMessage = (_: string, text: string) => {
    if (text === END) ends.tick()
  }
  const reading = await read(seed, topics, { random, share: 4, onMessage })
  const writer = await connectRelay(relay.url, ANN)
  for (const topic of topics) await send(writer, { topic, messages: [END], ttl: 300 })
  await ends.reached
  await writer.close()
  return reading
}

/** Compares the messages that a reader got from each relay process with the published messages. */
const checkReadings = (topic: string, readings: readonly Reading[], calls: readonly Call[]): void => {
  const lists = readings.map(({ got }) => got.get(topic)?.filter(text => text !== END) ?? [])
  const all = new Set(lists.flat())
  const published = calls.filter(call => call.topic === topic)

  const answered = published.filter(call => call.answeredAt !== undefined).flatMap(({ messages }) => messages)
  expect(answered.filter(text => !all.has(text))).toEqual([])
  for (const { messages } of published)
    expect([0, messages.length]).toContain(messages.filter(text => all.has(text)).length)

  for (const [life, list] of lists.entries()) {
    expect(new Set(list).size).toBe(list.length)
    for (const writer of ['ann', 'zoe']) {
      const inOrder = published.flatMap(({ messages }) => messages).filter(text => text.startsWith(writer))
      const present = new Set(list)
      expect(list.filter(text => text.startsWith(writer))).toEqual(inOrder.filter(text => present.has(text)))
    }
    for (const earlier of readings.slice(0, life))
      expect(list.filter(text => earlier.sure.has(`${topic}: ${text}`))).toEqual([])
    for (const other of lists.slice(0, life))
      expect(list.filter(text => other.includes(text))).toEqual(other.filter(text => list.includes(text)))
  }
}

const playRound = async (round: number): Promise<void> => {
  const random = randomFrom(runSeed + round)
  const topics = topicsOf(round)
  const { live, away, batches, brief } = topics
  const [ann, zoe] = [callsOf('ann', topics, random), callsOf('zoe', topics, random)]
  const calls = [...ann, ...zoe]
  const ignore = (): void => undefined

  // Ann and Zoe write, Ben reads, and Cid is offline. The relay is killed meanwhile.
  await visit(CID, [away, batches, brief])
  const ben = [await read(BEN, [live], { random, share: 3, onMessage: ignore })]
  const answers = countdown(1 + random(calls.length - 1))
  void write(await connectRelay(relay.url, ANN), ann, answers.tick)
  void write(await connectRelay(relay.url, ZOE), zoe, answers.tick)
  await killAt(answers.reached, random)
  const over = Date.now() + 1000

  // The writers repeat calls that got no response, as clients do. A message that is already stored is not stored twice.
  for (const [seed, own] of [[ANN, ann] as const, [ZOE, zoe] as const]) {
    const client = await connectRelay(relay.url, seed)
    const unanswered = own.filter(call => call.topic === away && call.answeredAt === undefined)
    await Promise.all(unanswered.map(call => send(client, call)))
    await client.close()
  }

  // Ben and Cid read the stored messages, and the relay is killed meanwhile.
  const kept = calls.filter(({ topic }) => topic === away).length
  const pushes = countdown(1 + random(kept))
  ben.push(await read(BEN, [live], { random, share: 2, onMessage: ignore }))
  const onMessage = (topic: string) => {
    if (topic === away) pushes.tick()
  }
  const cid = [await read(CID, [away, batches], { random, share: 2, onMessage })]
  await killAt(pushes.reached, random)

  // All remaining messages are read, after the brief ones have expired.
  while (Date.now() <= over) await pause(over - Date.now() + 1)
  ben.push(await readToEnd(BEN, [live], random))
  const last = await readToEnd(CID, [away, batches, brief], random)
  cid.push(last)

  checkReadings(live, ben, calls)
  checkReadings(away, cid, calls)
  checkReadings(batches, cid, calls)
  expect(last.got.get(brief)).toEqual([END])
}

test.each(Array.from({ length: ROUNDS }, (_, round) => round))(`round %i of FUZZ_SEED=${runSeed}`, playRound)
