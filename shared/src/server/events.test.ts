import { expect, test } from 'vitest'
import { createEvents } from './events.ts'

test('the newest come first, and the oldest make room', () => {
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

test('what goes on under one key is one event, with the last words', () => {
  const { note, list } = createEvents(5, () => 7)
  note('warn', 'slow', 'k')
  note('ok', 'other')
  note('warn', 'slow for 9 s', 'k')
  expect(list().map(({ text }) => text)).toEqual(['slow for 9 s', 'other'])
})
