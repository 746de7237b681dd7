import { expect, test } from 'vitest'
import { CallError, CONNECTION_LOST } from './client.svelte.ts'
import { errorText } from './errors.ts'

const textOf = (code: number, reason: string, values = {}) => errorText(new CallError({ code, reason, values }))

test('an error shows the text of its reason with the values', () => {
  expect(textOf(4100, 'wrongPassword')).toBe('The password is incorrect.')
  expect(textOf(-32602, 'nonceUsed', { nonce: '3', next: '5' })).toBe(
    'The nonce 3 has already been used: the next one is 5',
  )
  expect(textOf(-32602, 'nonceUsed', { nonce: '{next}', next: '$1' })).toBe(
    'The nonce {next} has already been used: the next one is $1',
  )
})

test('internal errors and unknown reasons show a general text', () => {
  const general = 'Something went wrong in the wallet. Try again.'
  expect([
    textOf(-32603, 'internal'),
    textOf(-32602, 'notAReason'),
    errorText(new TypeError('x is undefined')),
  ]).toEqual([general, general, general])
})

test("another program's text is cut, and its hidden characters are shown", () => {
  const shown = textOf(3, 'nodeAnswered', { text: `no\u202e${'!'.repeat(5_000)}` })
  expect(shown).toMatch(/^The node answered: noU\+202E!+$/)
  expect(shown.length).toBeLessThan(420)
})

test('a lost connection has its own text, and a cancelled call none', () => {
  expect(textOf(CONNECTION_LOST, 'connectionLost')).toMatch(/^The wallet restarted/)
  expect(textOf(1, 'cancelled')).toBe('')
})
