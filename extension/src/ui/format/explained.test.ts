import { expect, test } from 'vitest'
import type { ExplainedValue, TokenView } from '../../messages.ts'
import { addressOf, explainedText, formatDuration } from './explained.ts'

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const coin: TokenView = { address: TOKEN, symbol: 'USDC', decimals: 6, balance: null, listed: true }
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

test.each<[value: ExplainedValue, text: string, address: string | null]>([
  [{ kind: 'text', text: 'Exact input' }, 'Exact input', null],
  [{ kind: 'address', address: TOKEN }, '', TOKEN],
  [{ kind: 'amount', amount: '1500000000000000000', unit: 'ETH', decimals: 18 }, '1.5 ETH', null],
  [{ kind: 'amount', amount: '25', unit: '', decimals: 0 }, '25', null],
  [{ kind: 'tokenAmount', amount: '100000000', token: coin }, '100 USDC', null],
  [{ kind: 'tokenAmount', amount: null, token: coin }, 'Unlimited USDC', null],
  [{ kind: 'tokenAmount', amount: '1', token: { ...coin, listed: false } }, '0.000001 “USDC”', TOKEN],
  [
    { kind: 'tokenAmount', amount: '7', token: { ...coin, symbol: null, decimals: null, listed: false } },
    '7 smallest units',
    TOKEN,
  ],
  [{ kind: 'item', id: '7', collection: TOKEN }, '#7', TOKEN],
  [{ kind: 'item', id: '123456789012345', collection: null }, '#123456…2345', null],
  [{ kind: 'date', at: '1763733900' }, '21 Nov 2025, 14:05', null],
  [{ kind: 'duration', seconds: '90061' }, '1 day 1 hour 1 minute 1 second', null],
])('%j', (value, text, address) => {
  expect(plain(explainedText(value)).replace('Nov 21, 2025', '21 Nov 2025')).toBe(text)
  expect(addressOf(value)).toBe(address)
})

test('a duration of zero is zero seconds', () => {
  expect(formatDuration(0)).toBe('0 seconds')
})
