import { NOBODY } from '@heliograph/shared/server/limits/shares'
import { expect, test } from 'vitest'
import { createOutbox, type Sent } from './outbox.ts'

/** Creates an outbox to a fake Redis that answers on request. */
const open = () => {
  const calls: { topic: string; texts: () => string[]; answer: (sent: Sent) => void }[] = []
  const outbox = createOutbox(
    (topic, frames) =>
      new Promise(answer => calls.push({ topic, texts: () => frames.map(({ text }) => text), answer })),
  )
  const outcomes: Record<string, unknown> = {}
  const add = async (text: string, publisher = 1, topic = 't'): Promise<void> => {
    outcomes[text] = await outbox.add({ topic, text, publisher, payers: NOBODY })
  }
  /** Answers the oldest call and lets the outbox continue. Returns the texts of the call. */
  const answer = async (accepted: number, refusal?: Sent['refusal']): Promise<string[] | undefined> => {
    const call = calls.shift()
    const texts = call?.texts()
    call?.answer({ accepted, refusal })
    await new Promise(setImmediate)
    return texts
  }
  return { outbox, calls, outcomes, add, answer }
}

test('frames of a topic are sent in order, one batch at a time, and a batch does not grow while it is sent', async () => {
  const { calls, outcomes, add, answer } = open()
  for (const text of ['a', 'b', 'c']) void add(text)
  void add('elsewhere', 1, 'u')
  expect(calls.map(({ topic }) => topic)).toEqual(['t', 'u'])
  expect(await answer(1)).toEqual(['a'])
  expect(outcomes).toEqual({ a: undefined })
  await answer(1)
  expect(await answer(2)).toEqual(['b', 'c'])
  expect(Object.keys(outcomes)).toEqual(['a', 'elsewhere', 'b', 'c'])
})

test('after a limit, the publisher’s later frames are refused, and frames of other publishers are sent', async () => {
  const { calls, outcomes, add, answer } = open()
  const refusal = { limit: 'topicBytes' } as const
  void add('first')
  for (const text of ['a', 'b']) void add(text, 1)
  void add('other', 2)
  void add('c', 1)
  await answer(1)
  await answer(1, refusal)
  expect(outcomes).toEqual({ first: undefined, a: undefined, b: refusal, c: refusal })
  expect(await answer(1)).toEqual(['other'])
  expect([outcomes.other, calls]).toEqual([undefined, []])
})

test('if Redis is unavailable, all queued frames of the topic are refused', async () => {
  const { calls, outcomes, add, answer } = open()
  for (const [index, text] of ['a', 'b', 'c'].entries()) void add(text, index)
  await answer(0, 'storageUnavailable')
  expect(outcomes).toEqual({ a: 'storageUnavailable', b: 'storageUnavailable', c: 'storageUnavailable' })
  expect(calls).toEqual([])
})

test('a batch has at most a mebibyte, unless one frame is longer', async () => {
  const { add, answer } = open()
  const [long, half] = ['x'.repeat(2 ** 21), 'y'.repeat(2 ** 19)]
  for (const text of ['a', long, half, half, 'b']) void add(text)
  const lengths: (number[] | undefined)[] = []
  for (const count of [1, 1, 2, 1]) lengths.push((await answer(count))?.map(({ length }) => length))
  expect(lengths).toEqual([[1], [2 ** 21], [2 ** 19, 2 ** 19], [1]])
})

test('the outbox is settled once all frames are answered', async () => {
  const { outbox, add, answer } = open()
  for (const text of ['a', 'b']) void add(text)
  let isSettled = false
  const settled = outbox.settled().then(() => {
    isSettled = true
  })
  await answer(1)
  expect(isSettled).toBe(false)
  await answer(1)
  await settled
})
