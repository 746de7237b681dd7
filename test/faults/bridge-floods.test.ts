/** Floods that exceed every limit of the bridge: it stays within its limits, and other clients are not affected. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BridgeClient, connectBridge } from '../support/bridge-client.ts'
import { countOf, metricOf } from '../support/metrics.ts'
import { type Server, startServer } from '../support/server.ts'
import { isLocalStore } from '../support/store.ts'
import { type Exchange, startExchange } from './exchange.ts'

let folder: string
let bridge: Server
let pair: Exchange
const start = async (...args: string[]): Promise<void> => {
  bridge = await startServer('bridge-server', { dataDir: folder, args })
  pair = await startPair(bridge.url)
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridge-floods-'))
})
afterEach(async () => {
  await bridge.stop()
  await rm(folder, { recursive: true })
})

/** Starts two clients that exchange frames continuously: each frame is sent soon after the previous one has arrived. */
const startPair = async (url: string): Promise<Exchange> => {
  const [ann, ben] = [await connectBridge(url), await connectBridge(url)]
  ben.sub('the pair')
  await ben.rest()
  const pass = async (message: string): Promise<string> => {
    ann.pub('the pair', message)
    return (await ben.payloads(1)).join()
  }
  return startExchange({ pass, close: () => Promise.all([ann.close(), ben.close()]) })
}

/** Checks that the pair kept exchanging messages and lost none. */
const expectUndisturbed = (): Promise<void> => pair.finish(50)

const refusals = (reason: string) => countOf(bridge.url, 'heliograph_refusals_total', `reason="${reason}"`)

const stored = () => metricOf(bridge.url, 'heliograph_queue_stored')

const MEGABYTE = 1_000_000
/** Milliseconds. A busy machine takes minutes for 125 MB of messages. */
const SLOW_MS = 400_000
const LONG = 'x'.repeat(50_000)

test('slow readers use little memory, are disconnected, and get all their frames after they reconnect', {
  timeout: SLOW_MS,
}, async () => {
  // stall-seconds is longer than a reader stalls on a busy machine.
  await start('--stall-seconds', '15', '--share-bytes', '33554432')
  const topics = Array.from({ length: 5 }, (_, index) => `topic ${index}`)
  const [stalled, writer] = [await connectBridge(bridge.url), await connectBridge(bridge.url)]
  for (const topic of topics) stalled.sub(topic)
  await stalled.rest()
  stalled.socket.pause()
  const before = await bridge.heldBytes()
  const payloads = Array.from({ length: 500 }, (_, index) => `${index} ${LONG}`)
  for (const payload of payloads) {
    for (const topic of topics) writer.pub(topic, payload)
    await writer.rest()
  }
  // Waits until all frames are stored: unwritten frames are still in memory, and the protocol has no response that
  // tells a publisher when they are stored.
  await expect.poll(stored, { timeout: 30_000 }).toBeGreaterThanOrEqual(topics.length * payloads.length)
  expect((await bridge.heldBytes()) - before).toBeLessThan(100 * MEGABYTE)
  await expect.poll(() => refusals('stall-seconds'), { timeout: 60_000, interval: 500 }).toBe(1)
  await expectUndisturbed()
  for (const topic of topics) {
    const back = await connectBridge(bridge.url)
    back.sub(topic)
    expect(await back.payloads(payloads.length)).toEqual(payloads)
    await back.close()
  }
  await writer.close()
})

/** Returns the code and the reason with which the bridge closed a client. */
const closingOf = async ({ socket }: BridgeClient): Promise<[code: number, reason: string]> => {
  const [code, reason] = await once(socket, 'close')
  return [code, `${reason}`]
}

const statusOf = async (path: string): Promise<unknown> => (await fetch(`${bridge.url}${path}`)).json()

test('a flood of undelivered frames is refused above the limits with a reason, until there is space', async () => {
  await start('--store-frames', '1000', '--topic-frames', '600')
  const flood = async (topicOf: (index: number) => string): Promise<[code: number, reason: string]> => {
    const flooder = await connectBridge(bridge.url)
    const closing = closingOf(flooder)
    for (let index = 0; index < 3000; index++) flooder.pub(topicOf(index), `${index}`)
    return closing
  }
  expect(await statusOf('/health')).toEqual({ status: 'ok' })
  for (let count = 0; count < 3; count++)
    expect(await flood(() => 'one topic')).toEqual([1013, 'limit reached (topic-frames)'])
  expect(await statusOf('/health')).toEqual({ status: 'ok' })
  for (let count = 0; count < 3; count++)
    expect(await flood(index => `topic ${index}`)).toEqual([1013, 'limit reached (store-frames)'])
  const degraded = { status: 'degraded', reasons: ['the limit store-frames is reached'] }
  const gauge = metricOf(bridge.url, 'heliograph_degraded')
  expect(await Promise.all([statusOf('/health'), statusOf('/ready'), gauge])).toEqual([degraded, degraded, 1])
  expect([await refusals('topic-frames'), await refusals('store-frames')]).toEqual([3, 3])
  expect(await metricOf(bridge.url, 'heliograph_dropped_total')).toBe(6)
  const [writer, reader] = [await connectBridge(bridge.url), await connectBridge(bridge.url)]
  reader.sub('one topic')
  expect(await reader.payloads(600)).toEqual(Array.from({ length: 600 }, (_, index) => `${index}`))
  await expect.poll(() => metricOf(bridge.url, 'heliograph_queue_frames')).toBeLessThan(450)
  writer.pub('after', 'there is room again')
  reader.sub('after')
  expect(await reader.payloads(1)).toEqual(['there is room again'])
  await expectUndisturbed()
})

test('a flood of subscriptions stays within the limits per client and of the bridge, and gets a reason', async () => {
  await start('--client-topics', '200', '--subscriptions', '300')
  const flood = async (count: number): Promise<BridgeClient> => {
    const client = await connectBridge(bridge.url)
    for (let index = 0; index < count; index++) client.sub(`topic ${index}`)
    return client
  }
  expect(await closingOf(await flood(1000))).toEqual([1008, 'limit reached (client-topics)'])
  const [client, writer] = [await flood(200), await connectBridge(bridge.url)]
  await client.rest()
  expect(await closingOf(await flood(180))).toEqual([1013, 'limit reached (subscriptions)'])
  expect([await refusals('client-topics'), await refusals('subscriptions')]).toEqual([1, 1])
  for (const index of [0, 199, 200]) writer.pub(`topic ${index}`, `${index}`)
  // The payloads are sorted, because frames are ordered only within a topic.
  expect((await client.payloads(2)).toSorted()).toEqual(['0', '199'])
  await expectUndisturbed()
})

if (isLocalStore)
  test('a flood of one client is ignored, and other clients are served', async () => {
    await start('--message-rate', '1000', '--message-burst', '1000')
    const flooder = await connectBridge(bridge.url)
    const flooding = setInterval(() => {
      for (let count = 0; count < 100; count++) flooder.pub('t', 'more')
    }, 1)
    expect(await flooder.closed).toBe(1008)
    clearInterval(flooding)
    await expectUndisturbed()
  })
