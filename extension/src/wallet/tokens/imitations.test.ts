import { expect, test } from 'vitest'
import { imitated } from './imitations.ts'

test.for([
  ['USDC', ['ETH', 'USDC'], 'USDC'],
  ['usdc', ['USDC'], 'USDC'],
  ['U\u200bSDC', ['USDC'], 'USDC'],
  ['UЅDС', [], 'USDC'],
  ['DAl', [], 'DAI'],
  ['ＷＥＴＨ', [], 'WETH'],
  ['E T H', [], 'ETH'],
  ['е', ['E'], 'E'],
] as const)('%s imitates another symbol', ([symbol, own, expected]) => {
  expect(imitated(symbol, own)).toBe(expected)
})

test.for([
  ['USDC', ['ETH']],
  ['usdc', []],
  ['ACME', ['ETH', 'USDC']],
  ['', ['ETH']],
  ['\u200b', ['ETH']],
] as const)('%s does not imitate a symbol', ([symbol, own]) => {
  expect(imitated(symbol, own)).toBeNull()
})
