/** A bridge process that is killed or stopped: after its restart, it delivers queued frames in order and once. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectBridge } from '../support/bridge-client.ts'
import { metricOf } from '../support/metrics.ts'
import { type Server, startServer } from '../support/server.ts'

let folder: string
let bridge: Server
const start = async (): Promise<void> => {
  bridge = await startServer('bridge-server', { dataDir: folder })
}
/** Kills the process at once, so unwritten data is lost. */
const kill = (): Promise<number | null> => bridge.stop('SIGKILL')
/** Waits until this number of frames is on disk. */
const stored = (count: number) =>
  expect.poll(() => metricOf(bridge.url, 'heliograph_queue_stored'), { timeout: 20_000 }).toBe(count)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridge-kill-'))
  await start()
})
afterEach(async () => {
  await bridge.stop()
  await rm(folder, { recursive: true })
})

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `m${from + index} ${'.'.repeat(200)}`)

test('after a kill with queued frames it delivers all of them in order and once', async () => {
  const ann = await connectBridge(bridge.url)
  const topics = ['t', 'u', 'v']
  for (const payload of numbered(0, 200)) for (const topic of topics) ann.pub(topic, payload)
  await stored(600)
  await kill()
  await start()

  const ben = await connectBridge(bridge.url)
  for (const topic of topics) {
    ben.sub(topic)
    expect(await ben.payloads(200)).toEqual(numbered(0, 200))
  }
  await stored(0)
  await kill()
  await start()
  const late = await connectBridge(bridge.url)
  for (const topic of topics) late.sub(topic)
  expect(await late.rest()).toEqual([])
  await late.close()
})

test('after repeated kills it keeps the frames from before and after each kill', async () => {
  for (const round of [0, 1, 2]) {
    const ann = await connectBridge(bridge.url)
    for (const payload of numbered(round * 50, round * 50 + 50)) ann.pub('t', payload)
    await stored(round * 50 + 50)
    await kill()
    await start()
  }
  const ben = await connectBridge(bridge.url)
  ben.sub('t')
  expect(await ben.payloads(150)).toEqual(numbered(0, 150))
  await ben.close()
})

test('after a kill it resends frames that a slow subscriber had not read', async () => {
  const [ann, ben] = [await connectBridge(bridge.url), await connectBridge(bridge.url)]
  ben.sub('t')
  await ben.rest()
  ben.socket.pause()
  for (const payload of numbered(0, 100)) ann.pub('t', payload)
  await stored(100)
  await kill()
  ben.socket.terminate()
  await start()
  const back = await connectBridge(bridge.url)
  back.sub('t')
  expect(await back.payloads(100)).toEqual(numbered(0, 100))
  await back.close()
})

test('on SIGTERM it closes with 1012, exits with 0, and keeps queued frames', async () => {
  const ann = await connectBridge(bridge.url)
  for (const payload of numbered(0, 5000)) ann.pub('t', payload)
  await ann.rest()
  const code = bridge.stop()
  expect(await ann.closed).toBe(1012)
  expect(await code).toBe(0)
  await start()
  const ben = await connectBridge(bridge.url)
  ben.sub('t')
  expect(await ben.payloads(5000)).toEqual(numbered(0, 5000))
  await ben.close()
})
