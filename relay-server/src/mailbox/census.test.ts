import { NOBODY } from '@heliograph/shared/server/limits/shares'
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import { NOWHERE } from '@heliograph/shared/server/storage/blocks'
import { expect, test } from 'vitest'
import { createCensus } from './census.ts'
import type { Entry, Topic } from './topic.ts'
import { createTopicIndex } from './topic-index.ts'

const HOUR = 3600 * 1000
const NOW = 1_700_000_000_000

const entryOf = (topic: Topic, seq: number): Entry => ({
  seq,
  topic,
  publisher: 'did:key:zAnn',
  expiresAt: NOW + HOUR,
  start: 0,
  digest: 0,
  size: 1,
  waiters: 0,
  isOpen: true,
  block: NOWHERE,
  at: 0,
  length: 0,
  payers: NOBODY,
  before: undefined,
  after: undefined,
})

const setUp = () => {
  const index = createTopicIndex(NOW, sharesOf())
  const census = createCensus(index.all, (_, seq) => NOW - 1000 + seq)
  return { index, census }
}

test('has no result before the first pass, and zero topics for an empty mailbox', () => {
  const { census } = setUp()
  expect(census.found()).toBeUndefined()
  census.step(NOW)
  expect(census.found()).toEqual({ active: 0, oldestAt: undefined })
})

test('a topic is active for an hour after its use, and the oldest message is found', () => {
  const { index, census } = setUp()
  const topics = ['a', 'b', 'c'].map(index.topicOf)
  const [a, b, c] = topics
  if (!a || !b || !c) return expect.unreachable()
  a.usedAt = (NOW - HOUR) / 1000 + 1
  b.usedAt = (NOW - HOUR) / 1000
  c.usedAt = NOW / 1000
  for (const [seq, topic] of [c, a, b].entries()) index.enter(entryOf(topic, seq + 7))
  census.step(NOW)
  expect(census.found()).toEqual({ active: 2, oldestAt: NOW - 1000 + 7 })
})

test('many topics take several steps, and may be added and removed meanwhile', () => {
  const { index, census } = setUp()
  for (let number = 0; number < 25_000; number++) index.topicOf(`t${number}`).usedAt = NOW / 1000
  census.step(NOW)
  const early = entryOf(index.topicOf('t24999'), 1)
  index.enter(early)
  expect(census.found()).toBeUndefined()
  census.step(NOW)
  const gone = index.find('t24998')
  if (!gone) return expect.unreachable()
  const passing = entryOf(gone, 2)
  index.enter(passing)
  index.leave(passing)
  census.step(NOW)
  expect(census.found()).toEqual({ active: 24_999, oldestAt: NOW - 999 })
})
