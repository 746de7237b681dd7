/** Measures how long hanging receivers delay another receiver at the same IP address, on a fake clock. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parseRange } from '../limits/addresses.ts'
import { sharesOf } from '../limits/shares.fixture.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createLog } from '../process/log.ts'
import type { Content } from './content.ts'
import { createWebhookJournal } from './journal.ts'
import { createPost } from './post.ts'
import type { Answered } from './public-fetch.ts'
import { openWebhookQueue } from './queue.ts'
import type { CallId, CallStore } from './store.ts'

const HANGING = 40
/**
 * Milliseconds: a hanging call gives up its connection after 1500, and a call without a
 * connection tries again within 500.
 */
const LONGEST_DELAY = 2000

const quick = vi.hoisted((): { calledAt: number | undefined } => ({ calledAt: undefined }))

// Hosts other than quick.example hang until their call is aborted.
vi.mock('./public-fetch.ts', async original => ({
  ...(await original<object>()),
  postTo: ({ url }: { url: URL }, signal: AbortSignal) =>
    new Promise<Answered>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      if (url.hostname !== 'quick.example') return
      quick.calledAt = Date.now()
      resolve({ status: 200, body: '' })
    }),
}))

const callsInMemory = (): CallStore => {
  const contents = new Map<CallId, Content>()
  let lastId = 0
  return {
    load: () => undefined,
    newId: () => ++lastId,
    add: async (id, _, content) => {
      contents.set(id, content)
      return true
    },
    update: () => undefined,
    remove: id => void contents.delete(id),
    contentOf: id => contents.get(id),
  }
}

const openQueue = () => {
  const { post, close } = createPost({
    rules: { allow: [parseRange('192.0.2.1')] },
    resolve: async () => ['192.0.2.1'],
    key: { did: 'did:key:z6Mk', publicKey: '', sign: () => Buffer.alloc(64) },
    timeoutMs: 100_000,
  })
  const queue = openWebhookQueue({
    store: callsInMemory(),
    log: createLog('test', 'silent'),
    outcomes: createMetrics().counter('webhook_calls_total', 'Calls', 'outcome'),
    journal: createWebhookJournal(),
    post,
    limits: { calls: 100, targetCalls: 100, bytes: 100_000 },
    shares: sharesOf(),
    onUnwanted: () => undefined,
  })
  const add = (host: string) =>
    queue.add({ url: `https://${host}/`, registration: host, key: host, content: { topic: 'a' } })
  return {
    add,
    close: () => {
      queue.close()
      close()
    },
  }
}

beforeEach(() => {
  quick.calledAt = undefined
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: 1_000_000 })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const moments = [0, 700, 1499, 1501, 5000, 20_000]
const randoms = [0, 0.5, 0.999_999]
test.each(moments.flatMap(later => randoms.map(random => ({ later, random }))))(
  'a receiver is called within two seconds, $later ms after forty others began to hang (random numbers: $random)',
  async ({ later, random }) => {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    const { add, close } = openQueue()
    for (let index = 0; index < HANGING; index++) await add(`hanging-${index}.example`)
    await vi.advanceTimersByTimeAsync(later)
    const from = Date.now()
    await add('quick.example')
    while (quick.calledAt === undefined) await vi.advanceTimersToNextTimerAsync()
    expect(quick.calledAt - from).toBeLessThanOrEqual(LONGEST_DELAY)
    close()
  },
)
