import { expect, test } from 'vitest'
import { createMetrics, readCounter } from './metrics.ts'

const linesOf = async (metrics: ReturnType<typeof createMetrics>, name: string): Promise<string[]> =>
  (await metrics.text()).split('\n').filter(line => line.includes(`heliograph_${name}`))

test('a counter starts at zero and has a help text', async () => {
  const metrics = createMetrics()
  const count = metrics.counter('things_total', 'Things that came')
  expect(await linesOf(metrics, 'things')).toEqual([
    '# HELP heliograph_things_total Things that came',
    '# TYPE heliograph_things_total counter',
    'heliograph_things_total 0',
  ])
  count.inc()
  count.inc(5)
  expect(await linesOf(metrics, 'things_total 6')).toHaveLength(1)
  expect(await readCounter(count)).toBe(6)
})

test('counts each label value separately', async () => {
  const metrics = createMetrics()
  const counter = metrics.counter('calls_total', 'Calls', 'outcome')
  counter.inc({ outcome: 'good' })
  counter.inc({ outcome: 'bad' }, 2)
  expect((await linesOf(metrics, 'calls_total{')).toSorted()).toEqual([
    'heliograph_calls_total{outcome="bad"} 2',
    'heliograph_calls_total{outcome="good"} 1',
  ])
})

test('histogram buckets are cumulative', async () => {
  const metrics = createMetrics()
  const histogram = metrics.histogram('wait_seconds', 'Waiting', [0.1, 1])
  for (const value of [0.05, 0.1, 0.5, 7]) histogram.observe(value)
  expect(await linesOf(metrics, 'wait')).toEqual([
    '# HELP heliograph_wait_seconds Waiting',
    '# TYPE heliograph_wait_seconds histogram',
    'heliograph_wait_seconds_bucket{le="0.1"} 2',
    'heliograph_wait_seconds_bucket{le="1"} 3',
    'heliograph_wait_seconds_bucket{le="+Inf"} 4',
    'heliograph_wait_seconds_sum 7.65',
    'heliograph_wait_seconds_count 4',
  ])
})

test('reads gauges on demand and includes the event loop lag', async () => {
  const metrics = createMetrics()
  let value = 1
  metrics.gauge('level', 'Level', () => value)
  value = 2
  expect(await linesOf(metrics, 'level 2')).toHaveLength(1)
  expect(await metrics.text()).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
  expect(await metrics.text()).toMatch(/\n$/)
})
