import { expect, test } from 'vitest'
import type { Effect, NetworkView } from '../messages.ts'
import { headlineOf } from './headline.ts'
import { NO_BREAK_SPACE } from './numbers.ts'

const network: NetworkView = {
  chainId: 1,
  title: 'Ethereum',
  symbol: 'ETH',
  decimals: 18,
  testnet: false,
  rpcUrl: null,
}
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const mira = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'

const transaction = (more: Partial<Extract<Effect, { kind: 'transaction' }>>) =>
  headlineOf({
    network,
    effect: {
      kind: 'transaction',
      broadcast: true,
      to: mira,
      value: '0x0',
      data: '0x',
      nonce: null,
      call: null,
      fee: { gas: '0x0', expected: '0x0', atMost: '0x0' },
      ...more,
    },
  })

test('a transfer names the amount and the receiver', () => {
  const { title, party } = transaction({ value: '0x6f05b59d3b20000' })
  expect(title).toMatch(new RegExp(`^Send 0.5${NO_BREAK_SPACE}ETH$`))
  expect(party).toEqual({ label: 'To', address: mira, of: 'account' })
})

test('a known call says what it does, and names the receiver of tokens', () => {
  const args = [
    { name: 'to', type: 'address', value: mira },
    { name: 'value', type: 'uint256', value: '1' },
  ]
  const transfer = { name: 'transfer', signature: 'transfer(address,uint256)', args }
  expect(transaction({ to: token, data: '0xa9059cbb', call: transfer })).toMatchObject({
    title: 'Send tokens',
    party: { label: 'To', address: mira },
  })
  const approve = { name: 'approve', signature: 'approve(address,uint256)', args }
  expect(transaction({ to: token, data: '0x095ea7b3', call: approve })).toMatchObject({
    title: 'Allow spending of tokens',
    party: { label: 'On contract', address: token, of: 'contract' },
  })
})

test('what could not be decoded is a contract call and nothing more', () => {
  expect(transaction({ data: '0xdeadbeef' }).title).toBe('Contract call')
  expect(transaction({ to: null, data: '0x6080' })).toMatchObject({ title: 'Deploy a contract', party: null })
})

test('a transaction that is only signed says so', () => {
  expect(transaction({ broadcast: false })).toMatchObject({
    kind: 'Transaction, signed but not sent',
    note: 'The site gets the signed transaction and can send it at any time.',
  })
})

test('a message is text or a number of bytes; a type name is cut and quoted', () => {
  const message = (text: string | null): Effect => ({ kind: 'message', bytes: '0x00ff', text, signedAs: '' })
  expect(headlineOf({ network, effect: message('hi') }).title).toBe('Sign a message')
  expect(headlineOf({ network, effect: message(null) }).title).toBe('Sign 2 bytes of data')
  const primaryType = 'x'.repeat(100)
  const typed: Effect = {
    kind: 'typedData',
    domain: [],
    primaryType,
    message: { name: '', type: primaryType, value: [] },
    json: '{}',
  }
  expect(headlineOf({ network, effect: typed }).title).toBe(`Sign “${'x'.repeat(32)}…”`)
})
