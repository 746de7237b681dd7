/**
 * A relay with the heap of the smallest machine in docs/self-hosting.md and every limit reached. `npm run bench:abuse`
 * measures how long its restart takes.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { metricsOf } from '../support/metrics.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'
import { type Server, startServer } from '../support/server.ts'

const HEAP = '--max-old-space-size=256'
/** Memory in bytes of the smallest machine in docs/self-hosting.md, and the part that the relay may use. */
const MEMORY = 1024 ** 3
const MOST_MEMORY = 0.8 * MEMORY
/** Lifetime of a message in seconds, longer than the test takes. */
const TTL = 86_400
/** Timeout in milliseconds for reaching every limit on a busy machine. */
const PATIENCE = 180_000

let folder: string
let relay: Server
let options: string | undefined
beforeEach(async () => {
  options = process.env.NODE_OPTIONS
  process.env.NODE_OPTIONS = HEAP
  folder = await mkdtemp(join(tmpdir(), 'full-bounds-'))
  relay = await start()
})
afterEach(async () => {
  if (options === undefined) delete process.env.NODE_OPTIONS
  else process.env.NODE_OPTIONS = options
  await relay.stop('SIGKILL')
  await rm(folder, { recursive: true })
})

const start = (): Promise<Server> =>
  startServer('relay-server', {
    dataDir: folder,
    args: [
      '--webhook-allow',
      '127.0.0.0/8',
      '--webhook-registration',
      'open',
      '--message-burst',
      '10000000',
      '--log-level',
      'error',
    ],
  })

const resident = async (): Promise<number> =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${relay.pid}/status`, 'utf8'))?.[1]) * 1024

/** Calls with increasing numbers until a call is refused. Resolves with the reason. */
const untilRefused = async (call: (number: number) => Promise<string | undefined>): Promise<string> => {
  for (let number = 1; number < 100_000; number++) {
    const refusal = await call(number)
    if (refusal !== undefined) return refusal
  }
  throw new Error('no call was refused')
}

const names = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`.padEnd(64, 'f'))

/** Subscribes each client to its maximum number of topics. Resolves with the reason of the first refusal. */
const fillSubscriptions = async (): Promise<string> => {
  let client: RelayClient = await connectRelay(relay.url, 1000)
  return untilRefused(async number => {
    const { error } = await client.call('relay_batchSubscribe', { topics: names(`subscribed ${number}`, 500) })
    if (!error?.message.includes('client-topics')) return error?.message
    await client.close()
    client = await connectRelay(relay.url, 1000 + number)
    return undefined
  })
}

const fillMessages = async (): Promise<string> => {
  const client = await connectRelay(relay.url, 1)
  return untilRefused(async number => {
    const messages = names(`message ${number}`, 500).map(message => ({ topic: `full ${number}`, message, ttl: TTL }))
    return (await client.call('relay_batchPublish', { messages })).error?.message
  })
}

/** Registers webhooks whose targets refuse connections, so calls wait for the next attempt. */
const fillWebhooks = (): Promise<string> => {
  const register = async (number: number): Promise<string | undefined> => {
    const webhook = `http://127.0.${Math.floor(number / 100)}.1:1/${number}`
    const response = await fetch(`${relay.url}/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ topic: `hooked ${number}`, webhook }),
    })
    return response.ok ? undefined : response.text()
  }
  return untilRefused(async number => {
    const all = await Promise.all(Array.from({ length: 50 }, (_, index) => register(50 * number + index)))
    return all.find(refusal => refusal !== undefined)
  })
}

const fillCalls = async (): Promise<number> => {
  const client = await connectRelay(relay.url, 2)
  for (let number = 50; number < 9000; number += 500) {
    const messages = Array.from({ length: 500 }, (_, index) => ({
      topic: `hooked ${number + index}`,
      message: 'm',
      ttl: TTL,
      prompt: true,
    }))
    await client.call('relay_batchPublish', { messages })
  }
  return (await metricsOf(relay.url)).heliograph_webhook_calls ?? 0
}

test(
  'with every limit reached and the smallest heap, the relay works, restarts with all its data, and works again',
  async () => {
    expect(await fillSubscriptions()).toMatch(/\(subscriptions\)$/)
    expect(await fillWebhooks()).toMatch(/topics have webhooks/)
    // From the first call on, the relay is busy with its retries.
    expect(await fillCalls()).toBeGreaterThan(1000)
    expect(await fillMessages()).toMatch(/\(store-messages\)$/)
    const full = await metricsOf(relay.url)
    expect(full.heliograph_mailbox_subscriptions).toBeGreaterThan(50_000)
    expect(full.heliograph_mailbox_messages).toBeGreaterThan(50_000)
    const before = await resident()
    expect(before).toBeLessThan(MOST_MEMORY)

    await relay.stop('SIGKILL')
    relay = await start()
    const again = await metricsOf(relay.url)
    expect(again.heliograph_mailbox_messages).toBe(full.heliograph_mailbox_messages)
    expect(again.heliograph_mailbox_subscriptions).toBe(full.heliograph_mailbox_subscriptions)
    expect(await resident()).toBeLessThan(MOST_MEMORY)
    // An unsubscribe makes room for a new subscription.
    const known = await connectRelay(relay.url, 1000)
    const [topic = ''] = names('subscribed 1', 1)
    expect((await known.call('relay_subscribe', { topic })).error).toBeUndefined()
    expect((await known.call('relay_unsubscribe', { topic, id: 'any' })).result).toBe(true)
    const reader = await connectRelay(relay.url)
    const subscribed = await reader.call('relay_subscribe', { topic: 'full 1' })
    expect(subscribed.error).toBeUndefined()
    const { result } = await reader.call('relay_fetchMessages', { topic: 'full 1' })
    expect((result as { messages: unknown[] }).messages).toHaveLength(500)
  },
  PATIENCE,
)
