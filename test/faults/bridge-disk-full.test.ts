/**
 * The bridge with a full disk: frames are queued in memory, delivered in order, and written to disk once there is space
 * again.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@heliograph/shared/server/process/eventually.fixture'
import { expect, test } from 'vitest'
import { connectBridge } from '../support/bridge-client.ts'
import { metricOf } from '../support/metrics.ts'
import { setQuota, startServer } from '../support/server.ts'

const MB = 1024 * 1024
const QUOTA = 16 * MB
const LONG = 'x'.repeat(30_000)

test('a full store is reported by the health check, loses nothing, and is used again once there is space', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bridge-disk-full-'))
  let bridge = await startServer('bridge-server', { dataDir, quota: QUOTA })
  const health = async () => (await fetch(`${bridge.url}/health`)).status
  const payloads = Array.from({ length: 400 }, (_, index) => `${index} ${LONG}`)
  const [ann, live] = [await connectBridge(bridge.url), await connectBridge(bridge.url)]
  for (const payload of payloads) ann.pub('t', payload)
  // The bridge must have read all frames, because the store can be full before that.
  await ann.rest()
  await eventually(async () => expect(await health()).toBe(503))
  expect(await metricOf(bridge.url, 'heliograph_queue_frames')).toBe(400)
  expect(await metricOf(bridge.url, 'heliograph_queue_stored')).toBeLessThan(300)

  live.sub('live')
  ann.pub('live', 'passes')
  expect(await live.payloads(1)).toEqual(['passes'])
  const ben = await connectBridge(bridge.url)
  ben.sub('t')
  expect(await ben.payloads(400)).toEqual(payloads)
  await eventually(async () => expect(await health()).toBe(200))

  for (const payload of payloads.slice(0, 50)) ann.pub('u', payload)
  await eventually(async () => expect(await metricOf(bridge.url, 'heliograph_queue_stored')).toBe(50))
  await bridge.stop('SIGKILL')
  bridge = await startServer('bridge-server', { dataDir, quota: QUOTA })
  const late = await connectBridge(bridge.url)
  for (const topic of ['t', 'u']) late.sub(topic)
  expect(await late.payloads(50)).toEqual(payloads.slice(0, 50))
  expect(await late.rest()).toEqual([])
  await bridge.stop()
  setQuota(dataDir, Number.POSITIVE_INFINITY)
  await rm(dataDir, { recursive: true })
})
