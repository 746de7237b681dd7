import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { RpcError } from '../errors.ts'
import { parseAs, parseParams } from './params.ts'
import { rule } from './rules.ts'

const schema = v.object({
  topic: v.string(),
  count: v.optional(v.pipe(v.number(), v.maxValue(3, 'must be at most 3'))),
  key: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, rule('notHexDigits', { digits: 64 })))),
  list: v.optional(v.array(v.strictObject({ name: v.string() }))),
})

const failure = (params: unknown) => {
  try {
    parseParams(params, schema)
  } catch (thrown) {
    return thrown instanceof RpcError ? [thrown.code, thrown.message] : thrown
  }
  return undefined
}

test('returns the output of the schema', () => {
  expect(parseParams({ topic: 'a', other: 1 }, schema)).toEqual({ topic: 'a' })
  expect(parseAs({ topic: 'a' }, schema, 'body')).toEqual({ topic: 'a' })
})

test.each([
  [undefined, 'params: is missing'],
  ['text', 'params: must be of type Object'],
  [{}, 'params.topic: is missing'],
  [{ topic: 7 }, 'params.topic: must be of type string'],
  [{ topic: null }, 'params.topic: must be of type string'],
  [{ topic: 'a', count: 4 }, 'params.count: must be at most 3'],
  [{ topic: 'a', list: {} }, 'params.list: must be of type Array'],
  [{ topic: 'a', list: [{ name: 'a' }, { name: 1 }] }, 'params.list[1].name: must be of type string'],
  [{ topic: 'a', list: [{ name: 'a', size: 1 }] }, 'params.list[0].size: is not known'],
  [{ topic: 'a', list: [{ name: 'a', 'a\nb': 1 }] }, 'params.list[0]["a\\nb"]: is not known'],
])('%j: %s', (params, message) => {
  expect(failure(params)).toEqual([-32602, message])
})

test.each([
  [{}, 'missing', { place: 'params.topic' }],
  [{ topic: 7 }, 'wrongType', { place: 'params.topic', type: 'string' }],
  [{ topic: 'a', list: [{ name: 'a', size: 1 }] }, 'unknownMember', { place: 'params.list[0].size' }],
  [{ topic: 'a', count: 4 }, 'invalidParam', { place: 'params.count', rule: 'must be at most 3' }],
  [{ topic: 'a', key: 'x' }, 'notHexDigits', { place: 'params.key', digits: 64 }],
])('%j has the reason %s', (params, reason, values) => {
  expect(() => parseParams(params, schema)).toThrow(expect.objectContaining({ code: -32602, reason, values }))
})

test('parse throws a ValueError that names the given place', () => {
  expect(() => parseAs({}, schema, 'body')).toThrow(expect.objectContaining({ message: 'body.topic: is missing' }))
})

test('errors do not quote values', () => {
  const secret = fc.constantFrom<unknown>('SECRET', ['SECRET'], { name: 'SECRET' }, [[{ name: ['SECRET'] }]])
  fc.assert(
    fc.property(fc.record({ topic: secret, count: secret, list: secret }, { requiredKeys: [] }), params => {
      expect(JSON.stringify(failure(params) ?? '')).not.toContain('SECRET')
    }),
  )
})
