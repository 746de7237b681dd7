import { decodeTransaction } from '@heliograph/shared/evm/transaction'
import { AbiCoder, id as hashOf, Interface } from 'ethers'
import { expect, test } from 'vitest'
import { type AllowanceKind, type AllowanceView, PERMIT2 } from '../../messages.ts'
import { APPROVAL, APPROVAL_FOR_ALL, PERMIT2_APPROVAL, PERMIT2_PERMIT } from '../allowances/given.ts'
import { nodeError } from '../networks/answers.ts'
import { refusal } from '../networks/node.fixture.ts'
import { ADDRESS, type Answers, createdWallet, NOW, SECOND, startNode } from '../wallet.fixture.ts'
import { MAX_STANDING } from './allowances.ts'

const COIN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const CATS = '0x253d832c2719B1f7078A453d5a35a1a509C2ED81'
const ROUTER = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
const MARKET = '0x56fFaBB8Cf7C816cc72a22080aB9B8F04b0a70E7'
const OWN = { address: ADDRESS, chainId: 31337 }
const HEAD = 16
const SECONDS = NOW / 1000

const word = (value: bigint | number | string) => BigInt(value).toString(16).padStart(64, '0')
const topic = (value: string | number) => `0x${word(value)}`
const log = (address: string, block: number, ...topics: string[]) => ({
  address: address.toLowerCase(),
  topics,
  data: `0x${word(7)}`,
  blockNumber: `0x${block.toString(16)}`,
})
const coder = AbiCoder.defaultAbiCoder()
const calls = new Interface([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
  'function getApproved(uint256 item) view returns (address)',
  'function ownerOf(uint256 item) view returns (address)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
])
const permit2 = new Interface([
  'function allowance(address owner, address token, address spender) view returns (uint160, uint48, uint48)',
])

type Standing = Partial<Record<'coin' | 'cats' | 'permit' | 'item', unknown>>

/** Returns the contracts' responses. `standing` are the current allowances. */
const contracts =
  (standing: Standing) =>
  ([call]: readonly unknown[]): string => {
    const { to, data } = call as { to: string; data: string }
    const answer = (types: string[], ...values: unknown[]) => coder.encode(types, values)
    if (to === PERMIT2 && permit2.parseTransaction({ data }))
      return answer(['uint160', 'uint48', 'uint48'], ...((standing.permit ?? [0, 0, 0]) as unknown[]))
    const named = calls.parseTransaction({ data })
    const isCoin = to.toLowerCase() === COIN.toLowerCase()
    if (named?.name === 'symbol') return answer(['string'], isCoin ? 'COIN' : 'Cats\u202e')
    if (named?.name === 'decimals' && isCoin) return answer(['uint8'], 6)
    if (named?.name === 'allowance' && named.args[1] === ROUTER) return answer(['uint256'], standing.coin ?? 0)
    if (named?.name === 'isApprovedForAll') return answer(['bool'], standing.cats ?? false)
    if (named?.name === 'getApproved') return answer(['address'], standing.item ?? `0x${'0'.repeat(40)}`)
    if (named?.name === 'ownerOf') return answer(['address'], named.args[0] === 12n ? ADDRESS : SECOND)
    throw nodeError({ code: 3, message: 'execution reverted' })
  }

const logs = [
  log(COIN, 3, APPROVAL, topic(ADDRESS), topic(ROUTER)),
  log(COIN, 9, APPROVAL, topic(ADDRESS), topic(ROUTER)),
  log(COIN, 9, APPROVAL, topic(ADDRESS), topic(MARKET)),
  log(COIN, 9, APPROVAL, topic(SECOND), topic(ROUTER)),
  log(CATS, 12, APPROVAL_FOR_ALL, topic(ADDRESS), topic(MARKET)),
  log(CATS, 5, APPROVAL, topic(ADDRESS), topic(ROUTER), topic(12)),
  log(CATS, 5, APPROVAL, topic(ADDRESS), topic(ROUTER), topic(13)),
  log(PERMIT2, 4, PERMIT2_PERMIT, topic(ADDRESS), topic(COIN), topic(MARKET)),
  // Permit2 events from other contracts, and malformed logs, are ignored.
  log(CATS, 4, PERMIT2_APPROVAL, topic(ADDRESS), topic(COIN), topic(ROUTER)),
  { address: '0x12', topics: [APPROVAL, topic(ADDRESS), topic(ROUTER)], data: '0x', blockNumber: '0x1' },
  { ...log(COIN, 1, APPROVAL, topic(ADDRESS), topic(SECOND)), blockNumber: null },
  null,
]

const start = async (standing: Standing, answers: Answers = {}) => {
  const node = startNode({
    eth_blockNumber: () => `0x${HEAD.toString(16)}`,
    eth_getBlockByNumber: ([block]) => ({
      baseFeePerGas: '0x64',
      timestamp: block === '0x4' ? undefined : `0x${(SECONDS - 1000).toString(16)}`,
    }),
    eth_getLogs: () => logs,
    eth_call: contracts(standing),
    ...answers,
  })
  const headless = await createdWallet({ chain: node.chain })
  return { ...headless, ...node, ui: headless.wallet.ui }
}

const UNLIMITED = 2n ** 256n - 1n
const all: Standing = { coin: UNLIMITED, cats: true, item: ROUTER, permit: [2_500_000, SECONDS + 60, 0] }

test('event topics match their standards', () => {
  expect([APPROVAL, APPROVAL_FOR_ALL, PERMIT2_APPROVAL, PERMIT2_PERMIT]).toEqual(
    [
      'Approval(address,address,uint256)',
      'ApprovalForAll(address,address,bool)',
      'Approval(address,address,address,uint160,uint48)',
      'Permit(address,address,address,uint160,uint48,uint48)',
    ].map(hashOf),
  )
})

test("current allowances are listed newest first, with the contracts' current values", async () => {
  const { ui } = await start(all)
  const found = await ui.findAllowances(OWN)
  expect(found).toMatchObject({ search: { from: 0, to: HEAD, ended: true }, refusal: null, isCut: false })
  expect(found.allowances).toMatchObject([
    { kind: 'collection', token: { address: CATS, symbol: null }, spender: MARKET, amount: null, item: null },
    {
      kind: 'erc20',
      token: { address: COIN, symbol: 'COIN', decimals: 6 },
      spender: ROUTER,
      amount: null,
      block: '0x9',
    },
    { kind: 'item', token: { address: CATS }, spender: ROUTER, amount: '1', item: '12' },
    { kind: 'permit2', token: { address: COIN }, spender: MARKET, amount: '2500000', until: NOW + 60_000, since: null },
  ])
  expect(found.allowances[0]?.since).toBe(NOW - 1_000_000)
  expect((await ui.getState(null)).task).toBeNull()
})

test('revoked, used and expired allowances are not listed', async () => {
  const { ui } = await start({ coin: 0, cats: false, permit: [5, SECONDS, 0] })
  expect((await ui.findAllowances(OWN)).allowances).toEqual([])
  const endless = await start(
    { permit: [5, 2 ** 48 - 1, 0] },
    { eth_getBlockByNumber: () => ({ timestamp: `0x${'f'.repeat(20)}` }) },
  )
  expect((await endless.ui.findAllowances(OWN)).allowances).toMatchObject([
    { kind: 'permit2', until: null, since: null },
  ])
  const bounded = await start({ coin: 1_250_000 })
  expect((await bounded.ui.findAllowances(OWN)).allowances).toMatchObject([{ kind: 'erc20', amount: '1250000' }])
})

test('a node that returns no logs is reported, and a search that stops early reports its range', async () => {
  const without = await start(all, {
    eth_getLogs: () => {
      throw refusal('methodNotFound', 'eth_getLogs is not available')
    },
  })
  await expect(without.ui.findAllowances(OWN)).rejects.toThrow(
    'The Local chain node returns no logs: eth_getLogs is not available',
  )
  let asked = 0
  const pruned = await start(all, {
    eth_blockNumber: () => '0x7530',
    eth_getLogs: ([filter]) => {
      asked++
      if (Number((filter as { fromBlock: string }).fromBlock) < 20_000)
        throw nodeError({ code: -32000, message: 'history is pruned' })
      return logs
    },
  })
  const half = await pruned.ui.findAllowances(OWN)
  expect(half).toMatchObject({ search: { ended: false }, refusal: 'history is pruned' })
  expect(half.search.from).toBeGreaterThanOrEqual(20_000)
  expect(half.allowances).toHaveLength(4)
  expect(asked).toBeLessThan(60)
  await expect(pruned.ui.findAllowances({ ...OWN, before: half.search.from })).rejects.toThrow('history is pruned')
})

test('the search reports progress, can be cancelled, and is rejected while locked', async () => {
  let asked: () => void = () => {}
  const begun = new Promise<void>(resolve => {
    asked = resolve
  })
  const { ui } = await start(all, {
    eth_getLogs: () => {
      asked()
      return new Promise(() => {})
    },
  })
  const search = ui.findAllowances(OWN)
  await begun
  expect((await ui.getState(null)).task).toMatchObject({ name: 'findAllowances' })
  await ui.cancelTask(null)
  await expect(search).rejects.toMatchObject({ code: 4001 })
  await ui.lock(null)
  await expect(ui.findAllowances(OWN)).rejects.toMatchObject({ code: 4100 })
})

const asked = (kind: AllowanceKind, more: Partial<Pick<AllowanceView, 'spender' | 'item'>> = {}) => ({
  from: ADDRESS,
  chainId: 31337,
  kind,
  token: kind === 'erc20' || kind === 'permit2' ? COIN : CATS,
  spender: ROUTER,
  item: null,
  ...more,
})

test("each kind of allowance is revoked with its standard's call, sent once", async () => {
  const { ui, sent } = await start(all, {
    eth_call: ([call]) => ((call as { value?: string }).value ? '0x' : contracts(all)([call])),
  })
  const data = (text: string, ...values: unknown[]) =>
    new Interface([`function ${text}`]).encodeFunctionData(text.slice(0, text.indexOf('(')), values)
  const zero = `0x${'0'.repeat(40)}`
  const wanted = [
    [asked('erc20'), COIN, data('approve(address spender, uint256 value)', ROUTER, 0)],
    [asked('collection'), CATS, data('setApprovalForAll(address operator, bool approved)', ROUTER, false)],
    [asked('item', { item: String(UNLIMITED) }), CATS, data('approve(address to, uint256 item)', zero, UNLIMITED)],
    [
      asked('permit2'),
      PERMIT2,
      data('approve(address token, address spender, uint160 value, uint48 end)', COIN, ROUTER, 0, 0),
    ],
  ] as const
  for (const [at, [input, to, bytes]] of wanted.entries()) {
    const { effect, findings } = await ui.reviewRevocation(input)
    expect([effect.to, effect.data, effect.value, findings]).toEqual([to, bytes, '0x0', []])
    const hash = await ui.revokeAllowance({ ...input, id: `revocation ${at}`, gas: effect.fee.gas })
    expect(await ui.revokeAllowance({ ...input, id: `revocation ${at}` })).toBe(hash)
    expect(sent).toHaveLength(at + 1)
    expect(decodeTransaction(sent[at]).transaction).toMatchObject({ to, data: bytes, value: 0n })
  }
})

test('a revocation that the account cannot pay is not sent', async () => {
  const { ui, sent } = await start(all, { eth_getBalance: () => '0x1' })
  const { findings } = await ui.reviewRevocation(asked('erc20'))
  expect(findings).toMatchObject([{ level: 'blocked', name: 'insufficientFunds' }])
  await expect(ui.revokeAllowance({ ...asked('erc20'), id: 'a' })).rejects.toMatchObject({ reason: 'blocked' })
  expect(sent).toEqual([])
})

const spamAt = (at: number) => `0x${(at + 1).toString(16).padStart(40, '0')}`
const BLOCKS = 40_000

/** Creates a chain on which the real allowance is older than many spam events. */
const startWithSpam = (count: number, spam: { data?: string; answer?: string }) => {
  const logged = Array.from({ length: count }, (_, at) => ({
    ...log(spamAt(at), BLOCKS - 5, APPROVAL, topic(ADDRESS), topic(MARKET)),
    ...(spam.data && { data: spam.data }),
  }))
  const every = [...logged, log(COIN, 20, APPROVAL, topic(ADDRESS), topic(ROUTER))]
  const asked: string[] = []
  const eth_getLogs = ([filter]: readonly unknown[]) => {
    const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string }
    return every.filter(({ blockNumber: block }) => Number(block) >= +fromBlock && Number(block) <= +toBlock)
  }
  const eth_call = ([call]: readonly unknown[]) => {
    const { to, data } = call as { to: string; data: string }
    if (!to.startsWith('0x0000') || to === PERMIT2) return contracts(all)([call])
    asked.push(to)
    return data.startsWith('0xdd62ed3e') ? (spam.answer ?? '0x') : '0x'
  }
  return { asked, started: start(all, { eth_blockNumber: () => `0x${BLOCKS.toString(16)}`, eth_getLogs, eth_call }) }
}

test.each([
  ['an allowance that is logged but does not exist', {}],
  ['an allowance that is logged as zero but exists', { data: `0x${word(0)}`, answer: `0x${word(1)}` }],
])('%s does not push out an older allowance', async (_, spam) => {
  const { started, asked } = startWithSpam(MAX_STANDING + 200, spam)
  const { ui } = await started
  expect(await ui.findAllowances(OWN)).toMatchObject({
    allowances: [{ token: { address: COIN }, spender: ROUTER }],
    search: { from: 0, ended: true },
    isCut: false,
  })
  expect(asked).toHaveLength('data' in spam ? 0 : MAX_STANDING + 200)
})

test('a search with many current allowances reports its range and continues from there', async () => {
  const { ui } = await startWithSpam(MAX_STANDING, { answer: `0x${word(1)}` }).started
  const first = await ui.findAllowances(OWN)
  expect(first).toMatchObject({ search: { to: BLOCKS, ended: false }, refusal: null, isCut: true })
  expect(first.allowances).toHaveLength(MAX_STANDING)
  expect(first.search.from).toBeGreaterThan(20)
  expect(await ui.findAllowances({ ...OWN, before: first.search.from })).toMatchObject({
    allowances: [{ token: { address: COIN }, spender: ROUTER }],
    search: { from: 0, ended: true },
    isCut: false,
  })
})

test('a pending revocation is not repeated by any page', async () => {
  const receipts = new Map<string, object>()
  const { ui, sent } = await start(all, {
    eth_call: ([call]) => ((call as { value?: string }).value ? '0x' : contracts(all)([call])),
    eth_getTransactionReceipt: ([hash]) => receipts.get(String(hash)) ?? null,
  })
  const revocations = async () => (await ui.findAllowances(OWN)).allowances.map(({ revocation }) => revocation)
  const first = await ui.revokeAllowance({ ...asked('erc20'), id: 'page 1' })
  expect(await ui.revokeAllowance({ ...asked('erc20'), id: 'page 2' })).toBe(first)
  expect(sent).toHaveLength(1)
  expect(await revocations()).toEqual([undefined, first, undefined, undefined])

  const [one, other] = await Promise.all(
    ['page 3', 'page 4'].map(id => ui.revokeAllowance({ ...asked('collection', { spender: MARKET }), id })),
  )
  expect([one, sent.length]).toEqual([other, 2])
  expect(await ui.revokeAllowance({ ...asked('collection'), id: 'page 5' })).not.toBe(one)
  expect(sent).toHaveLength(3)

  // After a revocation was cancelled or mined, it can be repeated.
  await ui.cancelTransaction({ hash: first })
  expect(await ui.revokeAllowance({ ...asked('erc20'), id: 'page 6' })).not.toBe(first)
  receipts.set(String(one), { status: '0x1', gasUsed: '0x5208', blockNumber: '0x9' })
  await ui.getActivity({ address: ADDRESS, chainId: 31337 })
  expect(await ui.revokeAllowance({ ...asked('collection', { spender: MARKET }), id: 'page 7' })).not.toBe(one)
  expect(sent).toHaveLength(6)
})
