import { decodeQuantity } from '@heliograph/shared/evm/hex'
import { ValueError } from '@heliograph/shared/evm/value-error'
import { afterEach, expect, test, vi } from 'vitest'
import { report, rpcError, toRpcError } from '../text/errors.ts'

const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
afterEach(() => log.mockClear())

const thrownBy = (attempt: () => unknown): unknown => {
  try {
    return attempt()
  } catch (error) {
    return error
  }
}

test('an RpcError is returned unchanged, and not logged', () => {
  expect(toRpcError(rpcError('userRejected'))).toMatchObject({ code: 4001 })
  const wrong = thrownBy(() => decodeQuantity('0x00', 'value'))
  expect(wrong).toBeInstanceOf(ValueError)
  expect(toRpcError(wrong).toJSON()).toMatchObject({ code: -32602, message: expect.stringContaining('value: "0x00"') })
  expect(log).not.toHaveBeenCalled()
})

test('an unexpected error is returned without its message, and logged with its type and location', () => {
  const wrong = thrownBy(() => JSON.parse('ability\n    at able'))
  expect(String(wrong)).toContain('ability')
  expect(toRpcError(wrong).toJSON()).toEqual({ code: -32603, message: 'Internal error' })
  const logged = log.mock.calls.flat().join('\n')
  expect(logged).toMatch(/^Unforeseen SyntaxError\n\s+at .*errors\.test/)
  for (const secret of ['ability', 'able']) expect(logged).not.toContain(secret)
})

test('thrown values other than errors are treated the same', () => {
  expect(toRpcError('a secret').toJSON()).toEqual({ code: -32603, message: 'Internal error' })
  expect(log.mock.calls).toEqual([['Unforeseen string']])
})

/** Creates an error whose stack has an engine's format. */
const errorWith = (message: string, stack: string) => Object.assign(new TypeError(message), { stack })

test.each([
  [
    'V8',
    errorWith(
      'word@https://secret:1:2',
      'TypeError: word@https://secret:1:2\n    at open (chrome-extension://a/b.js:1:20)',
    ),
    '    at open (chrome-extension://a/b.js:1:20)',
  ],
  [
    'SpiderMonkey',
    errorWith(
      'secret',
      'open@moz-extension://a/b.js:1:20\nasync*start@moz-extension://a/b.js:2:3\n@moz-extension://a/b.js:4:5\n',
    ),
    'open@moz-extension://a/b.js:1:20\nasync*start@moz-extension://a/b.js:2:3\n@moz-extension://a/b.js:4:5',
  ],
])('the log has the stack frames of %s but not the message', (_, error, frames) => {
  report(error)
  expect(log.mock.calls).toEqual([[`Unforeseen TypeError\n${frames}`]])
})
