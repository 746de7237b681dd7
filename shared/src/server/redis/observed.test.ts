import { expect, test } from 'vitest'
import { fieldsOf } from './info.ts'
import { observedIn } from './observed.ts'

const infoOf = (...lines: string[]) => fieldsOf(['# Section', ...lines, ''].join('\r\n'))
const memory = (used: number, limit: number) => [`used_memory:${used}`, `maxmemory:${limit}`]
const replica = (index: number, state: string, offset: number, lag: number) =>
  `slave${index}:ip=10.0.0.${index},port=6379,state=${state},offset=${offset},lag=${lag}`

test('reports the greatest lag and the longest silence of the connected replicas', () => {
  const first = infoOf('master_repl_offset:1000', replica(0, 'online', 990, 1), replica(1, 'wait_bgsave', 0, 0))
  const second = infoOf('master_repl_offset:500', replica(0, 'online', 100, 0), replica(1, 'online', 500, 30))
  expect(observedIn([first, second], [])).toEqual({
    replication: { replicas: 3, lagBytes: 400, silentSeconds: 30 },
  })
})

test('there is no lag without replicas, or for a replica that is ahead of an older reading', () => {
  expect(observedIn([infoOf('master_repl_offset:0')], [])).toEqual({
    replication: { replicas: 0, lagBytes: undefined, silentSeconds: undefined },
  })
  expect(observedIn([infoOf('master_repl_offset:5', replica(0, 'online', 9, 0))], [])).toMatchObject({
    replication: { lagBytes: 0 },
  })
})

test('memory is summed, and the fullest primary is reported', () => {
  expect(observedIn([infoOf(...memory(100, 1000)), infoOf(...memory(900, 1000))], [])).toEqual({
    memory: { usedBytes: 1000, limitBytes: 2000 },
    fullest: 0.9,
  })
})

test('there is no common limit if one primary has no limit', () => {
  expect(observedIn([infoOf(...memory(100, 1000)), infoOf(...memory(900, 0))], [])).toEqual({
    memory: { usedBytes: 1000, limitBytes: undefined },
    fullest: 0.1,
  })
  expect(observedIn([infoOf(...memory(100, 0))], [])).toEqual({ memory: { usedBytes: 100, limitBytes: undefined } })
})

test('sums are absent if a primary is missing or does not report its value', () => {
  const whole = infoOf('master_repl_offset:5', ...memory(1, 2))
  expect(observedIn([whole, undefined], [])).toEqual({})
  expect(observedIn([whole, infoOf('master_repl_offset:5')], [])).toEqual({
    replication: { replicas: 0, lagBytes: undefined, silentSeconds: undefined },
  })
  expect(observedIn([], [])).toEqual({})
})

test('of several views of the slots, the worst counts', () => {
  const view = (ok: number, pfail: number, fail: number) =>
    infoOf(
      ...['cluster_slots_assigned:16384', `cluster_slots_ok:${ok}`],
      ...[`cluster_slots_pfail:${pfail}`, `cluster_slots_fail:${fail}`],
    )
  expect(observedIn([undefined], [view(16_384, 0, 0), view(10_923, 5461, 0), view(10_923, 0, 5461)])).toEqual({
    slots: { assigned: 16_384, ok: 10_923, failing: 5461 },
  })
  expect(observedIn([undefined], [infoOf('cluster_state:ok')])).toEqual({})
})
