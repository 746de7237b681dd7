import { expect, test } from 'vitest'
import { createMetrics } from '../metrics/metrics.ts'
import { countRefusals } from './refusals.ts'

test('counts refusals, and reports shared limits as degraded until ten seconds after the last one', async () => {
  let time = 0
  const metrics = createMetrics()
  const { refused, degraded, usedUp } = countRefusals(metrics, () => time)
  for (const reason of ['message-rate', 'framing', 'topic-frames', 'client-topics']) refused(reason)
  expect([degraded(), usedUp()]).toEqual([[], []])
  for (const reason of ['address-bytes', 'address-rate']) refused(reason)
  expect([degraded(), usedUp()]).toEqual([[], ['address-bytes', 'address-rate']])
  refused('store-frames')
  expect(degraded()).toEqual(['the limit store-frames is reached'])
  time = 9_000
  refused('address-rate')
  refused('store-frames')
  refused('connections')
  time = 18_999
  expect(usedUp()).toEqual(['address-rate'])
  expect(degraded()).toEqual(['the limit store-frames is reached', 'the limit connections is reached'])
  time = 19_000
  expect(degraded()).toEqual([])
  expect(await metrics.text()).toContain('heliograph_refusals_total{reason="store-frames"} 2')
})
