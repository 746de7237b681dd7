import type { Hex } from '@heliograph/shared/evm/hex'
import { hashDomain, parseTypedData } from '@heliograph/shared/evm/typed-data'
import { AbiCoder, concat, Interface } from 'ethers'
import { expect, test } from 'vitest'
import type { ExplainedValue, TokenView } from '../../messages.ts'
import { localChain } from '../networks/networks.fixture.ts'
import { memoryStore } from '../storage/store.ts'
import { ADDRESS, chainOf, NOW, SECOND } from '../wallet.fixture.ts'
import { MAX_FIELDS, MAX_TEXT } from './descriptor.ts'
import { parseDescriptors } from './descriptor-json.ts'
import {
  approveDescriptor,
  NATIVE,
  OTHER_TOKEN,
  PERMIT,
  permitDescriptor,
  ROUTER,
  SWAP,
  swapDescriptor,
  TOKEN,
} from './descriptors.fixture.ts'
import { createDescriptors } from './descriptors.ts'
import { explainCall, explainTypedData, withUnread } from './explain.ts'

const coder = AbiCoder.defaultAbiCoder()
const APPROVE = 'approve(address spender,uint256 value)'
const symbols: Record<string, [string, number]> = {
  [TOKEN.toLowerCase()]: ['COIN', 6],
  [OTHER_TOKEN.toLowerCase()]: ['DAI', 18],
}
const encode = (text: string, ...values: unknown[]): Hex => {
  const contract = new Interface([
    `function ${text.replaceAll('((', '(tuple(').replaceAll(',(', ',tuple(').replace('swap((', 'swap(tuple(')}`,
  ])
  return contract.encodeFunctionData(contract.fragments[0]?.format() ?? '', values) as Hex
}
const coin: TokenView = { address: TOKEN, symbol: 'COIN', decimals: 6, balance: null, listed: true }

/** Creates descriptors, and a node that knows two tokens. `asked` lists the tokens for which it was queried. */
const start = async (...given: unknown[]) => {
  const descriptors = createDescriptors(memoryStore(), () => NOW)
  for (const one of given) await descriptors.add(parseDescriptors(JSON.stringify(one)), 'words.json')
  const asked = new Set<string>()
  const chain = chainOf({
    eth_call: ([call]) => {
      const { to, data } = call as { to: string; data: string }
      asked.add(to)
      const [symbol, decimals] = symbols[to.toLowerCase()] ?? []
      return data === '0x95d89b41' ? coder.encode(['string'], [symbol]) : coder.encode(['uint8'], [decimals])
    },
  })
  const assets = { list: async () => [], add: async () => {}, remove: async () => {} }
  const parts = { descriptors, chain, assets, network: localChain }
  const call = (to: string | null, data: Hex, value = '0x0', tokens: readonly TokenView[] = []) =>
    explainCall(parts, { from: ADDRESS, to, value, data }, tokens)
  return { parts, asked, call }
}

const textOf = (value: ExplainedValue): unknown => {
  if (value.kind === 'text') return value.text
  if (value.kind === 'tokenAmount') return `${value.amount} ${value.token.symbol} ${value.token.decimals}`
  return Object.values(value).slice(1).join(' ')
}
const rowsOf = (explained: Awaited<ReturnType<Awaited<ReturnType<typeof start>>['call']>>['explained']) =>
  explained?.fields.map(({ label, value }) => `${label}: ${textOf(value)}`)

test('an allowance is explained with the amount and the spender', async () => {
  const { call, asked } = await start(approveDescriptor)
  const { explained, findings } = await call(TOKEN.toLowerCase(), encode(APPROVE, SECOND, 1_500_000n), '0x0', [coin])
  expect(explained).toMatchObject({ owner: 'Coin Maker', source: 'words.json', intent: 'Approve' })
  expect(explained?.fields).toEqual([
    { label: 'Spender', value: { kind: 'address', address: SECOND } },
    // Symbol and decimals come from the contract, not from the descriptor.
    { label: 'Amount', value: { kind: 'tokenAmount', amount: '1500000', token: coin } },
  ])
  expect(findings).toEqual([])
  expect([...asked]).toEqual([])
})

test('an amount above the threshold is shown as unlimited', async () => {
  const { call } = await start(approveDescriptor)
  const { explained } = await call(TOKEN, encode(APPROVE, SECOND, 2n ** 256n - 1n))
  expect(rowsOf(explained)?.[1]).toBe('Amount: null COIN 6')
})

const order = {
  source: NATIVE,
  target: OTHER_TOKEN,
  cuts: [
    [SECOND, 25],
    [ADDRESS, 5],
  ],
  amount: 3n * 10n ** 18n,
  least: 7n,
}
const swap = (deadline: bigint, note: string) =>
  encode(
    SWAP,
    [order.source, order.target, order.cuts, order.amount, order.least],
    concat([TOKEN, '0x000bb8', OTHER_TOKEN]),
    deadline,
    1,
    note,
  )

test('a swap with nested values is explained, including tokens that only the descriptor names', async () => {
  const { call, asked } = await start(swapDescriptor)
  const { explained } = await call(ROUTER, swap(1_800_000_000n, 'Grüße'), '0xde0b6b3a7640000')
  expect(explained?.intent).toBe('action: Swap, kind: tokens')
  expect(rowsOf(explained)).toEqual([
    'Send: 3000000000000000000 ETH 18',
    'Receive at least: 7 DAI 18',
    `Fee to: ${SECOND}`,
    `Fee to: ${ADDRESS}`,
    'Fee: 25 % 2',
    'Fee: 5 % 2',
    `First token: ${TOKEN}`,
    `Last token: ${OTHER_TOKEN}`,
    'Until: 1800000000',
    'Mode: Exact output',
    'Note: Grüße',
    'Coins: 1000000000000000000 ETH 18',
  ])
  expect([...asked].map(address => address.toLowerCase())).toContain(OTHER_TOKEN.toLowerCase())
})

test('a date out of range, and an amount of a token that does not respond, are shown as numbers', async () => {
  const { call, parts } = await start(swapDescriptor)
  const { explained } = await call(ROUTER, swap(2n ** 64n - 1n, ''))
  expect(rowsOf(explained)).toContain('Until: 18446744073709551615')
  const silent = { ...parts, chain: chainOf({}) }
  const { explained: unread } = await explainCall(
    silent,
    { from: ADDRESS, to: ROUTER, value: '0x0', data: swap(1n, '') },
    [],
  )
  expect(rowsOf(unread)?.[1]).toBe('Receive at least: 7 null null')
})

const types = {
  Permit: ['owner address', 'spender address', 'value uint256', 'nonce uint256', 'deadline uint256'].map(field => {
    const [name, type] = field.split(' ')
    return { name, type }
  }),
}
const permit = (domain: object) =>
  parseTypedData({
    types,
    primaryType: 'Permit',
    domain,
    message: { owner: ADDRESS, spender: SECOND, value: '2500000', nonce: 0, deadline: 3600 },
  })
const DOMAIN = { name: 'Coin', version: '2', chainId: 31337, verifyingContract: TOKEN }

test('a permit is explained if its domain matches the descriptor', async () => {
  const { parts } = await start(permitDescriptor)
  const explain = (domain: object) => explainTypedData(parts, permit(domain), ADDRESS, [])
  expect(rowsOf((await explain(DOMAIN)).explained)).toEqual([
    `Spender: ${SECOND}`,
    'Amount: 2500000 COIN 6',
    'Valid for: 3600',
  ])
  for (const change of [{ name: 'coin' }, { version: '1' }, { verifyingContract: SECOND }, { chainId: 1 }])
    expect(await explain({ ...DOMAIN, ...change })).toEqual({})
  expect(await explain({ name: 'Coin', version: '2', verifyingContract: TOKEN })).toEqual({})
  expect(await explain({ name: 'Coin', version: '2', chainId: 31337 })).toEqual({})
})

test("a type is matched in full or by its primary type's name, and a domain by its hash", async () => {
  const [format] = Object.values(permitDescriptor.display.formats)
  const explain = async (type: string, domainSeparator?: string) => {
    const { eip712 } = permitDescriptor.context
    const context = { eip712: { ...eip712, domainSeparator } }
    const { parts } = await start({ ...permitDescriptor, context, display: { formats: { [type]: format } } })
    return (await explainTypedData(parts, permit(DOMAIN), ADDRESS, [])).explained?.intent
  }
  expect(await explain('Permit')).toBe('Authorize spending')
  expect(await explain(PERMIT.replace('nonce', 'salt'))).toBeUndefined()
  expect(await explain(PERMIT, `0x${'1'.repeat(64)}`)).toBeUndefined()
  expect(await explain(PERMIT, hashDomain(permit(DOMAIN)).toUpperCase().replace('X', 'x'))).toBe('Authorize spending')
})

test('calls to another chain, contract or function, and contract creations, are not explained', async () => {
  const { call } = await start(approveDescriptor, {
    ...swapDescriptor,
    context: { contract: { deployments: [{ chainId: 1, address: ROUTER }] } },
  })
  const nothing = { findings: [] }
  expect(await call(SECOND, encode(APPROVE, SECOND, 1n))).toEqual(nothing)
  expect(await call(TOKEN, encode('transfer(address to,uint256 value)', SECOND, 1n))).toEqual(nothing)
  expect(await call(TOKEN, '0x')).toEqual(nothing)
  expect(await call(null, encode(APPROVE, SECOND, 1n))).toEqual(nothing)
  expect(await call(ROUTER, swap(1n, ''))).toEqual(nothing)
})

test('malformed and unusual data is reported and not explained', async () => {
  const { call } = await start(approveDescriptor, swapDescriptor)
  const good = swap(1n, 'x')
  expect(await call(TOKEN, `${encode(APPROVE, SECOND, 1n)}00`)).toEqual({
    findings: [{ level: 'caution', name: 'unusualEncoding', values: [] }],
  })
  expect(await call(ROUTER, `${good}00`)).toEqual({
    findings: [{ level: 'caution', name: 'unusualEncoding', values: [] }],
  })
  expect(await call(ROUTER, `${good.slice(0, 10)}${'f'.repeat(good.length - 10)}` as Hex)).toEqual({
    findings: [{ level: 'danger', name: 'malformedCall', values: ['swap'] }],
  })
})

test('findings from an explanation never replace other findings', () => {
  const own = [
    { level: 'danger', name: 'malformedCall', values: ['a'] },
    { level: 'danger', name: 'malformedCall', values: ['b'] },
  ] as const
  const added = { findings: [{ level: 'danger', name: 'malformedCall', values: ['c'] }] } as const
  expect(withUnread(own, [added, added])).toEqual(own)
  expect(withUnread([], [added, added])).toEqual(added.findings)
})

test('the newest descriptor of a contract explains its call', async () => {
  const [fields] = Object.values(approveDescriptor.display.formats)
  const newer = { ...approveDescriptor, display: { formats: { [APPROVE]: { ...fields, intent: 'Newer' } } } }
  const { call } = await start(approveDescriptor, newer)
  expect((await call(TOKEN, encode(APPROVE, SECOND, 1n))).explained?.intent).toBe('Newer')
})

test('hostile descriptors show only a limited number of shortened texts', async () => {
  const text = 'a'.repeat(5_000)
  const fields = [
    { path: 'order.cuts.[].payee', label: text, format: 'raw' },
    ...Array.from({ length: 2 * MAX_FIELDS }, () => ({ path: 'note', label: '\u202eevil', format: 'raw' })),
  ]
  const { call } = await start({ ...swapDescriptor, display: { formats: { [SWAP]: { intent: text, fields } } } })
  const { explained } = await call(ROUTER, swap(1n, text))
  expect(explained?.fields).toHaveLength(MAX_FIELDS)
  expect(explained?.isCut).toBe(true)
  expect(Math.max(...(rowsOf(explained) ?? []).map(row => row.length))).toBeLessThanOrEqual(2 * MAX_TEXT + 60)
})

test('text is never read as a number or an address', async () => {
  const formats = ['tokenAmount', 'amount', 'date', 'duration', 'unit', 'nftName', 'addressName']
  const params = { tokenPath: '@.to', decimals: 2 }
  const fields = formats.map(format => ({ path: 'note', label: format, format, params }))
  const { call } = await start({ ...swapDescriptor, display: { formats: { [SWAP]: { intent: null, fields } } } })
  for (const note of ['5000000', TOKEN]) {
    const { explained } = await call(ROUTER, swap(1n, note))
    expect(explained?.fields.map(({ value }) => value)).toEqual(formats.map(() => ({ kind: 'text', text: note })))
  }
})

test("a function whose selector belongs to another function in the wallet's table is not explained", async () => {
  const collision = 'sign_szabo_bytecode(bytes16 nothing, uint128 important)'
  const formats = { [collision]: { intent: 'Harmless', fields: [] } }
  const { call } = await start({ ...approveDescriptor, display: { formats } })
  const spender = `0x70997970${'0'.repeat(32)}`
  expect(await call(TOKEN, encode(APPROVE, spender, 1n))).toEqual({ findings: [] })
})
