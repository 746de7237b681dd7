import { expect, test } from 'vitest'
import { spamMarkOf } from './spam.ts'

const known = ['ETH', 'USDC', 'DAI', 'USDC.e']

test.for([
  'claim at win.example.com',
  'https://a',
  'www.gift',
  'USDC-Rewards.xyz',
  'ETHGift․com',
  'uniswap。app',
  'Visit usdc-gift [.] com',
  'usdc (dot) net',
  'lido . fi .com',
  't.me/free',
  'x\u200b.\u200bcom',
  'АIRDROP.сom site.org',
  'a.it',
])('%s has the address of a site', name => {
  expect(spamMarkOf(name, known)).toBe('site')
})

test.for(['Claim rewards', 'VISIT US', '$ 5000 USDC', 'Frее Мint reward', 'ETH Airdrop', 'You won', '£100'])(
  '%s promises something',
  name => {
    expect(spamMarkOf(name, known)).toBe('offer')
  },
)

test.for(['USDС', 'U S D C', 'ЕTH', 'eth', 'DАI', 'usdc', 'U5DC'.replace('5', 'S')])('%s imitates a token', name => {
  expect(spamMarkOf(name, known)).toBe('imitation')
})

test.for([
  'STRAY',
  'WETH.e',
  'BTC.b',
  'SolvBTC.BBN',
  'Pudgy Penguins',
  'CryptoPunks vol. ii',
  'Love. Art',
  'UNI-V2',
  '',
  null,
])('%s is no spam', name => {
  expect(spamMarkOf(name, known)).toBeNull()
})
