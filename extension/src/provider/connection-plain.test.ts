import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { toPlain } from './connection.ts'

const throughJson = (value: unknown): unknown => {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}
const outcome = (copy: (value: unknown) => unknown, value: unknown): unknown => {
  try {
    return { copy: structuredClone(copy(value)) }
  } catch {
    return 'throws'
  }
}

test('copies like JSON, and throws like JSON', () => {
  const anything = fc.anything({ withBigInt: true, withDate: true, withSparseArray: true, withBoxedValues: true })
  fc.assert(
    fc.property(fc.array(anything), value => {
      expect(outcome(toPlain, value)).toEqual(outcome(throughJson, value))
    }),
    { numRuns: 2_000 },
  )
})

test('copies -0 as 0, and numbers that JSON does not have as null', () => {
  expect(structuredClone(toPlain([-0, Number.NaN, Infinity]))).toEqual([0, null, null])
})

test('calls toJSON of an object or its class', () => {
  class Amount {
    toJSON() {
      return '0x1'
    }
  }
  for (const value of [new Date(0), { toJSON: () => [1] }, { a: new Amount() }, [new URL('http://a.example')]])
    expect(structuredClone(toPlain(value))).toEqual(throughJson(value))
  expect(toPlain({ toJSON: () => undefined })).toBeUndefined()
})

test('ignores toJSON on Object.prototype and Array.prototype', () => {
  const toJSON = vi.fn(() => 'garbage')
  for (const prototype of [Object.prototype, Array.prototype])
    Object.defineProperty(prototype, 'toJSON', { value: toJSON, configurable: true })
  const copy = toPlain({ a: [1, { b: 2 }] })
  for (const prototype of [Object.prototype, Array.prototype]) Reflect.deleteProperty(prototype, 'toJSON')
  expect(structuredClone(copy)).toEqual({ a: [1, { b: 2 }] })
  expect(toJSON).not.toHaveBeenCalled()
})

test('throws on a cycle, and copies __proto__ like any other name', () => {
  const cycle: unknown[] = []
  cycle.push(cycle)
  expect(() => toPlain(cycle)).toThrow(RangeError)
  const copy = toPlain(JSON.parse('{"__proto__":{"polluted":1}}')) as object
  expect(Object.keys(copy)).toEqual(['__proto__'])
  expect('polluted' in copy).toBe(false)
})
