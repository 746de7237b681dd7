import { expect, test } from 'vitest'
import { createLedger } from './ledger.ts'

const TTL = 10_000

/** Opens a ledger with three accepted messages that were sent at the same time. */
const open = () => {
  let time = 1_800_000_000_000
  const ledger = createLedger(TTL, () => time)
  const numbers = [ledger.publish(), ledger.publish(), ledger.publish()] as const
  for (const number of numbers) ledger.accept(number)
  return {
    ledger,
    numbers,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

test('an accepted message is lost if a later one is delivered before it could have expired', () => {
  const { ledger, numbers, pass } = open()
  ledger.deliver(numbers[1])
  expect([ledger.lost(), ledger.expired(), ledger.missing()]).toEqual([1, 0, 2])
  pass(2 * TTL)
  expect([ledger.lost(), ledger.expired(), ledger.missing()]).toEqual([1, 1, 0])
})

test('it counts as expired if all later messages arrive after its ttl', () => {
  const { ledger, numbers, pass } = open()
  ledger.deliver(numbers[0])
  pass(TTL)
  const late = ledger.publish()
  ledger.accept(late)
  ledger.deliver(late)
  expect([ledger.lost(), ledger.expired(), ledger.missing()]).toEqual([0, 2, 0])
})

test('a message that arrives after a later one is out of order, and not lost', () => {
  const { ledger, numbers } = open()
  for (const number of [numbers[2], numbers[0], numbers[1], numbers[1]]) ledger.deliver(number)
  expect([ledger.lost(), ledger.expired(), ledger.counts.outOfOrder, ledger.counts.delivered]).toEqual([0, 0, 2, 3])
})

test('a message that was not accepted cannot be lost', () => {
  const { ledger, numbers } = open()
  ledger.publish()
  const accepted = ledger.publish()
  ledger.accept(accepted)
  for (const number of [...numbers, accepted]) ledger.deliver(number)
  expect([ledger.lost(), ledger.expired(), ledger.missing()]).toEqual([0, 0, 0])
})
