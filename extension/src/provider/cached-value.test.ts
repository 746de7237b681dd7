import { expect, test } from 'vitest'
import { createCachedValue } from './session.ts'

const start = (read: () => Promise<unknown> = async () => 1) => {
  const heard: unknown[] = []
  return { heard, fact: createCachedValue(read, value => heard.push(value)) }
}

test('the first read sets the value without a change event, later ones may cause one', async () => {
  let value = 1
  const { fact, heard } = start(async () => value)
  expect(fact.value).toBeUndefined()
  await fact.ask()
  expect([fact.value, heard]).toEqual([1, []])
  await fact.ask()
  expect(heard).toEqual([])
  value = 2
  await fact.ask()
  expect([fact.value, heard]).toEqual([2, [2]])
})

test('learn changes the value and reports it once', () => {
  const { fact, heard } = start()
  fact.learn(['a'])
  fact.learn(['a'])
  fact.learn([])
  expect(heard).toEqual([['a'], []])
  expect(fact.value).toEqual([])
})

test('a value learned during a read takes precedence', async () => {
  let answer: (value: unknown) => void = () => undefined
  const { fact, heard } = start(
    () =>
      new Promise(resolve => {
        answer = resolve
      }),
  )
  const asked = fact.ask()
  fact.learn('new')
  answer('old')
  await asked
  expect([fact.value, heard]).toEqual(['new', ['new']])
})

test('a failed read changes nothing', async () => {
  const { fact, heard } = start(async () => {
    throw new Error('gone')
  })
  fact.learn(1)
  await expect(fact.ask()).rejects.toThrow('gone')
  expect([fact.value, heard]).toEqual([1, [1]])
})
