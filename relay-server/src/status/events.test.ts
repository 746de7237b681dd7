import type { TargetState } from '@heliograph/shared/server/webhooks/journal'
import { beforeEach, expect, test } from 'vitest'
import { createEvents, createStatusEvents, type StatusEvents } from './events.ts'

const HOUR = 3600 * 1000

let time: number
let tell: StatusEvents
let texts: () => string[]
beforeEach(() => {
  time = 1_700_000_000_000
  const events = createEvents(10, () => time)
  tell = createStatusEvents(events, () => time)
  texts = () => events.list().map(({ level, text }) => `${level} ${text}`)
})

test('reports when the store fails, fails for another reason, and works again', () => {
  for (const failure of [undefined, 'full', 'full', 'broken', undefined, undefined]) tell.store(failure)
  expect(texts()).toEqual([
    'ok The store accepts writes again',
    'warn The store refuses writes: broken',
    'warn The store refuses writes: full',
  ])
})

const target = (state: TargetState['state'], attempt = 0, lastStatus: number | undefined = 503): TargetState => ({
  origin: 'https://hooks.example:8443',
  state,
  attempt,
  waiting: 1,
  retryAt: undefined,
  lastStatus,
  lastAt: time,
})

test('a failing webhook is one event until it works again', () => {
  tell.webhooks([target('delivering', 0, 200)])
  expect(texts()).toEqual([])
  tell.webhooks([target('retrying')])
  tell.webhooks([target('retrying')])
  tell.webhooks([{ ...target('retrying', 3), lastStatus: undefined }])
  expect(texts()).toEqual(['warn Webhook hooks.example:8443 did not answer, retry 4'])
  tell.webhooks([target('delivering', 4, 200)])
  tell.webhooks([target('delivering', 0, 200)])
  expect(texts()[0]).toBe('ok Webhook hooks.example:8443 accepts calls again')
  expect(texts()).toHaveLength(2)
})

test('a failing webhook that is dropped is not reported as working', () => {
  tell.webhooks([target('retrying')])
  tell.webhooks([])
  tell.webhooks([target('delivering')])
  expect(texts()).toEqual(['warn Webhook hooks.example:8443 answered 503, retry 1'])
})

test('reports slow deliveries while they last, if there are enough of them', () => {
  tell.latency(19, 900)
  tell.latency(100, 250)
  expect(texts()).toEqual([])
  tell.latency(100, 251)
  expect(texts()).toEqual(['warn p99 latency above 250 ms'])
  time += 49_000
  tell.latency(100, 400)
  expect(texts()).toEqual(['warn p99 latency above 250 ms for 49 s'])
  tell.latency(5, undefined)
  time += 10_000
  tell.latency(100, 20)
  expect(texts()).toEqual(['ok Latency back to normal', 'warn p99 latency above 250 ms for 49 s'])
})

test('sums up expired messages per hour', () => {
  tell.expired(0, 0)
  expect(texts()).toEqual([])
  tell.expired(1, 500)
  expect(texts()).toEqual(['ok Expired 1 message, 500 B of mailbox'])
  tell.expired(1211, 1_152_934)
  expect(texts()).toEqual(['ok Expired 1,212 messages, 1.1 MB of mailbox'])
  time += HOUR
  tell.expired(2, 2048)
  expect(texts()).toEqual(['ok Expired 2 messages, 2 kB of mailbox', 'ok Expired 1,212 messages, 1.1 MB of mailbox'])
})
