import { expect, test } from 'vitest'
import type { Client, Message } from '../mailbox.ts'
import { createArrivals } from './arrivals.ts'

const START = 1_700_000_000_000
const message = (publishedAt: number): Message => ({
  topic: 't',
  seq: 1,
  publisher: 'socket:1' as Client,
  publishedAt,
  expiresAt: publishedAt + 1000,
  json: '"m"',
  size: 1,
  tag: 0,
  attestation: '',
})

const arrivalsAt = (time: number) => {
  const seen: number[] = []
  const arrivals = createArrivals(
    seconds => seen.push(seconds),
    () => time,
  )
  return { seen, arrivals }
}

test('the delay of messages that another server announced is observed once', () => {
  const { seen, arrivals } = arrivalsAt(START + 250)
  arrivals.told('t')
  arrivals.told('t')
  arrivals.read('t', message(START))
  arrivals.read('t', message(START))
  expect(seen).toEqual([0.25])
})

test("this server's own messages, other topics and detached ones are not observed", () => {
  const { seen, arrivals } = arrivalsAt(START)
  arrivals.read('t', message(START))
  arrivals.told('other')
  arrivals.read('t', message(START))
  arrivals.told('t')
  arrivals.forget('t')
  arrivals.read('t', message(START))
  expect(seen).toEqual([])
})

test('an empty read leaves the message to the next one, and a clock that is behind gives no negative delay', () => {
  const { seen, arrivals } = arrivalsAt(START)
  arrivals.told('t')
  arrivals.read('t', undefined)
  arrivals.read('t', message(START + 40))
  expect(seen).toEqual([0])
})
