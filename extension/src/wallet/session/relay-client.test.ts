import { assertSigned } from '@heliograph/shared/server/transport/jwt'
import { decodeJsonRpc, encodeError, encodeRequest, encodeResult } from '@heliograph/shared/wire/json-rpc'
import { readJwt } from '@heliograph/shared/wire/relay-auth'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ANSWER_TIME } from './relay-calls.ts'
import {
  createRelayClient,
  OPENING_TIME,
  type OpenSocket,
  PAUSES,
  QUIET_TIME,
  STEADY_TIME,
  type Work,
} from './relay-client.ts'
import type { Outgoing } from './state.ts'

const TOPIC = 'ab'.repeat(32)
const OTHER = 'cd'.repeat(32)
const RELAY = 'wss://relay.example'

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }))
afterEach(() => void vi.useRealTimers())

type Call = { id: string; method: string; params: Record<string, unknown> }

/** Starts a client that is connected to a scripted relay, and lists the sockets that it opened. */
const start = ({
  onMessage = async () => {},
}: {
  onMessage?(message: { topic: string; message: string }): Promise<void>
} = {}) => {
  const opened: { url: string; listener: Parameters<OpenSocket>[2]; sent: string[]; isClosed: boolean }[] = []
  const published: number[] = []
  const client = createRelayClient({
    url: RELAY,
    seed: '07'.repeat(32),
    openSocket: (_name, url, listener) => {
      const socket = { url, listener, sent: [] as string[], isClosed: false }
      opened.push(socket)
      return {
        send: text => void socket.sent.push(text),
        close: () => {
          socket.isClosed = true
        },
      }
    },
    now: Date.now,
    onMessage,
    onPublished: async id => void published.push(id),
    onStatus: () => undefined,
  })
  const last = () => {
    const socket = opened.at(-1)
    if (!socket) throw new Error('no socket was opened')
    return socket
  }
  const calls = (): Call[] =>
    last().sent.flatMap(text => {
      const frame = decodeJsonRpc(text)
      return frame.kind === 'request'
        ? [{ id: frame.id ?? '', method: frame.method, params: frame.params as Call['params'] }]
        : []
    })
  const say = async (text: string) => {
    last().listener.received(text)
    await vi.advanceTimersByTimeAsync(0)
  }
  const open = async () => {
    last().listener.opened()
    await vi.advanceTimersByTimeAsync(0)
  }
  const answer = async (method: string, result: unknown = true) => {
    for (const { id } of calls().filter(call => call.method === method)) await say(encodeResult(id, result))
  }
  const connect = async (work: Partial<Work> = {}) => {
    client.sync({ topics: [TOPIC], outbox: [], ...work })
    await open()
    await answer('irn_batchSubscribe', ['x'])
  }
  return { client, opened, published, last, calls, say, open, answer, connect }
}

const outgoing = (id: number): Outgoing => ({
  id,
  relay: RELAY,
  topic: TOPIC,
  message: `message ${id}`,
  tag: 1109,
  ttl: 900,
  prompt: false,
  expiresAt: Number.POSITIVE_INFINITY,
})

test('without topics and outgoing messages, no socket is open', () => {
  const { client, opened } = start()
  client.sync({ topics: [], outbox: [] })
  client.wake()
  expect(opened).toEqual([])
  expect(client.status().phase).toBe('idle')
})

test('authenticates, subscribes to all topics in one call, then publishes', async () => {
  const relay = start()
  relay.client.sync({ topics: [TOPIC, OTHER], outbox: [outgoing(1)] })
  const token = new URL(relay.last().url).searchParams.get('auth') ?? ''
  const claimed = readJwt(token, { now: Date.now() / 1000, audiences: [RELAY] })
  expect(assertSigned(claimed).client).toMatch(/^did:key:z6Mk/)
  await relay.open()
  expect(relay.calls()).toMatchObject([{ method: 'irn_batchSubscribe', params: { topics: [TOPIC, OTHER] } }])
  await vi.advanceTimersByTimeAsync(40)
  await relay.answer('irn_batchSubscribe', ['x', 'y'])
  expect(relay.client.status()).toMatchObject({ phase: 'connected', latency: 40, error: null })
  expect(relay.calls().at(-1)).toMatchObject({
    method: 'irn_publish',
    params: { topic: TOPIC, message: 'message 1', ttl: 900, tag: 1109, prompt: false },
  })
  await relay.answer('irn_publish')
  expect(relay.published).toEqual([1])
})

test('topics beyond the maximum per call are split into several calls', async () => {
  const topics = Array.from({ length: 501 }, (_, index) => index.toString(16).padStart(64, '0'))
  const relay = start()
  relay.client.sync({ topics, outbox: [] })
  await relay.open()
  await relay.answer('irn_batchSubscribe')
  expect(relay.calls().map(({ params }) => (params.topics as string[]).length)).toEqual([500, 1])
})

test('topics are subscribed and unsubscribed on one socket, which closes with the last topic', async () => {
  const relay = start()
  await relay.connect()
  relay.client.sync({ topics: [TOPIC, OTHER], outbox: [] })
  await vi.advanceTimersByTimeAsync(0)
  expect(relay.calls().at(-1)).toMatchObject({ method: 'irn_batchSubscribe', params: { topics: [OTHER] } })
  await relay.answer('irn_batchSubscribe')
  relay.client.sync({ topics: [], outbox: [] })
  await vi.advanceTimersByTimeAsync(0)
  await relay.answer('irn_unsubscribe')
  await relay.answer('irn_unsubscribe')
  expect(
    relay
      .calls()
      .filter(({ method }) => method === 'irn_unsubscribe')
      .map(({ params }) => params),
  ).toEqual([{ topic: TOPIC }, { topic: OTHER }])
  expect([relay.opened.length, relay.last().isClosed, relay.client.status().phase]).toEqual([1, true, 'idle'])
})

const push = (id: string, message: string) =>
  encodeRequest(id, 'irn_subscription', { id: 'x', data: { topic: TOPIC, message, publishedAt: 1, tag: 1108 } })

test('a message is acknowledged only after its effect was stored', async () => {
  let keep = () => {}
  const seen: string[] = []
  const relay = start({
    onMessage: ({ message }) => {
      seen.push(message)
      if (message === 'bad') return Promise.reject(new Error('the disk is full'))
      return new Promise(resolve => {
        keep = resolve
      })
    },
  })
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await relay.connect()
  await relay.say(push('1795227677001481', 'good'))
  expect(relay.last().sent.filter(text => text.includes('result'))).toEqual([])
  keep()
  await vi.advanceTimersByTimeAsync(0)
  expect(relay.last().sent.at(-1)).toBe('{"id":1795227677001481,"jsonrpc":"2.0","result":true}')
  const before = relay.last().sent.length
  await relay.say(push('5', 'bad'))
  expect([seen, relay.last().sent.length]).toEqual([['good', 'bad'], before])
  expect(errors).toHaveBeenCalledOnce()
  errors.mockRestore()
})

test.each([
  '',
  'hello',
  '{}',
  '[]',
  '{"id":1,"jsonrpc":"2.0","method":"irn_subscription","params":{"id":1}}',
  '{"jsonrpc":"2.0","method":"x"}',
])('the invalid frame %j is ignored', async frame => {
  const relay = start()
  await relay.connect()
  const before = relay.last().sent.length
  await relay.say(frame)
  expect([relay.client.status().phase, relay.last().sent.length]).toEqual(['connected', before])
})

test('an unanswered publish is repeated on the next socket', async () => {
  const relay = start()
  const work = { topics: [TOPIC], outbox: [outgoing(1), outgoing(2)] }
  await relay.connect(work)
  const [, first] = relay.calls()
  await relay.say(encodeResult(first?.id ?? '', true))
  relay.last().listener.closed(1006, '')
  expect(relay.client.status()).toMatchObject({
    phase: 'waiting',
    error: { reason: 'relayClosed', values: { code: 1006 } },
  })
  relay.client.sync({ topics: [TOPIC], outbox: [outgoing(2)] })
  await vi.advanceTimersByTimeAsync(PAUSES[0])
  await relay.open()
  await relay.answer('irn_batchSubscribe')
  expect(
    relay
      .calls()
      .filter(({ method }) => method === 'irn_publish')
      .map(({ params }) => params.message),
  ).toEqual(['message 2'])
  expect([relay.opened.length, relay.published]).toEqual([2, [1]])
})

test('the wallet reconnects to a lost relay after half a second, then with growing delays of up to a minute', async () => {
  expect([PAUSES[0], PAUSES.at(-1)]).toEqual([500, 60_000])
  expect(PAUSES).toEqual([...new Set(PAUSES)].toSorted((one, other) => one - other))
  const relay = start()
  relay.client.sync({ topics: [TOPIC], outbox: [] })
  for (const pause of [...PAUSES, PAUSES.at(-1) ?? 0]) {
    const count = relay.opened.length
    relay.last().listener.closed(1006, '')
    expect(relay.client.status().retryAt).toBe(Date.now() + pause)
    await vi.advanceTimersByTimeAsync(pause - 1)
    expect(relay.opened.length).toBe(count)
    await vi.advanceTimersByTimeAsync(1)
    expect(relay.opened.length).toBe(count + 1)
  }
  await relay.open()
  await relay.answer('irn_batchSubscribe')
  await vi.advanceTimersByTimeAsync(STEADY_TIME - 1)
  relay.last().listener.closed(1012, 'service restart')
  const longest = PAUSES.at(-1) ?? 0
  expect(relay.client.status().retryAt).toBe(Date.now() + longest)
  await vi.advanceTimersByTimeAsync(longest)
  await relay.open()
  await relay.answer('irn_batchSubscribe')
  await vi.advanceTimersByTimeAsync(STEADY_TIME)
  relay.last().listener.closed(1012, 'service restart')
  expect(relay.client.status()).toMatchObject({
    error: { reason: 'relayClosedSaying', values: { text: 'service restart' } },
    retryAt: Date.now() + PAUSES[0],
  })
})

test('the wallet reconnects immediately when the computer is online again, and pings a silent relay', async () => {
  const relay = start()
  relay.client.sync({ topics: [TOPIC], outbox: [] })
  relay.last().listener.closed(1006, '')
  relay.client.wake()
  expect(relay.opened.length).toBe(2)
  await relay.open()
  await relay.answer('irn_batchSubscribe')
  relay.client.wake()
  expect(relay.calls()).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(QUIET_TIME)
  relay.client.wake()
  expect(relay.calls()).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(ANSWER_TIME)
  expect(relay.client.status()).toMatchObject({ phase: 'waiting', error: { reason: 'relaySilent' } })
})

test('the periodic check pings a silent relay, and keeps the retry delay of a lost one', async () => {
  const relay = start()
  await relay.connect()
  await vi.advanceTimersByTimeAsync(QUIET_TIME)
  relay.client.tend()
  expect(relay.calls()).toHaveLength(2)
  relay.last().listener.closed(1006, '')
  relay.client.tend()
  expect(relay.opened.length).toBe(1)
  // A stopped worker's timers never fire.
  vi.setSystemTime(Date.now() + PAUSES[0])
  relay.client.tend()
  expect(relay.opened.length).toBe(2)
  await vi.advanceTimersByTimeAsync(PAUSES[0])
  expect(relay.opened.length).toBe(2)
})

test('a relay that is unreachable or does not respond counts as disconnected until the next attempt', async () => {
  const relay = start()
  relay.client.sync({ topics: [TOPIC], outbox: [] })
  await vi.advanceTimersByTimeAsync(OPENING_TIME)
  expect(relay.client.status()).toMatchObject({ phase: 'waiting', error: { reason: 'relayUnreachable' } })
  expect(relay.last().isClosed).toBe(true)
  await vi.advanceTimersByTimeAsync(PAUSES[0])
  await relay.open()
  await vi.advanceTimersByTimeAsync(ANSWER_TIME)
  expect(relay.client.status()).toMatchObject({ phase: 'waiting', error: { reason: 'relaySilent' } })
})

test('if a socket closes before it opens, the relay is unreachable', () => {
  const relay = start()
  relay.client.sync({ topics: [TOPIC], outbox: [] })
  relay.last().listener.closed(1006, '')
  expect(relay.client.status()).toMatchObject({ phase: 'waiting', error: { reason: 'relayUnreachable' } })
})

test('a message that is too large for the relay is dropped', async () => {
  const relay = start()
  await relay.connect({ outbox: [outgoing(1)] })
  const [, call] = relay.calls()
  await relay.say(
    encodeError(call?.id ?? '', { code: -32005, message: 'too long', data: { reason: 'messageTooLong' } }),
  )
  expect(relay.published).toEqual([1])
})

test('publishing is given up after a permanent error, and retried after a temporary one', async () => {
  const relay = start()
  await relay.connect({ outbox: [outgoing(1), outgoing(2)] })
  const [, first, second] = relay.calls()
  await relay.say(encodeError(first?.id ?? '', { code: -32602, message: 'too long' }))
  await relay.say(encodeError(second?.id ?? '', { code: -32005, message: 'the mailbox is full' }))
  expect(relay.published).toEqual([1])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(relay.calls().at(-1)).toMatchObject({ method: 'irn_publish', params: { message: 'message 2' } })
  await relay.answer('irn_publish')
  expect(relay.published).toEqual([1, 2])
})

test('a failed subscription is shown and retried later', async () => {
  const relay = start()
  relay.client.sync({ topics: [TOPIC], outbox: [] })
  await relay.open()
  const [call] = relay.calls()
  await relay.say(encodeError(call?.id ?? '', { code: 3001, message: 'Too many requests' }))
  expect(relay.client.status()).toMatchObject({
    phase: 'waiting',
    error: { reason: 'relayAnswered', values: { text: 'Too many requests' } },
  })
})

test('a closed client stays closed', async () => {
  const relay = start()
  await relay.connect()
  relay.client.close()
  relay.client.sync({ topics: [OTHER], outbox: [] })
  relay.client.wake()
  relay.last().listener.closed(1000, '')
  await vi.advanceTimersByTimeAsync(120_000)
  expect([relay.opened.length, relay.last().isClosed, relay.client.status().phase]).toEqual([1, true, 'idle'])
})
