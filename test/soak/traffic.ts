/**
 * The clients of a soak. A quarter of the topics has no subscriber, so their messages expire. Another quarter has a
 * subscriber that is offline half of the time. The others have permanent subscribers. All clients reconnect after a
 * crash of the relay.
 */
import { createHash } from 'node:crypto'
import type { Wire } from '../bench/wire.ts'
import { createLastingConnection, type LastingConnection } from './connection.ts'
import { createLedger, type Ledger } from './ledger.ts'

const GROUPS = ['staying', 'staying', 'visiting', 'absent'] as const
const GROUP_TOPICS = 10
/** Milliseconds between two bursts of the writers. */
const BURST = 10
/** Ids of publishes are above this number. */
const FIRST_ID = 1_778_000_000_000_000
/** Seeds of readers' keys are above this number. */
const READERS = 100

type Topic = { name: string; index: number; ledger: Ledger }
type Group = {
  kind: (typeof GROUPS)[number]
  topics: readonly Topic[]
  writer: LastingConnection
  reader: LastingConnection
}

const between = (text: string, before: string, after: string): string => {
  const start = text.indexOf(before) + before.length
  return text.slice(start, text.indexOf(after, start))
}

const request = (id: number, method: string, params: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ id: FIRST_ID + id, jsonrpc: '2.0', method, params })

/**
 * Starts publishing `rate` messages of `bytes` bytes per second, with a ttl in seconds. Some subscribers connect and
 * disconnect every `visit` ms.
 */
export const startTraffic = (options: {
  port: () => number
  rate: number
  bytes: number
  ttl: number
  visit: number
}) => {
  const { port, rate, bytes, ttl, visit } = options
  const filling = 'x'.repeat(bytes)
  const topics: readonly Topic[] = Array.from({ length: GROUPS.length * GROUP_TOPICS }, (_, index) => ({
    name: createHash('sha256').update(`soak ${index}`).digest('hex'),
    index,
    ledger: createLedger(ttl * 1000),
  }))
  const byName = new Map(topics.map(topic => [topic.name, topic]))
  /** Calls without a response, by id. */
  const sent = new Map<number, { ledger: Ledger; number: number }>()
  let lastId = 0
  let refused = 0

  const onAnswer = (frame: string): void => {
    const id = Number(between(frame, '"id":', ',')) - FIRST_ID
    const publish = sent.get(id)
    sent.delete(id)
    if (frame.includes('"result":true')) publish?.ledger.accept(publish.number)
    else refused += 1
  }
  const onPush = (frame: string, wire: Wire): void => {
    if (!frame.includes('"method":')) return
    const number = Number(between(frame, '"message":"', ' '))
    byName.get(between(frame, '"topic":"', '"'))?.ledger.deliver(number)
    wire.send(`{"id":${between(frame, '"id":', ',')},"jsonrpc":"2.0","result":true}`)
  }

  const groups: readonly Group[] = GROUPS.map((kind, at) => {
    const own = topics.slice(at * GROUP_TOPICS, (at + 1) * GROUP_TOPICS)
    const subscribe = (wire: Wire): void => {
      for (const { name } of own) wire.send(request(0, 'relay_subscribe', { topic: name }))
    }
    return {
      kind,
      topics: own,
      writer: createLastingConnection({ port, seed: at + 1, onFrame: onAnswer }),
      reader: createLastingConnection({ port, seed: READERS + at, onOpen: subscribe, onFrame: onPush }),
    }
  })

  const publish = (index: number): void => {
    const topic = topics[index % topics.length]
    const wire = groups[Math.floor((index % topics.length) / GROUP_TOPICS)]?.writer.wire()
    if (!topic || !wire) return
    const number = topic.ledger.publish()
    lastId += 1
    sent.set(lastId, { ledger: topic.ledger, number })
    wire.send(
      request(lastId, 'relay_publish', { topic: topic.name, message: `${number} ${filling}`.slice(0, bytes), ttl }),
    )
  }

  for (const { kind, writer, reader } of groups) {
    writer.open()
    if (kind !== 'absent') reader.open()
  }
  const visitors = groups.filter(({ kind }) => kind === 'visiting')
  let isVisiting = true
  const visiting = setInterval(() => {
    isVisiting = !isVisiting
    for (const { reader } of visitors) isVisiting ? reader.open() : reader.close()
  }, visit)

  const startedAt = performance.now()
  let index = 0
  const writing = setInterval(() => {
    const due = ((performance.now() - startedAt) * rate) / 1000
    for (; index < due; index++) publish(index)
  }, BURST)

  const sum = (of: (ledger: Ledger) => number, among: readonly Topic[] = topics): number =>
    among.reduce((total, { ledger }) => total + of(ledger), 0)
  const read = groups.filter(({ kind }) => kind !== 'absent').flatMap(({ topics: own }) => own)

  return {
    stopWriting: () => {
      clearInterval(writing)
      clearInterval(visiting)
      if (!isVisiting) for (const { reader } of visitors) reader.open()
      for (const { kind, reader } of groups) if (kind === 'absent') reader.open()
    },
    /** Returns the number of accepted messages that can still be delivered. */
    missing: () => sum(ledger => ledger.missing()),
    /** Returns sums over all topics. `lost` and `expired` count only messages that had subscribers. */
    report: () => ({
      published: sum(({ counts }) => counts.published),
      accepted: sum(({ counts }) => counts.accepted),
      delivered: sum(({ counts }) => counts.delivered),
      refused,
      lost: sum(ledger => ledger.lost(), read),
      expired: sum(ledger => ledger.expired(), read),
      outOfOrder: sum(({ counts }) => counts.outOfOrder),
      late: sum(({ counts }) => counts.late),
    }),
    stop: () => {
      clearInterval(writing)
      clearInterval(visiting)
      for (const { writer, reader } of groups) {
        writer.close()
        reader.close()
      }
    },
  }
}
