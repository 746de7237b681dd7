import { expect, test, vi } from 'vitest'
import { createEmitter } from './emitter.ts'
import { openPage } from './page.fixture.ts'

const start = () => {
  const heard: unknown[] = []
  const { own } = openPage()
  const { emitter, emit: emitAll } = createEmitter({ name: 'target' }, own.call)
  const emit = (event: string, ...values: unknown[]) => emitAll(event, values)
  const listener =
    (name: string) =>
    (...values: unknown[]) =>
      void heard.push([name, ...values])
  return { emitter, emit, heard, listener }
}

test('listeners hear their event with its values, in the order in which they came', () => {
  const { emitter, emit, heard, listener } = start()
  emitter.on('a', listener('one')).addListener('a', listener('other')).on('b', listener('b'))
  emit('a', 1, 2)
  emit('nobody')
  expect(heard).toEqual([
    ['one', 1, 2],
    ['other', 1, 2],
  ])
})

test('once hears one', () => {
  const { emitter, emit, heard, listener } = start()
  emitter.once('a', listener('one'))
  expect(emitter.listenerCount('a')).toBe(1)
  emit('a', 1)
  emit('a', 2)
  expect(heard).toEqual([['one', 1]])
  expect(emitter.listenerCount('a')).toBe(0)
})

test('the same listener for once and for always: the one for always stays', () => {
  const { emitter, emit, heard, listener } = start()
  const both = listener('both')
  emitter.once('a', both).on('a', both)
  for (const value of [1, 2, 3]) emit('a', value)
  expect(heard).toEqual([
    ['both', 1],
    ['both', 1],
    ['both', 2],
    ['both', 3],
  ])
})

test('what a once listener brings about does not reach it again', () => {
  const { emitter, emit } = start()
  let calls = 0
  emitter.once('a', () => {
    calls++
    emit('a')
  })
  emit('a')
  expect(calls).toBe(1)
})

test('removing takes away the newest of the same listeners, also one for once, and no other', () => {
  const { emitter, emit, heard, listener } = start()
  const [one, other] = [listener('one'), listener('other')]
  emitter.on('a', one).on('a', other).once('a', one)
  emitter.removeListener('a', one)
  emitter.off('a', listener('never added'))
  emit('a')
  expect(heard).toEqual([['one'], ['other']])
  emitter.off('a', one).removeListener('a', other)
  expect(emitter.listenerCount('a')).toBe(0)
})

test('all listeners of one event, or of all', () => {
  const { emitter, emit, heard, listener } = start()
  emitter.on('a', listener('a')).on('b', listener('b')).on('c', listener('c'))
  emitter.removeAllListeners('a')
  emit('a')
  emit('b')
  emitter.removeAllListeners()
  emit('b')
  emit('c')
  expect(heard).toEqual([['b']])
})

test('a listener that is removed while others are called is still called this time, as in Node', () => {
  const { emitter, emit, heard, listener } = start()
  const second = listener('second')
  emitter.on('a', () => void emitter.off('a', second)).on('a', second)
  emit('a')
  emit('a')
  expect(heard).toEqual([['second']])
})

test('a listener that throws is reported and stops no other', () => {
  const { emitter, emit, heard, listener } = start()
  const report = vi.fn()
  vi.stubGlobal('reportError', report)
  const broken = new Error('broken')
  emitter
    .on('a', () => {
      throw broken
    })
    .on('a', listener('next'))
  emit('a')
  vi.unstubAllGlobals()
  expect(report.mock.calls).toEqual([[broken]])
  expect(heard).toEqual([['next']])
})

test('events that are named like members of every object are events like others', () => {
  const { emitter, emit, heard, listener } = start()
  for (const event of ['__proto__', 'constructor', 'toString']) {
    emit(event)
    emitter.on(event, listener(event))
    emit(event)
  }
  expect(heard).toEqual([['__proto__'], ['constructor'], ['toString']])
})

test('members stay, others may be added, and nobody can emit', () => {
  const { emitter } = start()
  const { on } = emitter
  expect(() => Object.assign(emitter, { on: () => emitter })).toThrow(TypeError)
  expect(() => Object.assign(emitter, { name: 'other' })).toThrow(TypeError)
  expect([emitter.on, emitter.name]).toEqual([on, 'target'])
  expect(Object.assign(emitter, { isOther: true }).isOther).toBe(true)
  expect('emit' in emitter).toBe(false)
})

test('a Proxy around it may give back what it likes', () => {
  const { emitter } = start()
  const wrapped = new Proxy(emitter, { get: () => 'wrapped' })
  expect(wrapped.on).toBe('wrapped')
})
