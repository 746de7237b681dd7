import { expect, test } from 'vitest'
import type { NetworkView } from '../messages.ts'
import { inWords } from './findings.ts'

const network: NetworkView = {
  chainId: 1,
  title: 'Ethereum',
  symbol: 'ETH',
  decimals: 18,
  testnet: false,
  rpcUrl: null,
}

test('amounts are filled in with their unit', () => {
  const values = [580_000_000_000_000n, 190_000_000_000_000n, 390_000_000_000_000n].map(String)
  const { title, text } = inWords({ level: 'blocked', name: 'insufficientFunds', values }, network)
  expect(title).toBe('Not enough ETH for this')
  expect(text).toBe('This needs up to 0.00058 ETH. The account holds 0.00019 ETH, so it is short by 0.00039 ETH.')
})

test('counts are grouped, and reasons from outside stay as they are', () => {
  expect(inWords({ level: 'caution', name: 'createsContract', values: ['6214'] }, network).text).toContain(
    '6,214 bytes',
  )
  const reason = 'execution reverted: "$1"'
  expect(inWords({ level: 'caution', name: 'likelyToFail', values: [reason] }, network).text).toContain(reason)
})

test('a danger names the loss, which is what the person says to understand', () => {
  expect(inWords({ level: 'danger', name: 'unlimitedAllowance', values: [] }, network).loss).toMatch(/^I understand /)
  expect(inWords({ level: 'danger', name: 'approvalForAll', values: [] }, network).loss).toMatch(/^I understand /)
})
