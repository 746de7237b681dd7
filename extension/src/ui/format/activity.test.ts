import { expect, test } from 'vitest'
import type { ActivityView, MoveView } from '../../messages.ts'
import { entryOf, entryTitle, ordered, recipientOf, titleOf, whenOf } from './activity.ts'
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

test('a batch that the account made in one transaction is titled as one, and no other call of this function is', () => {
  const batch = { name: 'executeBatch', signature: 'executeBatch((address,uint256,bytes)[])', args: [] }
  expect(titleOf({ ...past('0x0'), to: receiver.toLowerCase(), call: batch }, network)).toBe('Batch of transactions')
  expect(titleOf({ ...past('0x0'), call: batch }, network)).toBe('Contract call')
})

const move: MoveView = {
  ...{ kind: 'erc20', token, id: null, symbol: 'USDC', decimals: 6, listed: true },
  ...{ amount: '250000000', counterpart: receiver },
}

test("an entry is titled by what was received, by the sent tokens, or by the transaction's own title", () => {
  const sent = entryOf(past('0x0'))
  expect(sent).toMatchObject({ id: '0x1', hash: '0x1', direction: 'out', time: 0, moves: [], marks: [] })
  expect(entryOf({ ...past('0x0'), createdAt: 5, settledAt: null }).time).toBe(5)
  expect(entryTitle(sent, network)).toBe('Send tokens')
  expect(entryTitle({ ...sent, moves: [move] }, network)).toBe(`Send 250${NO_BREAK_SPACE}USDC`)
  const coins: MoveView = { ...move, kind: 'native', token: null, symbol: 'ETH', decimals: 18, amount: '1' }
  expect(entryTitle({ ...sent, moves: [coins] }, network)).toBe('Send tokens')
  expect(entryTitle({ ...sent, transaction: null, moves: [move] }, network)).toBe(`Received 250${NO_BREAK_SPACE}USDC`)
})

test('a list has transactions that can still change first, then the newest; an unknown time is the newest', () => {
  const at = (id: string, time: number | null, status: ActivityView['status'] = 'confirmed') => {
    const entry = entryOf({ ...past('0x0'), hash: id, status })
    return { ...entry, time }
  }
  const received = { ...at('received', null), transaction: null }
  const entries = [at('old', 1), at('signed', 0, 'signed'), at('new', 3), received, at('pending', 2, 'pending')]
  expect(ordered(entries).map(({ id }) => id)).toEqual(['pending', 'signed', 'received', 'new', 'old'])
})

test('an entry without a time has its block, and one without both has neither', () => {
  const format = (time: number) => `at ${time}`
  expect(whenOf({ time: 7, block: '16' }, format)).toBe('at 7')
  expect(whenOf({ time: null, block: '16' }, format)).toContain('16')
  expect(whenOf({ time: null, block: null }, format)).toBe('')
})
