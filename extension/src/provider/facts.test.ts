import { expect, test } from 'vitest'
import { createFact } from './facts.ts'

const start = (read: () => Promise<unknown> = async () => 1) => {
  const heard: unknown[] = []
  return { heard, fact: createFact(read, value => heard.push(value)) }
}

test('what is read first is known and changes nothing; what is read later may', async () => {
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

test('what is told changes it, once', () => {
  const { fact, heard } = start()
  fact.learn(['a'])
  fact.learn(['a'])
  fact.learn([])
  expect(heard).toEqual([['a'], []])
  expect(fact.value).toEqual([])
})

test('what is told while it is read is newer than the answer', async () => {
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

test('a reading that fails changes nothing', async () => {
  const { fact, heard } = start(async () => {
    throw new Error('gone')
  })
  fact.learn(1)
  await expect(fact.ask()).rejects.toThrow('gone')
  expect([fact.value, heard]).toEqual([1, [1]])
})
