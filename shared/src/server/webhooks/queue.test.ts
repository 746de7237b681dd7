import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sharesOf } from '../limits/shares.fixture.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { createLog } from '../process/log.ts'
import { disk } from '../storage/failing-disk.fixture.ts'
import { openStore, type Store } from '../storage/store.ts'
import type { QueueLimits } from './call-ledger.ts'
import type { Content } from './content.ts'
import { createWebhookJournal, type WebhookJournal } from './journal.ts'
import type { Outcome } from './post.ts'
import { openWebhookQueue, type WebhookQueue } from './queue.ts'
import { openCallStore } from './store.ts'

vi.mock('node:fs', async original => (await import('../storage/failing-disk.fixture.ts')).failingDisk(await original()))

const DAY = 24 * 60 * 60 * 1000
const roomy: QueueLimits = { calls: 100, targetCalls: 100, bytes: 100_000 }

/** A started call, which the test completes. */
type Begun = { url: string; attempt: number; content: Content; end: (outcome: Outcome) => Promise<void> }

let folder: string
let store: Store
let metrics: Metrics
let journal: WebhookJournal
let queue: WebhookQueue
let begun: Begun[]
let unwanted: string[]

const open = (limits = roomy, shares = sharesOf()): void => {
  store = openStore(folder)
  metrics = createMetrics()
  journal = createWebhookJournal()
  begun = []
  unwanted = []
  queue = openWebhookQueue({
    store: openCallStore(store, createLog('test', 'silent')),
    log: createLog('test', 'silent'),
    journal,
    outcomes: metrics.counter('webhook_calls_total', 'Calls', 'outcome'),
    limits,
    shares,
    post: ({ url, attempt }, content) =>
      new Promise(resolve => {
        const end = async (outcome: Outcome): Promise<void> => {
          resolve({ outcome, ...(outcome === 'failed' && { status: 503 }) })
          await vi.advanceTimersByTimeAsync(0)
        }
        begun.push({ url, attempt, content, end })
      }),
    onUnwanted: (content, url) => unwanted.push(`${JSON.stringify(content)} ${url}`),
  })
}

const close = async (): Promise<void> => {
  queue.close()
  await store.close()
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'queue-'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_000_000 })
  open()
})
afterEach(async () => {
  await close()
  vi.useRealTimers()
  await rm(folder, { recursive: true })
})

const add = (topic: string, origin = 'https://a.example'): Promise<unknown> => {
  const url = `${origin}/hook`
  return queue.add({ url, registration: `${url} ${topic}`, key: `${url} ${topic}`, content: { topic } })
}

const topics = (calls: readonly Begun[]): unknown[] => calls.map(({ content }) => 'topic' in content && content.topic)
const last = (): Begun => {
  const call = begun.at(-1)
  if (!call) throw new Error('no call was begun')
  return call
}
/** Advances time until one more call has started. */
const nextCall = async (): Promise<void> => {
  const before = begun.length
  while (begun.length === before) await vi.advanceTimersToNextTimerAsync()
}
const outcomes = async (): Promise<string[]> =>
  (await metrics.text())
    .split('\n')
    .flatMap(line => line.match(/^heliograph_webhook_calls_total\{outcome="(.*)$/)?.[1] ?? [])

test('each message is a separate call up to a limit, and queued calls cover further messages', async () => {
  for (let publish = 0; publish < 30; publish++) await add('a')
  expect(topics(begun)).toEqual(['a', 'a', 'a', 'a'])
  expect(queue.size()).toBe(4 + 16)
  for (let at = 0; at < 20; at++) await begun[at]?.end('delivered')
  expect(begun).toHaveLength(20)
  expect(queue.size()).toBe(0)
})

test('simultaneous messages are separate calls', async () => {
  await Promise.all([add('a'), add('a'), add('b'), add('a')])
  expect(topics(begun)).toEqual(['a', 'a', 'b', 'a'])
})

test('an event is reported once, even if added repeatedly', async () => {
  const told = {
    url: 'https://a.example/hook',
    registration: 'r',
    key: 'r accepted',
    content: { claims: { act: 'x' } },
  }
  for (let origin = 0; origin < 4; origin++) await add('busy', 'https://a.example')
  for (let again = 0; again < 5; again++) await queue.add(told)
  expect(queue.size()).toBe(5)
})

test('a failed call covers all earlier and later calls with the same content', async () => {
  for (let publish = 0; publish < 7; publish++) await add('a')
  for (const call of begun.slice(0, 4)) await call.end('failed')
  for (let publish = 0; publish < 3; publish++) await add('a')
  expect(queue.size()).toBe(1)
  await nextCall()
  await last().end('delivered')
  expect([begun.length, queue.size()]).toEqual([5, 0])
})

test('a call that cannot be stored is not made, and later calls still are', async () => {
  disk.left = 0
  await add('a')
  disk.left = Number.POSITIVE_INFINITY
  expect([begun.length, queue.size()]).toEqual([0, 0])
  await add('a')
  expect(topics(begun)).toEqual(['a'])
})

test('retries after pauses that double up to ten minutes, with jitter', async () => {
  await add('a')
  const pauses: number[] = []
  for (let attempt = 0; attempt < 14; attempt++) {
    expect(last().attempt).toBe(attempt)
    const failedAt = Date.now()
    await last().end(attempt % 2 === 0 ? 'failed' : 'unreachable')
    await nextCall()
    pauses.push(Date.now() - failedAt)
  }
  for (const [attempt, pause] of pauses.entries()) {
    const longest = Math.min(1000 * 2 ** attempt, 600_000)
    expect(pause).toBeGreaterThanOrEqual(Math.floor(longest / 2))
    expect(pause).toBeLessThanOrEqual(longest)
  }
  expect(new Set(pauses.slice(-4)).size).toBeGreaterThan(1)
})

test('messages add no calls to a topic whose call is queued for a retry, and other topics are not affected', async () => {
  await add('a')
  await last().end('failed')
  await add('a')
  await add('b')
  expect(topics(begun)).toEqual(['a', 'b'])
  await nextCall()
  expect(topics(begun)).toEqual(['a', 'b', 'a'])
  expect(last().attempt).toBe(1)
})

test('a failing call replaces a queued one with the same content, and is retried after its pause', async () => {
  for (let publish = 0; publish < 5; publish++) await add('a')
  const [first, ...others] = begun
  await first?.end('failed')
  for (const call of others) await call.end('delivered')
  expect([begun.length, queue.size()]).toEqual([4, 1])
  await vi.advanceTimersByTimeAsync(1000)
  expect(begun.map(({ attempt }) => attempt)).toEqual([0, 0, 0, 0, 1])
  await last().end('delivered')
  expect(queue.size()).toBe(0)
})

test('drops a call after three days of failures and reports the registration as unwanted', async () => {
  await add('a')
  const startedAt = Date.now()
  while (Date.now() - startedAt < 3 * DAY) {
    await last().end('unreachable')
    await nextCall()
  }
  expect(unwanted).toEqual([])
  await last().end('unreachable')
  expect(unwanted).toEqual(['{"topic":"a"} https://a.example/hook'])
  expect(queue.size()).toBe(0)
  const made = begun.length
  await vi.advanceTimersByTimeAsync(DAY)
  expect(begun).toHaveLength(made)
})

test.each([
  ['delivered', []],
  ['refused', []],
  ['blocked', []],
  ['gone', ['{"topic":"a"} https://a.example/hook']],
] as const)('%s is final', async (outcome, named) => {
  await add('a')
  await last().end(outcome)
  await vi.advanceTimersByTimeAsync(DAY)
  expect([queue.size(), begun.length, unwanted]).toEqual([0, 1, named])
  await close()
  open()
  expect(begun).toEqual([])
})

test('a target that keeps refusing is called less often, with one call for all messages in between', async () => {
  for (let publish = 0; publish < 6; publish++) {
    await add('a')
    await last().end('refused')
  }
  expect(begun).toHaveLength(6)
  for (let publish = 0; publish < 10; publish++) await add('a')
  await add('b')
  expect(topics(begun.slice(6))).toEqual(['b'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(topics(begun.slice(7))).toEqual(['a'])
  await last().end('delivered')
  await add('a')
  expect(begun).toHaveLength(9)
})

test('queued calls are made after a restart and keep their attempt count', async () => {
  await add('a')
  await last().end('failed')
  await add('b', 'https://b.example')
  await queue.add({ url: 'https://c.example/', registration: 'c', key: 'c', content: { claims: { evt: 'é' } } })
  await close()
  open()
  expect(begun.map(({ url, content }) => [url, content])).toEqual([
    ['https://b.example/hook', { topic: 'b' }],
    ['https://c.example/', { claims: { evt: 'é' } }],
  ])
  await vi.advanceTimersByTimeAsync(1000)
  expect(last()).toMatchObject({ url: 'https://a.example/hook', attempt: 1, content: { topic: 'a' } })
  await add('d', 'https://d.example')
  expect(queue.size()).toBe(4)
})

test('drops the calls of a cancelled registration, also on disk', async () => {
  for (let publish = 0; publish < 5; publish++) await add('a')
  await add('b')
  queue.cancel('https://a.example/hook a')
  expect(queue.size()).toBe(5)
  for (const call of begun.slice(0, 4)) await call.end('failed')
  expect(topics(begun)).toEqual(['a', 'a', 'a', 'a', 'b'])
  expect(queue.size()).toBe(1)
  await close()
  open()
  expect(topics(begun)).toEqual(['b'])
})

test('queued calls stay separate after a restart until one fails', async () => {
  for (let publish = 0; publish < 4; publish++) await add('a')
  await close()
  open()
  expect([begun.length, queue.size()]).toEqual([4, 4])
  for (const call of [...begun]) await call.end('failed')
  await close()
  open()
  expect([begun.length, queue.size()]).toEqual([0, 1])
  await nextCall()
  await last().end('delivered')
  expect(queue.size()).toBe(0)
  await close()
  open()
  expect(begun).toEqual([])
})

test('a busy address delays a call without counting an attempt', async () => {
  await add('a')
  await last().end('busy')
  expect(queue.size()).toBe(1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(begun.map(({ attempt }) => attempt)).toEqual([0, 0])
  await last().end('delivered')
  expect(await outcomes()).toEqual(['delivered"} 1'])
})

test.each([
  ['calls', { ...roomy, calls: 3 }],
  ['calls of a target', { ...roomy, targetCalls: 3 }],
  ['bytes', { ...roomy, bytes: 400 }],
] as const)('calls over the limit of %s are dropped and counted, and there is room again later', async (_, limits) => {
  await close()
  open(limits)
  for (const topic of ['a', 'b', 'c', 'd', 'e']) await add(topic)
  expect(queue.size()).toBe(3)
  expect(await outcomes()).toEqual(['dropped"} 2'])
  for (const call of begun.slice(0, 3)) await call.end('delivered')
  await add('f')
  expect(queue.size()).toBe(1)
})

test('reports each result and the number of queued calls to the journal', async () => {
  await Promise.all([add('a'), add('b')])
  const [a, b] = begun
  vi.setSystemTime(Date.now() + 40)
  await a?.end('failed')
  const [failing] = journal.states()
  expect(failing).toMatchObject({
    origin: 'https://a.example',
    state: 'retrying',
    attempt: 0,
    waiting: 2,
    lastStatus: 503,
  })
  expect(failing?.retryAt).toBeGreaterThan(Date.now())
  await b?.end('refused')
  expect(journal.states()).toMatchObject([{ state: 'refusing', waiting: 1, retryAt: undefined, lastStatus: undefined }])
  await nextCall()
  await last().end('delivered')
  expect(journal.states().map(journal.report)).toMatchObject([
    { state: 'delivering', attempt: 1, waiting: 0, delivered: 1, firstTry: 0 },
  ])
  expect(journal.delivered()).toBe(1)
})

test('limits the queue of a target to a share until it has responded', async () => {
  await close()
  open({ ...roomy, targetCalls: 5 }, sharesOf({ calls: 2 }))
  const add = (key: string, url = 'https://silent.example/') =>
    queue.add({ url, registration: key, key, content: { topic: key } })
  for (const key of ['a', 'b', 'c']) await add(key)
  expect(queue.size()).toBe(2)
  await add('d', 'https://other.example/')
  expect(queue.size()).toBe(3)
  await begun[0]?.end('failed')
  for (const key of ['e', 'f', 'g', 'h']) await add(key)
  expect(queue.size()).toBe(6)
})

test('limits a registrant to its share of the queue, over all its targets, without displacing others', async () => {
  await close()
  const shares = sharesOf({ calls: 2 })
  open(roomy, shares)
  const payers = shares.accountOf('address', '192.0.2.1').alone
  for (let index = 0; index < 5; index++)
    await queue.add({
      url: `https://target${index}.example/`,
      registration: `${index}`,
      key: `${index}`,
      content: { topic: 't' },
      payers,
    })
  expect(queue.size()).toBe(2)
  await queue.add({ url: 'https://honest.example/', registration: 'h', key: 'h', content: { topic: 'h' } })
  expect(queue.size()).toBe(3)
})
