import type { Network } from '@heliograph/shared/network'
import { AbiCoder } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testNetworks } from '../networks/networks.fixture.ts'
import { ADDRESS, chainOf, recordingWallet, reject, SECOND, startNode } from '../wallet.fixture.ts'
import { readToken, readTokenMetadata } from './token-contracts.ts'
import { isPlainSymbol, MAX_TOKEN_SYMBOL, tokenText } from './token-text.ts'
import { plainSymbol } from './tokens.ts'

const [network] = testNetworks as [Network]
const encode = (type: string, value: unknown) => AbiCoder.defaultAbiCoder().encode([type], [value])
const hexOf = (bytes: Uint8Array | string) => `0x${Buffer.from(bytes).toString('hex')}`
const bytes32 = (text: string) => hexOf(Buffer.concat([Buffer.from(text), Buffer.alloc(32)]).subarray(0, 32))

const [SYMBOL, DECIMALS] = ['0x95d89b41', '0x313ce567']

const chainSaying = (answers: Record<string, unknown>) =>
  chainOf({
    eth_call: ([call, block]) => {
      expect(block).toBe('latest')
      return answers[(call as { data: string }).data]
    },
  })
const read = (answers: Record<string, unknown>) => readToken(chainSaying(answers), network, ADDRESS)

const LONG = 'LONG-'.repeat(13)

/** Results of `symbol()`, and the symbol that they contain. */
const ANSWERS: Record<string, [answer: unknown, symbol: string | null]> = {
  'a string': [encode('string', 'ÖRE'), 'ÖRE'],
  'a string of 12 characters': [encode('string', 'aArbWETH-USD'), 'aArbWETH-USD'],
  'a string of 18 characters': [encode('string', 'PT-sUSDe-25SEP2025'), 'PT-sUSDe-25SEP2025'],
  'a string of 65 characters is cut': [encode('string', LONG), LONG.slice(0, MAX_TOKEN_SYMBOL)],
  'a string that is cut within a surrogate pair': [encode('string', `${'x'.repeat(63)}😀`), 'x'.repeat(63)],
  'a string with trailing zeros': [encode('string', 'USDC\0\0\0'), 'USDC'],
  'a string with a zero inside': [encode('string', 'USDC\0x'), 'USDC\0x'],
  'a string followed by more data': [`${encode('string', 'ORE')}${'00'.repeat(64)}`, 'ORE'],
  'a string surrounded by spaces': [encode('string', ' ORE '), 'ORE'],
  'a string without padding': [`${encode('string', 'ORE').slice(0, -58)}`, 'ORE'],
  'an empty string': [encode('string', ''), null],
  'a string of spaces': [encode('string', '  '), null],
  'a string of invalid UTF-8': [encode('bytes', '0x55fffe'), null],
  bytes32: [bytes32('MKR'), 'MKR'],
  '32 full bytes': [bytes32('a'.repeat(32)), 'a'.repeat(32)],
  'bytes32 of invalid UTF-8': [bytes32('').replace('0x0000', '0xfffe'), null],
  'bytes32 of zeros': [bytes32(''), null],
  'a number': [encode('uint256', 256), null],
  nothing: ['0x', null],
  'no DATA': ['text', null],
  'a JSON number': [7, null],
  null: [null, null],
  'no answer': [undefined, null],
}

for (const [name, [answer, symbol]] of Object.entries(ANSWERS))
  test(`${name}: the token page, approvals and suggestions read the same symbol`, async () => {
    expect(tokenText(answer)).toBe(symbol)
    expect((await read({ [SYMBOL]: answer })).symbol).toBe(symbol)
    const chain = chainSaying({ [SYMBOL]: answer })
    expect((await readTokenMetadata({ chain, network }, [{ address: ADDRESS, kind: 'erc20' }]))[0]?.symbol).toBe(symbol)
    const page = (await readTokenMetadata({ chain, network }, [{ address: ADDRESS, kind: 'erc721' }]))[0]
    expect(page?.symbol).toBe(symbol)
  })

test('decimals are a uint8', async () => {
  expect(await read({ [DECIMALS]: encode('uint8', 6) })).toEqual({ symbol: null, decimals: 6 })
  for (const answer of ['0x', undefined, null, 7, 'text', encode('uint256', 256)])
    expect((await read({ [DECIMALS]: answer })).decimals, String(answer)).toBeNull()
})

test('an unreachable node returns nothing', async () => {
  expect(await readToken(chainOf({}), network, ADDRESS)).toEqual({ symbol: null, decimals: null })
})

test('any text of up to 32 bytes is read alike as a string and as bytes32, and any bytes are read', () => {
  const short = fc.string({ unit: 'grapheme', maxLength: 32 }).filter(text => Buffer.byteLength(text) <= 32)
  fc.assert(
    fc.property(
      short.filter(text => !text.includes('\0')),
      text => {
        expect(tokenText(encode('string', text))).toBe(text.trim() || null)
        expect(tokenText(bytes32(text))).toBe(text.trim() || null)
      },
    ),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      for (const answer of [hexOf(bytes), encode('bytes', bytes)]) {
        const symbol = tokenText(answer)
        if (symbol !== null) expect(symbol.length).toBeLessThanOrEqual(MAX_TOKEN_SYMBOL)
        expect(plainSymbol(symbol) ?? '').not.toMatch(/[\p{Cc}\u202e]/u)
      }
    }),
  )
})

test('long symbols of positions are plain; sentences, sites and hidden characters are not', () => {
  for (const symbol of ['ORE', 'UNI LP', 'DAI.e', 'PT-sUSDe-25SEP2025', 'aArbWETH-USD', 'vAMM-WETH/USDC'])
    expect(isPlainSymbol(symbol), symbol).toBe(true)
  for (const symbol of [
    'Visit prize.example',
    'claim-USDC.example',
    't.me/airdrop-now',
    'https://prize',
    'US\u200bDC',
    'O\u202eRE',
    '',
  ])
    expect(isPlainSymbol(symbol), symbol).toBe(false)
  expect(isPlainSymbol(null)).toBe(false)
})

/** Returns the wallet's review of an allowance for a token with this `symbol()` result. */
const allowanceOf = async (symbol: unknown) => {
  const { chain } = startNode({
    eth_call: ([call]) => ((call as { data: string }).data === SYMBOL ? symbol : encode('uint8', 18)),
  })
  const { ask, seen } = await recordingWallet({ chain, person: reject })
  const data = `0x095ea7b3${SECOND.slice(2).toLowerCase().padStart(64, '0')}${'5'.padStart(64, '0')}`
  await expect(ask('eth_sendTransaction', { from: ADDRESS, to: `0x${'ab'.repeat(20)}`, data })).rejects.toThrow()
  return seen[0]
}

for (const [said, shown] of [
  [encode('string', 'PT-sUSDe-25SEP2025'), 'PT-sUSDe-25SEP2025'],
  [encode('string', LONG), LONG.slice(0, MAX_TOKEN_SYMBOL)],
  [bytes32('MKR'), 'MKR'],
  [encode('string', 'USD\u202eC'), null],
] as const)
  test(`the symbol of an approval is ${JSON.stringify(shown)}`, async () => {
    expect(await allowanceOf(said)).toMatchObject({ effect: { tokens: [{ symbol: shown }] } })
  })
