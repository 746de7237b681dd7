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

test('calls listeners with the values of their event, in the order of registration', () => {
  const { emitter, emit, heard, listener } = start()
  emitter.on('a', listener('one')).addListener('a', listener('other')).on('b', listener('b'))
  emit('a', 1, 2)
  emit('nobody')
  expect(heard).toEqual([
    ['one', 1, 2],
    ['other', 1, 2],
  ])
})

test('once calls its listener once', () => {
  const { emitter, emit, heard, listener } = start()
  emitter.once('a', listener('one'))
  expect(emitter.listenerCount('a')).toBe(1)
  emit('a', 1)
  emit('a', 2)
  expect(heard).toEqual([['one', 1]])
  expect(emitter.listenerCount('a')).toBe(0)
})

test('the same listener with once and on: on stays', () => {
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

test('a once listener is not called by events that it triggers', () => {
  const { emitter, emit } = start()
  let calls = 0
  emitter.once('a', () => {
    calls++
    emit('a')
  })
  emit('a')
  expect(calls).toBe(1)
})

test('removeListener removes only the newest registration, also one by once', () => {
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

test('removeAllListeners removes the listeners of one event, or all', () => {
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

test('a listener removed during an event is still called, as in Node', () => {
  const { emitter, emit, heard, listener } = start()
  const second = listener('second')
  emitter.on('a', () => void emitter.off('a', second)).on('a', second)
  emit('a')
  emit('a')
  expect(heard).toEqual([['second']])
})

test('reports a listener that throws and calls the others', () => {
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

test('supports event names like members of Object.prototype', () => {
  const { emitter, emit, heard, listener } = start()
  for (const event of ['__proto__', 'constructor', 'toString']) {
    emit(event)
    emitter.on(event, listener(event))
    emit(event)
  }
  expect(heard).toEqual([['__proto__'], ['constructor'], ['toString']])
})

test('members may be assigned and added without an effect on events, and there is no emit', () => {
  const { emitter, emit, heard, listener } = start()
  emitter.on('a', listener('first'))
  for (const name of ['on', 'removeListener', 'removeAllListeners', 'listenerCount'])
    Object.assign(emitter, { [name]: () => heard.push(name) })
  emitter.addListener('a', listener('second')).off('a', listener('third'))
  emit('a')
  expect(heard).toEqual([['first'], ['second']])
  expect(Object.assign(emitter, { isOther: true }).isOther).toBe(true)
  expect('emit' in emitter).toBe(false)
})

test('a Proxy around it may return other values', () => {
  const { emitter } = start()
  const wrapped = new Proxy(emitter, { get: () => 'wrapped' })
  expect(wrapped.on).toBe('wrapped')
})
