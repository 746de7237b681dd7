import { expect, test } from 'vitest'
import { serverText } from '../reasons.ts'
import { sharesOf } from './shares.fixture.ts'
import { NOBODY, shareOf, usedUpShare } from './shares.ts'

test('a share is a percentage of its limit, at least the floor and at most the limit', () => {
  expect(shareOf(2_000_000, 1, 1000)).toBe(20_000)
  expect(shareOf(16_000, 1, 100)).toBe(160)
  expect(shareOf(5000, 1, 100)).toBe(100)
  expect(shareOf(60, 1, 100)).toBe(60)
})

test('refuses if any payer has used up its share, and names the holder and the resource', () => {
  const shares = sharesOf({ messages: 3 })
  const [address, client] = [shares.accountOf('address', '192.0.2.1'), shares.accountOf('client', 'did:key:z1')]
  shares.take([address, client], 'messages', 2)
  shares.take([address], 'messages', 1)
  expect(shares.exhausted([client], 'messages', 1)).toBeUndefined()
  expect(shares.exhausted([client, address], 'messages', 1)).toBe(address)
  expect(serverText('shareUsedUp', usedUpShare(address, 'messages', shares.limits))).toBe(
    'the share of your address is used up: 3 messages (address-messages)',
  )
  expect(shares.exhausted(NOBODY, 'messages', 1_000_000)).toBeUndefined()
})

test('an account exists while it holds something', () => {
  const shares = sharesOf()
  const address = shares.accountOf('address', '192.0.2.1')
  expect(shares.size()).toBe(0)
  shares.take(address.alone, 'connections', 1)
  shares.take(address.alone, 'bytes', 10)
  expect(shares.accountOf('address', '192.0.2.1')).toBe(address)
  expect(shares.accountOf('client', '192.0.2.1')).not.toBe(address)
  shares.give(address.alone, 'connections', 1)
  expect(shares.size()).toBe(1)
  shares.give(address.alone, 'bytes', 10)
  expect(shares.size()).toBe(0)
})
