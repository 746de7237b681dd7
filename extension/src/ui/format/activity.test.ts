import { expect, test } from 'vitest'
import type { ActivityView } from '../../messages.ts'
import { recipientOf, titleOf } from './activity.ts'
import { NO_BREAK_SPACE } from './numbers.ts'
import { network } from './summary.fixture.ts'

const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const args = [{ name: 'to', type: 'address', value: receiver }]
const call = { name: 'transfer', signature: 'transfer(address,uint256)', args }
const past = (value: string): ActivityView => ({
  hash: '0x1',
  chainId: 1,
  account: receiver,
  nonce: '0x0',
  origin: null,
  purpose: 'transaction',
  status: 'confirmed',
  failure: null,
  to: token,
  value,
  selector: '0xa9059cbb',
  call,
  gas: '0x0',
  price: '0x0',
  fee: null,
  block: null,
  replaces: null,
  replacedBy: null,
  createdAt: 0,
  sentAt: 0,
  settledAt: 0,
})

test('a past transfer has the title of a transfer and a recipient, unless it sent coins to the contract', () => {
  expect([titleOf(past('0x0'), network), recipientOf(past('0x0'))]).toEqual(['Send tokens', receiver])
  const coins = past('0xde0b6b3a7640000')
  const title = `Contract call with 1${NO_BREAK_SPACE}ETH`
  expect([titleOf(coins, network), recipientOf(coins)]).toEqual([title, null])
})
