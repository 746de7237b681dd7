import { expect, test } from 'vitest'
import { createEvents } from './events.ts'

test('lists the newest first and drops the oldest', () => {
  let time = 0
  const { note, list } = createEvents(2, () => ++time)
  note('ok', 'one')
  note('warn', 'two')
  note('ok', 'three')
  expect(list()).toEqual([
    { at: 3, level: 'ok', text: 'three' },
    { at: 2, level: 'warn', text: 'two' },
  ])
})

test('updates the event with the same key', () => {
  const { note, list } = createEvents(5, () => 7)
  note('warn', 'slow', 'k')
  note('ok', 'other')
  note('warn', 'slow for 9 s', 'k')
  expect(list().map(({ text }) => text)).toEqual(['slow for 9 s', 'other'])
})
