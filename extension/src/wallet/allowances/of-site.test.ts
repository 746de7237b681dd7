import type { Hex } from '@heliograph/shared/evm/hex'
import { expect, test } from 'vitest'
import { PERMIT2 } from '../../messages.ts'
import type { Activity } from '../activity/activity.ts'
import { ADDRESS, OTHER_SITE, SECOND, SITE } from '../wallet.fixture.ts'
import { allowancesOfSite, MAX_GIVEN } from './of-site.ts'

const TOKEN = `0x${'a1'.repeat(20)}` as const
const word = (value: string | bigint) => BigInt(value).toString(16).padStart(64, '0')
const approve = (spender: string, amount: bigint) => `0x095ea7b3${word(spender)}${word(amount)}` as Hex
const approveAll = (operator: string, allowed: bigint) => `0xa22cb465${word(operator)}${word(allowed)}` as Hex
const UNLIMITED = (1n << 256n) - 1n

const record = (data: Hex, more: Partial<Activity> = {}): Activity => ({
  hash: '0x01',
  raw: null,
  chainId: 1,
  account: ADDRESS,
  nonce: '0x0',
  key: '',
  origin: SITE,
  purpose: 'transaction',
  replaces: null,
  to: TOKEN,
  value: '0x0',
  data,
  gas: '0x0',
  price: '0x0',
  status: 'confirmed',
  failure: null,
  createdAt: 1,
  sentAt: null,
  settledAt: null,
  block: null,
  fee: null,
  ...more,
})

test("allowances given by a site's transactions are listed, newest first", () => {
  const permit2 = `0x87517c45${word(TOKEN)}${word(SECOND)}${word(5n)}${word(0n)}` as Hex
  const records = [
    record(approve(SECOND, UNLIMITED)),
    record(approveAll(SECOND, 1n), { createdAt: 2, status: 'pending' }),
    record(permit2, { to: PERMIT2, createdAt: 3 }),
    record(approve(SECOND, 7n), { origin: OTHER_SITE, chainId: 5 }),
    record('0x', { to: null }),
    record('0xdeadbeef'),
  ]
  const shared = { chainId: 1, account: ADDRESS, spender: expect.stringMatching(new RegExp(SECOND, 'i')) }
  expect(allowancesOfSite(records, SITE)).toMatchObject([
    { ...shared, kind: 'permit2', amount: '5', at: 3 },
    { ...shared, kind: 'collection', amount: null, at: 2 },
    { ...shared, kind: 'erc20', amount: null, at: 1 },
  ])
  expect(allowancesOfSite(records, OTHER_SITE)).toMatchObject([{ chainId: 5, amount: '7' }])
})

test('a confirmed revocation, even by the wallet itself, removes an allowance; pending or failed ones do not', () => {
  const given = record(approve(SECOND, 7n))
  const end = (status: Activity['status']) => record(approve(SECOND, 0n), { origin: null, status })
  expect(allowancesOfSite([given, end('confirmed')], SITE)).toEqual([])
  for (const status of ['pending', 'failed', 'dropped'] as const)
    expect(allowancesOfSite([given, end(status)], SITE)).toHaveLength(1)
  expect(allowancesOfSite([end('confirmed'), given], SITE)).toHaveLength(1)
})

test('failed and unsent transactions give none, and an allowance belongs to the site that last gave it', () => {
  for (const status of ['failed', 'dropped', 'replaced', 'signed'] as const)
    expect(allowancesOfSite([record(approve(SECOND, 7n), { status })], SITE)).toEqual([])
  const both = [record(approve(SECOND, 7n)), record(approve(SECOND, 8n), { origin: OTHER_SITE })]
  expect(allowancesOfSite(both, SITE)).toEqual([])
})

test('only a limited number of allowances, the newest, is listed', () => {
  const records = Array.from({ length: MAX_GIVEN + 1 }, (_, at) =>
    record(approve(`0x${(at + 1).toString(16).padStart(40, '0')}`, 1n), { createdAt: at }),
  )
  const given = allowancesOfSite(records, SITE)
  expect([given.length, given[0]?.at]).toEqual([MAX_GIVEN, MAX_GIVEN])
})
