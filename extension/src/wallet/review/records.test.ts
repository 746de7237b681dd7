import type { Hex } from '@heliograph/shared/evm/hex'
import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import type { Activity } from '../activity/activity.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { usedAddresses } from './records.ts'

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const erc20 = new Interface([
  'function transfer(address to, uint256 value)',
  'function approve(address to, uint256 value)',
  'function setApprovalForAll(address operator, bool approved)',
])

const record = (more: Partial<Activity> = {}): Activity => ({
  hash: '0x01',
  raw: null,
  chainId: 1,
  account: ADDRESS,
  nonce: '0x0',
  key: 'key',
  origin: null,
  purpose: 'transaction',
  replaces: null,
  to: SECOND,
  value: '0x1',
  data: '0x',
  gas: '0x5208',
  price: '0x1',
  status: 'confirmed',
  failure: null,
  createdAt: 0,
  sentAt: 0,
  settledAt: 0,
  block: '0x1',
  fee: '0x1',
  ...more,
})
const call = (name: string): Hex => erc20.encodeFunctionData(name, [SECOND, 5]) as Hex
const second = SECOND.toLowerCase()
const token = TOKEN.toLowerCase()

test('counts how often an address was paid, called or allowed to spend', () => {
  expect(usedAddresses([record(), record()], 1)).toEqual([{ address: second, times: 2 }])
  for (const name of ['transfer', 'approve'])
    expect(usedAddresses([record({ to: TOKEN, data: call(name) })], 1)).toEqual([
      { address: token, times: 1 },
      { address: second, times: 1 },
    ])
})

test('failed transactions, replacements and transactions on other networks do not count', () => {
  const none = [
    record({ chainId: 2 }),
    record({ status: 'failed' }),
    record({ status: 'dropped' }),
    record({ status: 'signed' }),
    record({ status: 'pending' }),
    record({ purpose: 'cancel', to: ADDRESS }),
    record({ to: null }),
  ]
  expect(usedAddresses(none, 1)).toEqual([])
})

test('a revoked spender does not count', () => {
  const asked = (name: string, value: unknown) =>
    usedAddresses([record({ to: TOKEN, data: erc20.encodeFunctionData(name, [SECOND, value]) as Hex })], 1)
  for (const [name, taken, given] of [
    ['approve', 0, 1],
    ['setApprovalForAll', false, true],
  ] as const) {
    expect(asked(name, taken), name).toEqual([{ address: token, times: 1 }])
    expect(asked(name, given), name).toHaveLength(2)
  }
})
