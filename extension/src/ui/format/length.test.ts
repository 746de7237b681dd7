import { expect, test } from 'vitest'
import type { Effect, ValueView } from '../../messages.ts'
import { isLong, lengthFindings, MOST_CALLS } from './length.ts'
import { LONGEST_TEXT } from './text-safety.ts'

const as = (effect: object) => effect as Effect
const message = (text: string | null, bytes = '0x') => as({ kind: 'message', text, bytes })
const call = (data: string, parts: object = {}) => ({ kind: 'transaction', to: '0x1', call: null, data, ...parts })
const field = (value: ValueView['value']): ValueView => ({ name: 'note', type: 'string', value })
const typed = (message: ValueView, domain: readonly ValueView[] = []) => as({ kind: 'typedData', domain, message })

test('a text is long from one character above the limit', () => {
  expect(isLong(message('a'.repeat(4_000)))).toBe(false)
  expect(lengthFindings(message('a'.repeat(4_000)))).toEqual([])
  expect(lengthFindings(message('a'.repeat(4_001)))).toEqual([
    { level: 'caution', name: 'longMessage', values: ['4001'] },
  ])
})

test('bytes, typed data fields and undecoded calldata count by their shown length', () => {
  const half = 'ab'.repeat(LONGEST_TEXT / 4)
  expect(isLong(message(null, `0x${half}`))).toBe(false)
  expect(isLong(message(null, `0x${half}${half}00`))).toBe(true)
  expect(isLong(typed(field([field(half), field('')])))).toBe(false)
  expect(isLong(typed(field([field(half), field([field(half)])])))).toBe(true)
  expect(isLong(typed(field(half), [field(half)]))).toBe(true)
  expect(isLong(as(call(`0x${half}`)))).toBe(false)
  expect(isLong(as(call(`0x${half}${half}00`)))).toBe(true)
})

test('a decoded call counts by its arguments; bytecode of a new contract does not count', () => {
  const data = `0x${'00'.repeat(LONGEST_TEXT)}`
  expect(isLong(as(call(data, { call: { args: [field('1')] } })))).toBe(false)
  expect(isLong(as(call(data, { call: { args: [field(data)] } })))).toBe(true)
  expect(isLong(as(call(data, { to: null })))).toBe(false)
})

test('a batch is long if it has many calls or much data', () => {
  const batch = (count: number, data = '0x') =>
    as({ kind: 'calls', calls: Array.from({ length: count }, () => call(data)) })
  expect(isLong(batch(MOST_CALLS))).toBe(false)
  expect(lengthFindings(batch(MOST_CALLS + 1))).toEqual([
    { level: 'caution', name: 'manyCalls', values: [String(MOST_CALLS + 1)] },
  ])
  expect(lengthFindings(batch(3, `0x${'00'.repeat(LONGEST_TEXT / 4)}`))).toMatchObject([{ name: 'longMessage' }])
})

test('other requests are never long', () => {
  expect(isLong(as({ kind: 'connect' }))).toBe(false)
})
