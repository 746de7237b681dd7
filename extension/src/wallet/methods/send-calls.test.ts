import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { keccak256, Transaction } from 'ethers'
import { expect, test } from 'vitest'
import type { RequestView } from '../../messages.ts'
import { refusal, unreachable } from '../networks/node.fixture.ts'
import {
  ADDRESS,
  type Answers,
  approve,
  connectedWallet,
  OTHER_SITE,
  type Person,
  recordingWallet,
  reject,
  SECOND,
  SITE,
  startNode,
  startWallet,
  undecided,
} from '../wallet.fixture.ts'

const calls = [
  { to: SECOND, value: '0x1' },
  { to: SECOND, data: '0x1234', value: null },
  { data: '0x600160005260206000f3' },
]
const batch = (changes: object = {}) => ({
  version: '2.0.0',
  from: ADDRESS,
  chainId: '0x7a69',
  atomicRequired: false,
  calls,
  ...changes,
})

const start = async (answers: Answers = {}, person: Person = approve) => {
  const node = startNode(answers)
  const headless = await recordingWallet({ chain: node.chain, person })
  return { ...headless, ...node }
}

test('one approval shows all calls and sends them in order with consecutive nonces', async () => {
  const { ask, sent, seen } = await start()
  const answer = await ask('wallet_sendCalls', batch())
  expect(answer).toEqual({ id: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({
    account: { address: ADDRESS },
    effect: {
      kind: 'calls',
      calls: [{ to: SECOND, value: '0x1' }, { to: SECOND, data: '0x1234' }, { to: null }],
    },
  })
  const transactions = sent.map(raw => Transaction.from(raw))
  expect(transactions.map(({ from, to, nonce, chainId }) => [from, to, nonce, chainId])).toEqual([
    [ADDRESS, SECOND, 0, 31337n],
    [ADDRESS, SECOND, 1, 31337n],
    [ADDRESS, null, 2, 31337n],
  ])
  expect(transactions.map(({ value, data }) => [value, data])).toEqual([
    [1n, '0x'],
    [0n, '0x1234'],
    [0n, '0x600160005260206000f3'],
  ])
})

test("the site's id is used, or else a unique one; without an account, the site's first account is used", async () => {
  const { ask, sent } = await start()
  const [call] = calls
  expect(await ask('wallet_sendCalls', batch({ id: 'my batch', calls: [call] }))).toEqual({ id: 'my batch' })
  const ids = [
    await ask('wallet_sendCalls', batch({ from: undefined, calls: [call] })),
    await ask('wallet_sendCalls', batch({ from: null, calls: [call] })),
  ]
  expect(ids[0]).not.toEqual(ids[1])
  expect(Transaction.from(sent.at(-1)).from).toBe(ADDRESS)
})

test('a site can use an id once, whether its batch is open or complete, whatever ids other sites use', async () => {
  const { wallet, ask, store } = await start({}, undecided)
  ask('wallet_sendCalls', batch({ id: 'x' })).catch(() => undefined)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  await expect(ask('wallet_sendCalls', batch({ id: 'x' }))).rejects.toMatchObject({ code: 5720 })
  const [request] = (await wallet.ui.getState(null)).requests
  await wallet.ui.decide({ id: String(request?.id), approve: true, revision: 0 })
  const { chain } = startNode()
  const after = startWallet({ store, chain })
  await expect(
    after.wallet.request(SITE, { id: 'new', method: 'wallet_sendCalls', params: [batch({ id: 'x' })] }),
  ).rejects.toMatchObject({ code: 5720 })
  await after.wallet.request(OTHER_SITE, { id: '1', method: 'eth_requestAccounts' })
  const elsewhere = { id: '2', method: 'wallet_sendCalls', params: [batch({ id: 'x' })] }
  expect(await after.wallet.request(OTHER_SITE, elsewhere)).toEqual({ id: 'x' })
})

test('a rejection is 4001, and nothing is sent', async () => {
  const { ask, sent } = await start({}, reject)
  await expect(ask('wallet_sendCalls', batch({ id: 'x' }))).rejects.toMatchObject({ code: 4001 })
  expect(sent).toEqual([])
  await expect(ask('wallet_getCallsStatus', 'x')).rejects.toMatchObject({ code: 5730 })
})

test('a call that depends on earlier ones gets more gas than the default, and a finding', async () => {
  const eth_estimateGas = ([call]: readonly unknown[]) => {
    if ((call as { data: string }).data === '0x1234') throw refusal('invalidInput', 'no allowance yet')
    return '0x5208'
  }
  const { ask, sent, seen } = await start({ eth_estimateGas })
  await ask('wallet_sendCalls', batch())
  expect(sent.map(raw => Transaction.from(raw).gasLimit)).toEqual([21_000n, 500_000n, 21_000n])
  expect(seen[0]?.findings.map(({ name }) => name)).toContain('untriedCall')
})

test('if the node rejects the first call, its error is returned and there is no batch', async () => {
  const { ask } = await start({
    eth_sendRawTransaction: () => {
      throw refusal('transactionRejected', 'nonce too low')
    },
  })
  await expect(ask('wallet_sendCalls', batch({ id: 'x' }))).rejects.toMatchObject({ code: -32003 })
  await expect(ask('wallet_getCallsStatus', 'x')).rejects.toMatchObject({ code: 5730 })
})

test('after a call that the node rejects, no further call is sent', async () => {
  const taken: unknown[] = []
  const { ask } = await start({
    eth_sendRawTransaction: ([raw]) => {
      if (taken.length === 1) throw refusal('transactionRejected', 'underpriced')
      taken.push(raw)
      return keccak256(String(raw))
    },
  })
  expect(await ask('wallet_sendCalls', batch({ id: 'x' }))).toEqual({ id: 'x' })
  expect(taken).toHaveLength(1)
})

test('a call with an unknown outcome stays in the batch, and later calls are not sent', async () => {
  let asked = 0
  const { ask, wallet } = await start({
    eth_sendRawTransaction: () => {
      asked += 1
      throw unreachable()
    },
    eth_getTransactionReceipt: () => null,
  })
  const { id } = (await ask('wallet_sendCalls', batch())) as { id: string }
  expect(asked).toBe(1)
  const statuses = (await wallet.ui.getActivity({ address: ADDRESS, chainId: 31337 })).map(({ status }) => status)
  expect(statuses).toEqual(['dropped', 'dropped', 'pending'])
  expect(await ask('wallet_getCallsStatus', id)).toMatchObject({ id, status: 100 })
})

test('of two open batches with the same id, only the first is sent', async () => {
  const { ask, wallet, sent } = await start({}, undecided)
  const asking = [batch({ id: 'twice' }), batch({ id: 'twice' })].map(one =>
    ask('wallet_sendCalls', one).catch(({ code }) => code),
  )
  await expect.poll(async () => (await wallet.ui.getState(null)).requests.length).toBeGreaterThan(0)
  for (const { id } of (await wallet.ui.getState(null)).requests)
    await wallet.ui.decide({ id, approve: true, revision: 0 })
  expect(await Promise.all(asking)).toEqual([{ id: 'twice' }, 5720])
  expect(sent).toHaveLength(calls.length)
})

test('after the worker stopped, the same bytes are sent again, and each transaction is mined once', async () => {
  const node = startNode()
  let stopped = false
  const { store, wallet } = await connectedWallet({
    person: undecided,
    chain: async (network, method, params) => {
      if (stopped) return new Promise(() => undefined)
      const answer = await node.chain(network, method, params)
      if (method === 'eth_sendRawTransaction') stopped = true
      return answer
    },
  })
  const request = { id: 'one', method: 'wallet_sendCalls', params: [batch({ id: 'x' })] }
  wallet.request(SITE, request).catch(() => undefined)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  const [shown] = (await wallet.ui.getState(null)).requests
  void wallet.ui.decide({ id: String(shown?.id), approve: true, revision: 0 })
  await expect.poll(() => stopped).toBe(true)
  expect(node.sent).toHaveLength(1)

  const after = startWallet({ store, chain: node.chain })
  await after.wallet.resume()
  expect(await after.wallet.request(SITE, request)).toEqual({ id: 'x' })
  expect(new Set(node.sent).size).toBe(3)
  expect([...new Set(node.sent)].map(raw => Transaction.from(raw).nonce)).toEqual([0, 1, 2])
})

test('dependent calls are simulated and shown together if the node supports it', async () => {
  const token = `0x${'a0'.repeat(20)}`
  const topics = [
    '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    `0x${SECOND.slice(2).padStart(64, '0')}`,
    `0x${ADDRESS.slice(2).padStart(64, '0')}`,
  ]
  const done = { status: '0x1', returnData: '0x', logs: [], gasUsed: '0x5208' }
  const paid = { ...done, gasUsed: '0x61a80', logs: [{ address: token, topics, data: `0x${'5'.padStart(64, '0')}` }] }
  const asked: unknown[] = []
  const { ask, seen, sent } = await start({
    eth_estimateGas: ([call]) => {
      if ((call as { data: string }).data === '0x1234')
        throw refusal('invalidInput', 'execution reverted: no allowance')
      return '0x5208'
    },
    eth_simulateV1: ([request]) => {
      asked.push(request)
      return [{ calls: [done, paid, done] }]
    },
  })
  await ask('wallet_sendCalls', batch())
  const simulated = (...more: object[]) => {
    const [first, second, third] = [{ from: ADDRESS, value: '0x1' }, { data: '0x1234' }, {}]
    const calls = [first, second, third].map((call, at) => ({ ...call, ...more[at] }))
    return { blockStateCalls: [{ calls }] }
  }
  const withGas = simulated(
    { gas: '0x5208', nonce: '0x0', maxFeePerGas: '0xca' },
    { gas: '0x927c0', nonce: '0x1', maxFeePerGas: '0xca' },
    { gas: '0x5208', nonce: '0x2', maxFeePerGas: '0xca' },
  )
  expect(asked).toMatchObject([simulated(), withGas, withGas])
  expect(seen[0]).toMatchObject({
    effect: {
      balance: '0x56bc75e2d63100000',
      simulation: {
        by: 'simulate',
        tried: 3,
        failed: null,
        changes: [
          { kind: 'native', direction: 'out', amount: '0x1', parties: [SECOND], held: '0x56bc75e2d63100000' },
          { kind: 'erc20', direction: 'in', amount: '0x5' },
        ],
      },
    },
  })
  expect(seen[0]?.findings.map(({ name }) => name)).not.toContain('untriedCall')
  expect(Transaction.from(sent[1]).gasLimit).toBe(600_000n)
})

test('a call that would fail after the others is identified', async () => {
  const done = { status: '0x1', returnData: '0x', logs: [] }
  const failing = { status: '0x0', returnData: '0x', error: { message: 'too late' }, logs: [] }
  const { ask, seen } = await start({ eth_simulateV1: () => [{ calls: [done, failing, done] }] })
  await ask('wallet_sendCalls', batch())
  expect(seen[0]).toMatchObject({ effect: { simulation: { failed: 1, failure: 'too late' } } })
  expect(seen[0]?.findings.map(({ name }) => name)).toContain('likelyToFail')
})

test('without batch simulation, only the first call is simulated', async () => {
  const { ask, seen } = await start({ eth_call: () => '0x' })
  await ask('wallet_sendCalls', batch())
  expect(seen[0]).toMatchObject({ effect: { simulation: { by: 'call', tried: 1, failed: null, changes: null } } })
})

test('a batch reuses nonces of signed, unsent transactions, with a finding', async () => {
  const { ask, sent, seen } = await start()
  await ask('eth_signTransaction', { from: ADDRESS, to: SECOND, nonce: '0x1' })
  await ask('wallet_sendCalls', batch())
  expect(sent.map(raw => Transaction.from(raw).nonce)).toEqual([0, 1, 2])
  expect(seen.at(-1)?.findings).toContainEqual({ level: 'caution', name: 'displacesSigned', values: ['1'] })
})

test('if the node is unreachable, the batch says so, and is completed when the node responds', async () => {
  let isFar = true
  const eth_getBlockByNumber = () => {
    if (isFar) throw unreachable()
    return { baseFeePerGas: '0x64' }
  }
  const { ask, wallet, sent } = await start({ eth_getBlockByNumber }, undecided)
  const answer = ask('wallet_sendCalls', batch())
  const shown = async () => (await wallet.ui.getState(null)).requests[0]
  await expect.poll(shown).toMatchObject({ effect: { kind: 'calls', fee: null, calls: [{ value: '0x1' }, {}, {}] } })
  const id = String((await shown())?.id)
  await expect(wallet.ui.decide({ id, approve: true, revision: 0 })).rejects.toMatchObject({ code: -32602 })
  isFar = false
  await wallet.ui.editTransaction({ id })
  await wallet.ui.decide({ id, approve: true, revision: 1 })
  await answer
  expect(sent).toHaveLength(3)
})

test('the addresses of all calls are checked in one request to the node', async () => {
  const asked: unknown[] = []
  const { ask, seen } = await start({ eth_getCode: params => asked.push(params) && '0x' }, reject)
  await ask('wallet_sendCalls', batch({ calls: [...calls, { to: SECOND, data: '0x12', value: '0x1' }] })).catch(() => 0)
  expect(asked).toEqual([[SECOND, 'latest']])
  expect(seen[0]?.findings).toContainEqual({ level: 'danger', name: 'paysNoContract', values: [SECOND] })
})

test('the total fee is compared with the balance, and each price with the fast one', async () => {
  const { ask, wallet } = await start({ eth_getBalance: () => '0xde0b6b3a7640000' }, undecided)
  void ask('wallet_sendCalls', batch()).catch(() => undefined)
  const shown = async () => (await wallet.ui.getState(null)).requests[0]
  await expect.poll(shown).toBeDefined()
  const edit = async (gwei: bigint) => {
    const price = encodeQuantity(gwei * 10n ** 9n)
    await wallet.ui.editTransaction({ id: String((await shown())?.id), fees: { gasPrice: price } })
    const warned = (await shown())?.findings.filter(({ level }) => level !== 'none')
    return warned?.map(({ level, name }) => `${level} ${name}`)
  }
  expect(await edit(1n)).not.toContain('caution highFee')
  expect(await edit(4n)).toContain('caution highFee')
  // The fee is a danger above a tenth of the balance, 0.1 ether. For 3 × 21,000 gas, that is 1,587 gwei per gas.
  expect(await edit(1_000n)).toEqual(expect.arrayContaining(['danger excessiveFee']))
  expect(await edit(1_500n)).not.toContain('danger feeOfBalance')
  expect(await edit(1_700n)).toContain('danger feeOfBalance')
})

test("a batch for another network is sent there, and the site's network stays", async () => {
  const { ask, sent, seen } = await start()
  await ask('wallet_sendCalls', batch({ chainId: '0x2019' }))
  expect(seen[0]?.network.chainId).toBe(8217)
  expect(Transaction.from(sent[0]).chainId).toBe(8217n)
  expect(await ask('eth_chainId')).toBe('0x7a69')
})

test.each<[string, object, number]>([
  ['required atomic execution', { atomicRequired: true }, 5760],
  ['a capability', { capabilities: { paymasterService: { url: 'https://p.example' } } }, 5700],
  ['a capability that is not optional', { capabilities: { flow: { optional: false } } }, 5700],
  ['a capability that is not an object', { capabilities: { flow: true } }, 5700],
  ['a capability of a call', { calls: [{ to: SECOND, capabilities: { flow: {} } }] }, 5700],
  ['another chain', { chainId: '0x5' }, 5710],
  ['too many calls', { calls: Array(21).fill(calls[0]) }, 5740],
  ['another account', { from: SECOND }, 4100],
])('%s is rejected with its code before the user is asked', async (_, change, code) => {
  const { ask, shown } = await start()
  await expect(ask('wallet_sendCalls', batch(change))).rejects.toMatchObject({ code })
  expect(shown).toEqual([])
})

test('optional capabilities, and null ones, are ignored', async () => {
  const { ask } = await start()
  const optional = { paymasterService: { url: 'https://p.example', optional: true }, auxiliaryFunds: null }
  const asked = batch({ capabilities: optional, calls: [{ to: SECOND, capabilities: optional }] })
  expect(await ask('wallet_sendCalls', asked)).toMatchObject({ id: expect.any(String) })
})

test('an unconnected site cannot send calls', async () => {
  const { wallet } = await start()
  for (const asked of [batch(), batch({ from: undefined })])
    await expect(
      wallet.request(OTHER_SITE, { id: '1', method: 'wallet_sendCalls', params: [asked] }),
    ).rejects.toMatchObject({ code: 4100 })
})

test('malformed params are -32602 before the node is queried or the user is asked', async () => {
  const { ask, shown } = await connectedWallet({
    chain: async () => {
      throw new Error('The node was queried')
    },
  })
  const wrong: object[] = [
    { version: undefined },
    { version: '1.0' },
    { version: 2 },
    { id: '' },
    { id: 7 },
    { id: 'x'.repeat(8195) },
    { from: 'me' },
    { chainId: undefined },
    { chainId: 31337 },
    { chainId: '0x07a69' },
    { atomicRequired: undefined },
    { atomicRequired: 'false' },
    { calls: undefined },
    { calls: [] },
    { calls: 'all' },
    { calls: [null] },
    { calls: [{ to: '0x1234' }] },
    { calls: [{ to: SECOND, value: 1 }] },
    { calls: [{ to: SECOND, data: '0x1' }] },
    { calls: [{ to: SECOND, data: '0x12', input: '0x13' }] },
    { calls: [{ to: SECOND, authorizationList: [] }] },
    { capabilities: 'none' },
  ]
  for (const change of wrong)
    await expect(ask('wallet_sendCalls', batch(change)), JSON.stringify(change)).rejects.toMatchObject({
      code: -32602,
    })
  for (const params of [[], [null], ['x'], [[batch()]]])
    await expect(ask('wallet_sendCalls', ...params)).rejects.toMatchObject({ code: -32602 })
  expect(shown).toEqual([])
})

test('a call without an address and code is rejected', async () => {
  const { ask, shown } = await start()
  for (const call of [{}, { value: '0x1' }, { data: '0x' }])
    await expect(ask('wallet_sendCalls', batch({ calls: [calls[0], call] }))).rejects.toMatchObject({ code: -32602 })
  expect(shown).toEqual([])
})

test('the user can edit the fees of all calls together, but nothing else', async () => {
  const { ask, wallet, sent } = await start({}, undecided)
  const answer = ask('wallet_sendCalls', batch())
  const shown = async () => (await wallet.ui.getState(null)).requests[0]
  await expect.poll(shown).toBeDefined()
  const id = String((await shown())?.id)
  for (const edit of [{ gas: '0x5208' }, { nonce: '0x1' }])
    await expect(wallet.ui.editTransaction({ id, ...edit })).rejects.toMatchObject({ code: -32602 })
  await wallet.ui.editTransaction({ id, fees: { maxFeePerGas: '0x12c', maxPriorityFeePerGas: '0x7' } })
  expect((await shown())?.effect).toMatchObject({ fee: { atMost: encodeQuantity(3 * 21_000 * 300) } })
  await wallet.ui.decide({ id, approve: true, revision: 1 })
  await answer
  expect(sent.map(raw => Transaction.from(raw).maxFeePerGas)).toEqual([300n, 300n, 300n])
})

test('a transaction signed after the batch was shown is replaced only after the user has seen this', async () => {
  const { ask, wallet, sent } = await start({}, undecided)
  const answer = ask('wallet_sendCalls', batch({ id: 'shown before' }))
  const shown = async () => (await wallet.ui.getState(null)).requests
  await expect.poll(shown).toHaveLength(1)
  const signing = ask('chain_signTransaction', { from: ADDRESS, to: SECOND, value: '0x1' })
  await expect.poll(shown).toHaveLength(2)
  const [first, second] = (await shown()) as [RequestView, RequestView]
  await wallet.ui.decide({ id: second.id, approve: true, revision: 0 })
  await signing

  await wallet.ui.decide({ id: first.id, approve: true, revision: 0 })
  expect(sent).toEqual([])
  const [again] = (await shown()) as [RequestView]
  expect(again).toMatchObject({ id: first.id, revision: 1, effect: { kind: 'calls' } })
  expect(again.findings).toContainEqual({ level: 'caution', name: 'displacesSigned', values: ['0'] })
  await wallet.ui.decide({ id: again.id, approve: true, revision: 1 })
  expect(await answer).toEqual({ id: 'shown before' })
  expect(sent).toHaveLength(calls.length)
})
