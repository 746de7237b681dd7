import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createCell, memoryStore, remembering, type Store } from './store.ts'

test('an absent value reads as the initial value, without a write', async () => {
  const store = memoryStore()
  expect(await createCell(store, 'count', 7).read()).toBe(7)
  expect(await store.get('count')).toBeUndefined()
})

test('concurrent updates are all applied', async () => {
  const cell = createCell(memoryStore(), 'count', 0)
  await Promise.all(Array.from({ length: 100 }, () => cell.update(count => count + 1)))
  expect(await cell.read()).toBe(100)
})

test('if a change throws, the value stays, and the next change works', async () => {
  const cell = createCell(memoryStore(), 'count', 1)
  const failed = cell.update(() => {
    throw new Error('no room')
  })
  await expect(failed).rejects.toThrow('no room')
  expect(await cell.update(count => count + 1)).toBe(2)
})

test('cells in a store are independent, and cells with the same name share their value', async () => {
  const store = memoryStore()
  await createCell(store, 'a', 0).update(() => 1)
  await createCell(store, 'b', 0).update(() => 2)
  expect([await createCell(store, 'a', 0).read(), await createCell(store, 'b', 0).read()]).toEqual([1, 2])
  await store.remove('a')
  expect(await createCell(store, 'a', 0).read()).toBe(0)
})

test('the memory store keeps JSON copies', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async value => {
      const store = memoryStore()
      await store.set('value', value)
      expect(await store.get('value')).toEqual(JSON.parse(JSON.stringify(value)))
      expect(await store.get('value')).not.toBe(typeof value === 'object' && value !== null ? value : undefined)
    }),
  )
})

test("like Chromium's storage, the memory store does not keep the order of members", async () => {
  const store = memoryStore()
  await store.set('value', { z: [{ b: 1, a: 2 }], a: 1 })
  expect(JSON.stringify(await store.get('value'))).toBe('{"a":1,"z":[{"a":2,"b":1}]}')
})

test('a cached store reads once, caches writes as they are stored, and drops failed ones', async () => {
  const inner = memoryStore()
  await inner.set('x', { a: 1 })
  const get = vi.fn(inner.get)
  const store = remembering({ ...inner, get })
  expect([await store.get('x'), await store.get('x'), await store.get('y')]).toEqual([{ a: 1 }, { a: 1 }, undefined])
  expect(get).toHaveBeenCalledTimes(2)
  await store.set('x', { a: 2, b: undefined })
  expect(Object.keys((await store.get('x')) as object)).toEqual(['a'])
  expect(await inner.get('x')).toEqual({ a: 2 })
  await store.remove('x')
  expect(await store.get('x')).toBeUndefined()
  expect(get).toHaveBeenCalledTimes(3)

  await inner.set('full', 1)
  const full = remembering({ ...inner, set: async () => Promise.reject(new Error('quota')) })
  expect(await full.get('full')).toBe(1)
  await expect(full.set('full', 2)).rejects.toThrow('quota')
  expect(await full.get('full')).toBe(1)
})

test('a cached value has the same order of members before and after a restart of the worker, in every browser', async () => {
  const inChromium = memoryStore()
  const values = new Map<string, string>()
  const inFirefox: Store = {
    ...inChromium,
    get: async name => JSON.parse(values.get(name) ?? 'null'),
    set: async (name, value) => void values.set(name, JSON.stringify(value)),
  }
  for (const inner of [inChromium, inFirefox]) {
    const store = remembering(inner)
    await store.set('value', { z: [{ b: 1, a: 2 }], a: 1 })
    const afterRestart = remembering(inner)
    expect(JSON.stringify(await store.get('value'))).toBe(JSON.stringify(await afterRestart.get('value')))
  }
})

test('a cached store ignores a read that was overtaken by a write', async () => {
  const inner = memoryStore()
  await inner.set('x', 'old')
  const answers: (() => void)[] = []
  const slow: Store = {
    ...inner,
    get: async name => {
      const value = await inner.get(name)
      await new Promise<void>(resolve => answers.push(resolve))
      return value
    },
  }
  const store = remembering(slow)
  const early = store.get('x')
  await expect.poll(() => answers.length).toBe(1)
  await store.set('x', 'new')
  answers[0]?.()
  expect([await early, await store.get('x')]).toEqual(['old', 'new'])
})
