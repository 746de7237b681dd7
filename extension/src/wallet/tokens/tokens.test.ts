import type { Network } from '@heliograph/shared/network'
import { AbiCoder, toBeHex } from 'ethers'
import { expect, test } from 'vitest'
import type { TokenAct } from '../../messages.ts'
import { testNetworks } from '../networks/networks.fixture.ts'
import { ADDRESS, chainOf, SECOND } from '../wallet.fixture.ts'
import { MAX_ALLOWANCES, readTokens } from './tokens.ts'

const [network] = testNetworks as [Network]
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const number = (value: bigint | number) => AbiCoder.defaultAbiCoder().encode(['uint256'], [value])
const [SUPPLY, BALANCE, DECIMALS, SUPPORTS, ALLOWANCE] = ['18160ddd', '70a08231', '313ce567', '01ffc9a7', 'dd62ed3e']

const allow = (more: Partial<TokenAct & { kind: 'allow' }> = {}): TokenAct => ({
  kind: 'allow',
  token: TOKEN,
  spender: SECOND,
  amount: '5',
  until: null,
  adds: false,
  ...more,
})
const read = (acts: readonly TokenAct[], answers: Record<string, unknown>) => {
  const asked: string[] = []
  const chain = chainOf({
    eth_call: ([call]) => {
      const { data } = call as { data: string }
      asked.push(data)
      return answers[data.slice(2, 10)]
    },
  })
  const assets = { list: async () => [], add: async () => {}, remove: async () => {} }
  return { asked, tokens: readTokens({ chain, network, assets }, ADDRESS, acts) }
}

test('reads supply, balance and existing allowance for an allowance', async () => {
  const answers = { [SUPPLY]: number(1000), [BALANCE]: number(7), [DECIMALS]: number(6), [ALLOWANCE]: number(90) }
  expect(await read([allow({ adds: true })], answers).tokens).toEqual([
    {
      address: TOKEN,
      symbol: null,
      decimals: 6,
      balance: '7',
      listed: false,
      supply: '1000',
      allowed: [{ spender: SECOND, amount: '90' }],
    },
  ])
  expect((await read([allow()], answers).tokens)[0]).not.toHaveProperty('allowed')
})

test("missing responses are null, and an item's transfer is not measured", async () => {
  expect((await read([allow()], {}).tokens)[0]).toMatchObject({ balance: null, symbol: null })
  expect((await read([allow()], {}).tokens)[0]).not.toHaveProperty('supply')
  const transfer: TokenAct = { kind: 'transfer', token: TOKEN, from: ADDRESS, to: SECOND, amount: '1', id: '5' }
  const { asked, tokens } = read([transfer], {})
  await tokens
  expect(asked.some(data => data.startsWith(`0x${SUPPLY}`))).toBe(false)
})

test('a collection is recognized and has no decimals', async () => {
  const items = { [SUPPORTS]: number(1) }
  expect((await read([allow()], items).tokens)[0]).toMatchObject({ collection: true })
  expect((await read([allow()], { ...items, [DECIMALS]: number(18) }).tokens)[0]).not.toHaveProperty('collection')
})

test("a transfer's amount can be an item id, so the token is asked for its standard", async () => {
  const transfer: TokenAct = { kind: 'transfer', token: TOKEN, from: ADDRESS, to: SECOND, amount: '5', id: null }
  expect((await read([transfer], { [SUPPORTS]: number(1) }).tokens)[0]).toMatchObject({ collection: true })
})

test('other tokens do not count towards the limit of measured tokens', async () => {
  const others = Array.from({ length: 100 }, (_, at): TokenAct => {
    const token = toBeHex(at + 1, 20)
    return { kind: 'transfer', token, from: ADDRESS, to: SECOND, amount: '5', id: null }
  })
  const tokens = await read([...others, allow()], { [SUPPLY]: number(9) }).tokens
  expect(tokens).toHaveLength(MAX_ALLOWANCES)
  expect(tokens[0]).toMatchObject({ address: TOKEN, supply: '9' })
})
