/** More than the bridge has room for, from clients that take no notice: it stays within its bounds, and others do not notice. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectBridge } from '../bridge-client.ts'
import { countOf, metricOf } from '../metrics.ts'
import { type Server, startServer } from '../server.ts'
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

/** Two clients, one of which sends the other a frame as soon as the last has arrived, on and on. */
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

/** Checks that the pair went on through it all, and lost nothing. */
const expectUndisturbed = (): Promise<void> => pair.finish(50)

const refusals = (reason: string) => countOf(bridge.url, 'heliograph_refusals_total', `reason="${reason}"`)

const stored = () => metricOf(bridge.url, 'heliograph_queue_stored')

const MEGABYTE = 1_000_000
const LONG = 'x'.repeat(50_000)

test('readers that do not read cost little, are cut off, and have all their frames when they are back', async () => {
  await start('--stall-seconds', '5')
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
  // What the disk has not taken yet is in memory, and no answer tells a publisher when it has.
  await vi.waitUntil(async () => (await stored()) >= topics.length * payloads.length, { timeout: 30_000 })
  expect((await bridge.heldBytes()) - before).toBeLessThan(100 * MEGABYTE)
  await vi.waitUntil(async () => (await refusals('stall-seconds')) === 1, { timeout: 20_000 })
  await expectUndisturbed()
  for (const topic of topics) {
    const back = await connectBridge(bridge.url)
    back.sub(topic)
    expect(await back.payloads(payloads.length)).toEqual(payloads)
    await back.close()
  }
  await writer.close()
})

test('a flood of frames that nobody fetches is dropped beyond the bounds, and ends when there is room', async () => {
  await start('--store-frames', '1000', '--topic-frames', '600')
  const [flooder, reader] = [await connectBridge(bridge.url), await connectBridge(bridge.url)]
  for (let index = 0; index < 3000; index++) flooder.pub('one topic', `${index}`)
  for (let index = 0; index < 3000; index++) flooder.pub(`topic ${index}`, `${index}`)
  await flooder.rest()
  const [ofTopic, ofAll] = [await refusals('topic-frames'), await refusals('store-frames')]
  expect(ofTopic).toBe(2400)
  expect(ofAll).toBeGreaterThan(2500)
  reader.sub('one topic')
  expect(await reader.payloads(600)).toEqual(Array.from({ length: 600 }, (_, index) => `${index}`))
  await expect.poll(() => metricOf(bridge.url, 'heliograph_queue_frames'), { timeout: 10_000 }).toBeLessThan(450)
  flooder.pub('after', 'there is room again')
  reader.sub('after')
  expect(await reader.payloads(1)).toEqual(['there is room again'])
  await expectUndisturbed()
})

test('a flood of subscriptions stays within the bounds of a client and of the bridge', async () => {
  await start('--client-topics', '1000', '--subscriptions', '1500')
  const [client, other, writer] = [
    await connectBridge(bridge.url),
    await connectBridge(bridge.url),
    await connectBridge(bridge.url),
  ]
  for (const flooder of [client, other]) for (let index = 0; index < 5000; index++) flooder.sub(`topic ${index}`)
  // One subscription is the pair's.
  expect([await refusals('client-topics'), await refusals('subscriptions')]).toEqual([4000, 4501])
  for (const index of [0, 999, 1000]) writer.pub(`topic ${index}`, `${index}`)
  expect(await client.payloads(2)).toEqual(['0', '999'])
  await expectUndisturbed()
})

test('a flood by one client is not heard, and others go on', async () => {
  await start('--message-rate', '1000', '--message-burst', '1000')
  const flooder = await connectBridge(bridge.url)
  const flooding = setInterval(() => {
    for (let count = 0; count < 100; count++) flooder.pub('t', 'more')
  }, 1)
  expect(await flooder.closed).toBe(1008)
  clearInterval(flooding)
  await expectUndisturbed()
})
