/** A wallet with a reading and a comparing node: what its reviews show if either lies, lags or is dead. */
import { EMPTY_CODE_HASH, hashCode } from '@heliograph/shared/evm/account-proof'
import { expect, test } from 'vitest'
import type { ChecksView, RequestView } from '../../messages.ts'
import { type ChainInTest, COMPARES, comparedNetwork, READS, startTwoNodes } from '../networks/two-nodes.fixture.ts'
import { ADDRESS, type Answers, connectedWallet, SECOND, undecided } from '../wallet.fixture.ts'

const { chainId } = comparedNetwork
const TOKEN = `0x${'a1'.repeat(20)}`
const SPENDER = `0x${'5e'.repeat(20)}`
const FRIEND = `0x${'f1'.repeat(20)}`
const CODE = '0x6001'
const COINS = 10n ** 18n

const word = (hex: string) => hex.replace('0x', '').toLowerCase().padStart(64, '0')
/** `increaseAllowance(address,uint256)`, which adds to the allowance that the node tells. */
const INCREASE = `0x39509351${word(SPENDER)}${word('0x10')}`

const accounts = {
  [ADDRESS.toLowerCase()]: { balance: COINS, nonce: 3n },
  [TOKEN]: { code: CODE, nonce: 1n },
  [SPENDER]: { code: CODE, nonce: 1n },
} as const

/** What a node needs for a review besides the state. */
const fees: Answers = {
  eth_gasPrice: () => '0x66',
  eth_maxPriorityFeePerGas: () => '0x2',
  eth_estimateGas: () => '0x5208',
}

const start = async (given: Partial<ChainInTest> = {}) => {
  const two = startTwoNodes({ states: [accounts], tokens: { [TOKEN]: 55n }, ...given }, fees)
  const { nodeUses: _, ...network } = comparedNetwork
  const headless = await connectedWallet({ chain: two.chain, networks: [network], person: undecided })
  await headless.wallet.ui.setNodeUse({ chainId, rpcUrl: COMPARES, use: { also: 'comparing' } })
  const lie = (method: string, answer: Answers[string], url: string = READS) => {
    const node = two.nodes[url]
    if (node) node.answers = { ...node.answers, [method]: answer }
  }
  /** Reviews a transfer of coins from the wallet's own page. */
  const send = (to = FRIEND) =>
    headless.wallet.ui.reviewSend({ from: ADDRESS, chainId, to, token: null, amount: '0x1' })
  /** Resolves with a site's request for more allowance, once it is shown. */
  const allow = async (): Promise<RequestView> => {
    headless.ask('eth_sendTransaction', { from: ADDRESS, to: TOKEN, data: INCREASE }).catch(() => {})
    return expect
      .poll(() => headless.state()?.requests[0])
      .toBeDefined()
      .then(() => headless.state()?.requests[0] as RequestView)
  }
  return { ...two, ...headless, lie, send, allow }
}

const checksOf = (checked: ChecksView | undefined) =>
  Object.fromEntries((checked?.facts ?? []).map(({ fact, about, by }) => [`${fact} ${about.toLowerCase()}`, by]))
const checkedIn = ({ effect }: RequestView) => ('checked' in effect ? effect.checked : undefined)
const disagreementsIn = (findings: RequestView['findings']) => findings.filter(({ name }) => name === 'nodesDisagree')
const valuesOf = (fact: string, own: string, other: string) =>
  expect.arrayContaining([fact, 'reads.example', own, 'compares.example', other])

const account = ADDRESS.toLowerCase()

test('balance, nonce and the code of the recipient are proved, and shown with both hosts', async () => {
  const { send } = await start()
  const { effect, findings } = await send()
  expect(effect.checked).toMatchObject({ hosts: ['reads.example', 'compares.example'], block: '100' })
  expect(checksOf(effect.checked)).toEqual({
    [`balance ${account}`]: 'proved',
    [`nonce ${account}`]: 'proved',
    [`code ${FRIEND}`]: 'proved',
  })
  expect(findings).toEqual([])
})

test("a site's request for an allowance: what cannot be proved is compared", async () => {
  const { allow } = await start()
  const request = await allow()
  expect(checksOf(checkedIn(request))).toEqual({
    [`balance ${account}`]: 'proved',
    [`nonce ${account}`]: 'proved',
    [`code ${TOKEN}`]: 'proved',
    [`code ${SPENDER}`]: 'proved',
    [`tokenBalance ${TOKEN}`]: 'agreed',
    [`allowance ${TOKEN}`]: 'agreed',
  })
  expect(disagreementsIn(request.findings)).toEqual([])
})

test('a node that lies about the balance is found', async () => {
  const { lie, send } = await start()
  lie('eth_getBalance', () => '0xfffffffffffffffffff')
  expect(disagreementsIn((await send()).findings)).toEqual([
    {
      level: 'danger',
      name: 'nodesDisagree',
      values: valuesOf('balance', String(0xfffffffffffffffffffn), String(COINS)),
    },
  ])
})

test('a node that lies about the newest balance only is found', async () => {
  const { lie, send } = await start()
  lie('eth_getBalance', ([, tag]) => (tag === 'latest' ? '0xfffffffffffffffffff' : `0x${COINS.toString(16)}`))
  expect(disagreementsIn((await send()).findings)).toEqual([
    {
      level: 'danger',
      name: 'nodesDisagree',
      values: valuesOf('balance', String(0xfffffffffffffffffffn), String(COINS)),
    },
  ])
})

test('a node that lies about the nonce is found, as a caution', async () => {
  const { lie, send } = await start()
  lie('eth_getTransactionCount', () => '0x9')
  expect(disagreementsIn((await send()).findings)).toEqual([
    { level: 'caution', name: 'nodesDisagree', values: valuesOf('nonce', '9', '3') },
  ])
})

test('a node that lies about the code of a spender is found', async () => {
  const { lie, allow } = await start()
  lie('eth_getCode', ([address]) => (address === TOKEN ? CODE : '0x'))
  const [found] = disagreementsIn((await allow()).findings)
  expect(found).toMatchObject({ level: 'danger', values: valuesOf('code', EMPTY_CODE_HASH, hashCode(CODE)) })
})

test('a node that lies about the allowance is found', async () => {
  const { lie, allow } = await start()
  lie('eth_call', ([call]) => `0x${word((call as { data: string }).data.startsWith('0xdd62ed3e') ? '0x0' : '0x37')}`)
  const request = await allow()
  expect(disagreementsIn(request.findings)).toEqual([
    { level: 'danger', name: 'nodesDisagree', values: valuesOf('allowance', '0', '55') },
  ])
  expect(checksOf(checkedIn(request))).toMatchObject({
    [`tokenBalance ${TOKEN}`]: 'agreed',
    [`allowance ${TOKEN}`]: 'differs',
  })
})

test('a signature that allows a spender is compared, too', async () => {
  const { lie, ask, state } = await start()
  lie('eth_getCode', () => '0x')
  const permit = {
    domain: { name: 'Token', version: '1', chainId, verifyingContract: TOKEN },
    primaryType: 'Permit',
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    message: { owner: ADDRESS, spender: SPENDER, value: '5', nonce: '0', deadline: '99999999999' },
  }
  ask('eth_signTypedData_v4', ADDRESS, JSON.stringify(permit)).catch(() => {})
  await expect.poll(() => state()?.requests[0]).toBeDefined()
  const request = state()?.requests[0] as RequestView
  expect(disagreementsIn(request.findings)).toMatchObject([{ level: 'danger' }])
  expect(checksOf(checkedIn(request))).toMatchObject({
    [`code ${SPENDER}`]: 'differs',
    [`tokenBalance ${TOKEN}`]: 'agreed',
  })
})

test('a batch of calls is compared once', async () => {
  const { lie, ask, state } = await start()
  lie('eth_getBalance', () => '0xfffffffffffffffffff')
  const calls = [
    { to: FRIEND, value: '0x1' },
    { to: SECOND, value: '0x1' },
  ]
  ask('wallet_sendCalls', { version: '2.0.0', from: ADDRESS, chainId: '0x7a69', atomicRequired: false, calls }).catch(
    () => {},
  )
  await expect.poll(() => state()?.requests[0]).toBeDefined()
  const request = state()?.requests[0] as RequestView
  expect(disagreementsIn(request.findings)).toMatchObject([
    { values: valuesOf('balance', String(0xfffffffffffffffffffn), String(COINS)) },
  ])
  expect(checksOf(checkedIn(request))).toMatchObject({
    [`code ${FRIEND}`]: 'proved',
    [`code ${SECOND.toLowerCase()}`]: 'proved',
  })
})

test('nodes without proofs agree', async () => {
  const { lie, send } = await start()
  for (const url of [READS, COMPARES]) lie('eth_getProof', () => null, url)
  const { effect, findings } = await send()
  expect(new Set(Object.values(checksOf(effect.checked)))).toEqual(new Set(['agreed']))
  expect(findings).toEqual([])
})

test('a comparing node that lags is no liar', async () => {
  const poorer = { ...accounts, [account]: { balance: 5n, nonce: 2n } }
  const { nodeAt, send } = await start({ states: [poorer, accounts] })
  nodeAt(COMPARES).head = 99
  const { effect, findings } = await send()
  expect(disagreementsIn(findings)).toEqual([])
  expect(checksOf(effect.checked)).toEqual({
    [`balance ${account}`]: 'alone',
    [`nonce ${account}`]: 'alone',
    [`code ${FRIEND}`]: 'proved',
  })
})

test('a dead comparing node does not stop a review', async () => {
  const { nodes, send, allow } = await start()
  nodes[COMPARES] = null
  const { effect, findings } = await send()
  expect([effect.checked?.block, findings]).toEqual([null, []])
  expect(new Set(Object.values(checksOf(effect.checked)))).toEqual(new Set(['alone']))
  expect((await allow()).findings.every(({ level }) => level !== 'blocked')).toBe(true)
})

test('without a node for comparing, a review asks no second node and shows no check', async () => {
  const { wallet, received, send } = await start()
  await wallet.ui.setNodeUse({ chainId, rpcUrl: COMPARES, use: {} })
  received.length = 0
  expect((await send()).effect.checked).toBeUndefined()
  expect(received.some(({ url }) => url === COMPARES)).toBe(false)
})

test('the settings compare the nodes without naming an account', async () => {
  const { wallet, received, nodes, lie } = await start()
  received.length = 0
  expect(await wallet.ui.getNodeChecks({ chainId })).toMatchObject({ block: '100', facts: [{ by: 'proved' }] })
  expect(received.filter(({ body }) => body.toLowerCase().includes(account.slice(2)))).toEqual([])
  for (const url of [READS, COMPARES]) lie('eth_getProof', () => null, url)
  expect((await wallet.ui.getNodeChecks({ chainId }))?.facts).toMatchObject([{ by: 'agreed' }])
  nodes[COMPARES] = null
  expect((await wallet.ui.getNodeChecks({ chainId }))?.facts).toMatchObject([{ by: 'alone' }])
})
