/**
 * Checks the catalogue of tokens (`extension/public/tokens.json`). Generating it downloads packages, so the tests do not
 * generate it again. They check its form and the functions that generate it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  serialiseTokens,
  type TokenCatalogue,
  type TokenEntry,
  toTokenCatalogue,
  validateTokens,
} from '../../extension/tokens/catalogue.ts'
import { TOKEN_SOURCES } from '../../extension/tokens/sources.ts'
import { root } from '../support/root.ts'

const file = readFileSync(join(root, 'extension/public/tokens.json'), 'utf8')
const catalogue: TokenCatalogue = JSON.parse(file)

/** Addresses from the issuers' documentation, by chain and symbol. */
const REQUIRED: readonly (readonly [chainId: number, symbol: string, address: string, decimals: number])[] = [
  [1, 'USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6],
  [1, 'USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 6],
  [1, 'DAI', '0x6B175474E89094C44Da98b954EedeAC495271d0F', 18],
  [1, 'WBTC', '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 8],
  [1, 'WETH', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 18],
  [10, 'USDC', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', 6],
  [56, 'USDT', '0x55d398326f99059fF775485246999027B3197955', 18],
  [137, 'USDC', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 6],
  [8453, 'USDC', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 6],
  [42161, 'USDC', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 6],
]
/** Networks of the first choice in a new wallet. */
const MAIN_NETWORKS = [1, 10, 56, 137, 8453, 42161]

const entry = (more: Partial<TokenEntry> = {}): TokenEntry => ({
  chainId: 1,
  address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  symbol: 'USDC',
  decimals: 6,
  ...more,
})
const OTHER = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

test('the file is valid, formatted as the generator writes it, and small', () => {
  validateTokens(catalogue)
  expect(file).toBe(serialiseTokens(catalogue))
  expect(file.length).toBeLessThan(100_000)
})

test('it has the most used tokens of the main networks', () => {
  for (const [chainId, symbol, address, decimals] of REQUIRED)
    expect(catalogue[chainId], symbol).toContainEqual([address, symbol, decimals])
  for (const chainId of MAIN_NETWORKS) expect(catalogue[chainId]?.length, `${chainId}`).toBeGreaterThan(20)
})

test('packages have exact versions and hashes, each once', () => {
  for (const { name, version, integrity } of TOKEN_SOURCES) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/)
    expect(integrity, name).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
  }
  expect(new Set(TOKEN_SOURCES.map(({ name }) => name)).size).toBe(TOKEN_SOURCES.length)
})

test('a chain keeps the first token of an address and of a symbol', () => {
  expect(
    toTokenCatalogue([
      entry(),
      entry({ symbol: 'USDC.e' }),
      entry({ address: OTHER, symbol: 'usdc' }),
      entry({ address: OTHER, symbol: 'USD₮' }),
      entry({ address: '0x6B175474E89094C44Da98b954EedeAC495271d0F', symbol: 'USDT' }),
    ]),
  ).toEqual({
    1: [
      ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USDC', 6],
      [OTHER, 'USD₮', 6],
    ],
  })
})

test('tokens with unusual symbols, decimals, addresses and chains are left out', () => {
  expect(
    toTokenCatalogue([
      entry({ symbol: 'win me.com' }),
      entry({ symbol: '' }),
      entry({ symbol: 'A'.repeat(12) }),
      entry({ decimals: Number.NaN }),
      entry({ decimals: 37 }),
      entry({ address: `0x${'0'.repeat(40)}` }),
      entry({ address: '0x12' }),
      entry({ chainId: 5 }),
    ]),
  ).toEqual({})
})

test('a malformed file is rejected', () => {
  const [usdc] = toTokenCatalogue([entry()])[1] ?? []
  expect(() => validateTokens({ 1: [usdc ?? ['', '', 0], usdc ?? ['', '', 0]] })).toThrow('twice')
  expect(() => validateTokens({ 1: [[OTHER.toLowerCase(), 'USDT', 6]] })).toThrow('address without its checksum')
  expect(() => validateTokens({ 1: [[OTHER, 'USDT', 99]] })).toThrow('malformed')
})
