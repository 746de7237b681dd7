import { expect, test } from 'vitest'
import { CallError, CONNECTION_LOST } from './client.svelte.ts'
import { errorText } from './errors.ts'

test('an error shows the background’s message, or a generic one for internal errors', () => {
  expect(errorText(new CallError(4100, 'That password is not right.'))).toBe('That password is not right.')
  expect(errorText(new CallError(-32603, 'Internal error'))).toBe('Something went wrong in the wallet. Try again.')
  expect(errorText(new TypeError('x is undefined'))).toBe('Something went wrong in the wallet. Try again.')
  expect(errorText(new CallError(3, `no\u202e${'!'.repeat(5_000)}`))).toBe(`noU+202E${'!'.repeat(297)}`)
  expect(errorText(new CallError(CONNECTION_LOST, ''))).toMatch(/^The wallet restarted/)
})
