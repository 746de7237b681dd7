/** Batches that one transaction runs, with the code of BATCH_DELEGATE. */
import type { Hex } from '@heliograph/shared/evm/hex'
import { AbiCoder, concat, id as hashOf, Interface, keccak256, Transaction, verifyAuthorization } from 'ethers'
import { expect, test } from 'vitest'
import { BATCH_DELEGATE, type RequestView } from '../../messages.ts'
import { refusal, unreachable } from '../networks/node.fixture.ts'
import { batchAnswers, UPGRADED } from '../transactions/batch-delegate.fixture.ts'
import {
  ADDRESS,
  type Answers,
  approve,
  connectedWallet,
  type Person,
  recordingWallet,
  reject,
  SECOND,
  SITE,
  startNode,
  startWallet,
  undecided,
} from '../wallet.fixture.ts'

const OTHER_DELEGATE = `0xef0100${'42'.repeat(20)}` as const
const account = new Interface(['function executeBatch((address target, uint256 value, bytes data)[] calls)'])
const calls = [
  { to: SECOND, value: '0x1' },
  { to: SECOND, data: '0x1234', value: '0x2' },
]
const batch = (changes: object = {}) => ({
  version: '2.0.0',
  id: 'x',
  from: ADDRESS,
  chainId: '0x7a69',
  atomicRequired: true,
  calls,
  ...changes,
})

type Code = () => Hex
const start = async (code: Code = () => '0x', answers: Answers = {}, person: Person = approve) => {
  const node = startNode({ ...batchAnswers(code), ...answers })
  const headless = await recordingWallet({ chain: node.chain, person })
  return { ...headless, ...node }
}

const namesOf = ({ findings }: RequestView) => findings.map(({ level, name }) => `${level} ${name}`)
const decoded = (raw: Hex | undefined) => {
  const transaction = Transaction.from(String(raw))
  const [made] = account.decodeFunctionData('executeBatch', transaction.data)
  return { transaction, made: made.map((call: readonly unknown[]) => [...call]) }
}

test('the first batch gives the account the code and makes all calls in one transaction, with one approval', async () => {
  const { ask, sent, seen } = await start()
  expect(await ask('wallet_sendCalls', batch())).toEqual({ id: 'x' })
  expect(seen).toHaveLength(1)
  expect(seen[0]?.effect).toMatchObject({
    kind: 'calls',
    together: { upgrades: true, replaces: null },
    calls: [
      { to: SECOND, value: '0x1', fee: null },
      { to: SECOND, data: '0x1234', fee: null },
    ],
  })
  expect(namesOf(seen[0] as RequestView)).toContain('caution upgradesAccount')
  expect(sent).toHaveLength(1)
  const { transaction, made } = decoded(sent[0])
  expect([transaction.type, transaction.from, transaction.to, transaction.value, transaction.nonce]).toEqual([
    4,
    ADDRESS,
    ADDRESS,
    0n,
    0,
  ])
  expect(made).toEqual([
    [SECOND, 1n, '0x'],
    [SECOND, 2n, '0x1234'],
  ])
  const [{ signature, ...consent } = { signature: null }, ...others] = transaction.authorizationList ?? []
  expect(others).toEqual([])
  expect(consent).toEqual({ address: BATCH_DELEGATE, chainId: 31337n, nonce: 1n })
  expect(verifyAuthorization(consent as Parameters<typeof verifyAuthorization>[0], signature as never)).toBe(ADDRESS)
})

test('an account that has the code is not asked for it again, also if the site does not require one transaction', async () => {
  const { ask, sent, seen } = await start(() => UPGRADED)
  for (const atomicRequired of [true, false])
    await ask('wallet_sendCalls', batch({ id: String(atomicRequired), atomicRequired }))
  expect(seen.map(({ effect }) => 'together' in effect && effect.together)).toEqual([
    { upgrades: false, replaces: null },
    { upgrades: false, replaces: null },
  ])
  for (const [at, request] of seen.entries()) {
    expect(namesOf(request)).not.toContain('caution upgradesAccount')
    const { transaction, made } = decoded(sent[at])
    expect([transaction.type, transaction.to, transaction.nonce, made.length]).toEqual([2, ADDRESS, at, 2])
  }
})

test('an account without the code gets it only for a site that requires one transaction', async () => {
  const { ask, sent, seen } = await start()
  await ask('wallet_sendCalls', batch({ atomicRequired: false }))
  expect(seen[0]?.effect).not.toHaveProperty('together')
  expect(sent.map(raw => Transaction.from(raw).type)).toEqual([2, 2])
})

test('if the site does not require one transaction, the user can choose it, and take that back', async () => {
  const { ask, wallet, sent } = await start(() => '0x', {}, undecided)
  const shown = async () => (await wallet.ui.getState(null)).requests[0] as RequestView
  const asked = async () => {
    const answer = ask('wallet_sendCalls', batch({ atomicRequired: false })).catch(({ code }) => code)
    await expect.poll(shown).toMatchObject({ effect: { mayBeTogether: true } })
    return { answer, id: (await shown()).id }
  }
  const first = await asked()
  await wallet.ui.editTransaction({ id: first.id, together: true })
  const chosen = { together: { upgrades: true, replaces: null, isChosen: true } }
  expect((await shown()).effect).toMatchObject(chosen)
  expect(namesOf(await shown())).toContain('caution upgradesAccount')
  await wallet.ui.decide({ id: first.id, approve: false })
  expect(await first.answer).toBe(4001)

  const { answer, id } = await asked()
  await wallet.ui.editTransaction({ id, together: true })
  await wallet.ui.editTransaction({ id, together: false })
  expect((await shown()).effect).toMatchObject({ mayBeTogether: true })
  await wallet.ui.editTransaction({ id, together: true })
  await wallet.ui.editTransaction({ id, fees: { maxFeePerGas: '0x12c', maxPriorityFeePerGas: '0x7' } })
  expect((await shown()).effect).toMatchObject(chosen)
  await wallet.ui.decide({ id, approve: true, revision: (await shown()).revision })
  await answer
  expect(sent.map(raw => decoded(raw).transaction)).toMatchObject([{ type: 4, maxFeePerGas: 300n }])
})

test('if the user chooses one transaction where it is not possible, the request stays as it is', async () => {
  const { ask, wallet } = await start(() => '0x', { eth_getCode: () => '0x' }, undecided)
  void ask('wallet_sendCalls', batch({ atomicRequired: false })).catch(() => null)
  const shown = async () => (await wallet.ui.getState(null)).requests[0] as RequestView
  await expect.poll(shown).toBeDefined()
  const { id, revision, effect } = await shown()
  expect(effect).not.toHaveProperty('mayBeTogether')
  await expect(wallet.ui.editTransaction({ id, together: true })).rejects.toMatchObject({ code: 5760 })
  expect((await shown()).revision).toBe(revision)
})

test('a single call needs no code', async () => {
  const { ask, sent, seen } = await start(() => '0x', { eth_getCode: () => '0x' })
  await ask('wallet_sendCalls', batch({ calls: calls.slice(0, 1) }))
  expect(seen[0]?.effect).not.toHaveProperty('together')
  expect(sent.map(raw => Transaction.from(raw).to)).toEqual([SECOND])
})

test('other code of the account is replaced only after a danger that names it', async () => {
  const { ask, sent, seen } = await start(() => OTHER_DELEGATE)
  await ask('wallet_sendCalls', batch())
  const replaces = `0x${'42'.repeat(20)}`
  expect(seen[0]).toMatchObject({ effect: { together: { upgrades: true, replaces } } })
  expect(seen[0]?.findings).toContainEqual({ level: 'danger', name: 'replacesCode', values: [replaces] })
  expect(decoded(sent[0]).transaction.authorizationList).toMatchObject([{ address: BATCH_DELEGATE }])
  const calm = await start(() => OTHER_DELEGATE)
  await calm.ask('wallet_sendCalls', batch({ atomicRequired: false }))
  expect(calm.sent).toHaveLength(2)
})

test.each<[string, Answers, object]>([
  ['a network without the contract', { eth_getCode: () => '0x' }, {}],
  ['a network with other code at the address', { eth_getCode: () => '0x60016001' }, {}],
  ['a network without delegations', { eth_call: () => '0x' }, {}],
  ['a batch that creates a contract', {}, { calls: [...calls, { data: '0x6001' }] }],
])(
  '%s: required atomicity is 5760 before the user is asked, otherwise the calls are sent in order',
  async (...given) => {
    const [, answers, change] = given
    const { ask, seen, sent } = await start(() => '0x', answers)
    await expect(ask('wallet_sendCalls', batch(change))).rejects.toMatchObject({ code: 5760 })
    expect(seen).toEqual([])
    await ask('wallet_sendCalls', batch({ ...change, atomicRequired: false }))
    expect(sent.length).toBeGreaterThan(1)
  },
)

test('rejecting the code is 5750 and sends nothing; rejecting a batch of an account with the code is 4001', async () => {
  const { ask, sent } = await start(() => '0x', {}, reject)
  await expect(ask('wallet_sendCalls', batch())).rejects.toMatchObject({ code: 5750 })
  await expect(ask('wallet_getCallsStatus', 'x')).rejects.toMatchObject({ code: 5730 })
  const upgraded = await start(() => UPGRADED, {}, reject)
  await expect(upgraded.ask('wallet_sendCalls', batch())).rejects.toMatchObject({ code: 4001 })
  expect([sent, upgraded.sent]).toEqual([[], []])
})

test('the fee has the gas of the authorization, and the balance must cover all calls and the fee', async () => {
  const { ask, seen } = await start(() => '0x', { eth_getBalance: () => '0x3' }, reject)
  await ask('wallet_sendCalls', batch()).catch(() => null)
  expect(seen[0]).toMatchObject({ effect: { fee: { gas: '0xb3b0', used: '0xb3b0' }, balance: '0x3' } })
  const needed = String(3n + BigInt(0xb3b0) * 202n)
  expect(seen[0]?.findings).toContainEqual({
    level: 'blocked',
    name: 'insufficientFunds',
    values: [needed, '3', String(BigInt(needed) - 3n)],
  })
})

test('the calls are estimated and simulated as one, with the code that the account will have', async () => {
  const asked: Record<string, unknown[]> = { estimates: [], simulations: [] }
  const done = { status: '0x1', returnData: '0x', logs: [], gasUsed: '0x5208' }
  const { ask, seen } = await start(() => '0x', {
    eth_estimateGas: params => asked.estimates?.push(params) && '0x10000',
    eth_simulateV1: ([request]) => asked.simulations?.push(request) && [{ calls: [done] }],
  })
  await ask('wallet_sendCalls', batch())
  const override = { [ADDRESS]: { code: UPGRADED } }
  expect(asked.estimates).toMatchObject([[{ from: ADDRESS, to: ADDRESS }, 'latest', override]])
  const simulated = { blockStateCalls: [{ stateOverrides: override, calls: [{ to: ADDRESS, nonce: '0x0' }] }] }
  expect(asked.simulations).toMatchObject([simulated, simulated])
  expect(seen[0]).toMatchObject({
    effect: {
      simulation: {
        tried: 2,
        failed: null,
        changes: [{ kind: 'native', direction: 'out', amount: '0x3', parties: [SECOND] }],
      },
    },
  })
})

test('the failing call and its reason are shown', async () => {
  const words = concat([
    hashOf('Error(string)').slice(0, 10),
    AbiCoder.defaultAbiCoder().encode(['string'], ['too late']),
  ])
  const data = concat([
    hashOf('ExecuteError(uint256,bytes)').slice(0, 10),
    AbiCoder.defaultAbiCoder().encode(['uint256', 'bytes'], [1, words]),
  ])
  const failing = { status: '0x0', returnData: data, error: { message: 'execution reverted' }, logs: [] }
  const { ask, seen } = await start(() => UPGRADED, {
    eth_estimateGas: () => {
      throw refusal('invalidInput', 'execution reverted')
    },
    eth_simulateV1: () => [{ calls: [failing] }],
  })
  await ask('wallet_sendCalls', batch())
  expect(seen[0]).toMatchObject({
    effect: { simulation: { failed: 1, failure: 'too late' }, fee: { gas: '0xf4240' } },
  })
  expect(namesOf(seen[0] as RequestView)).toContain('caution likelyToFail')
})

test('the user can change the fee, but not to a gas price if the account gets the code', async () => {
  const { ask, wallet, sent } = await start(() => '0x', {}, undecided)
  const answer = ask('wallet_sendCalls', batch())
  const shown = async () => (await wallet.ui.getState(null)).requests[0]
  await expect.poll(shown).toBeDefined()
  const id = String((await shown())?.id)
  await expect(wallet.ui.editTransaction({ id, fees: { gasPrice: '0x12c' } })).rejects.toMatchObject({ code: -32602 })
  await wallet.ui.editTransaction({ id, fees: { maxFeePerGas: '0x12c', maxPriorityFeePerGas: '0x7' } })
  expect((await shown())?.effect).toMatchObject({ together: { upgrades: true } })
  await wallet.ui.decide({ id, approve: true, revision: Number((await shown())?.revision) })
  await answer
  expect(decoded(sent[0]).transaction).toMatchObject({ type: 4, maxFeePerGas: 300n, maxPriorityFeePerGas: 7n })
})

test("if the account's code changes before the approval, the request is shown again", async () => {
  let code: Hex = '0x'
  const { ask, wallet, sent } = await start(() => code, {}, undecided)
  const answer = ask('wallet_sendCalls', batch())
  const shown = async () => (await wallet.ui.getState(null)).requests[0]
  await expect.poll(shown).toBeDefined()
  const id = String((await shown())?.id)
  code = OTHER_DELEGATE
  await wallet.ui.decide({ id, approve: true, revision: 0 })
  expect(sent).toEqual([])
  expect(namesOf((await shown()) as RequestView)).toContain('danger replacesCode')
  code = UPGRADED
  await wallet.ui.decide({ id, approve: true, revision: 1 })
  expect(namesOf((await shown()) as RequestView)).not.toContain('danger replacesCode')
  await wallet.ui.decide({ id, approve: true, revision: 2 })
  await answer
  expect(decoded(sent[0]).transaction.type).toBe(2)
})

test("if the contract's code is no longer the published one at the approval, nothing is signed", async () => {
  let isGone = false
  const answers = batchAnswers()
  const eth_getCode: Answers[string] = params => (isGone ? '0x6001' : answers.eth_getCode?.(params))
  const { ask, wallet, sent } = await start(() => '0x', { eth_getCode }, undecided)
  const answer = ask('wallet_sendCalls', batch()).catch(({ code }) => code)
  const shown = async () => (await wallet.ui.getState(null)).requests[0]
  await expect.poll(shown).toBeDefined()
  isGone = true
  await wallet.ui.decide({ id: String((await shown())?.id), approve: true, revision: 0 })
  expect([await answer, sent]).toEqual([5760, []])
})

test('after the worker stopped, the same bytes are sent again', async () => {
  const node = startNode(batchAnswers())
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
  const request = { id: 'one', method: 'wallet_sendCalls', params: [batch()] }
  wallet.request(SITE, request).catch(() => undefined)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  const [shown] = (await wallet.ui.getState(null)).requests
  void wallet.ui.decide({ id: String(shown?.id), approve: true, revision: 0 })
  await expect.poll(() => stopped).toBe(true)
  const after = startWallet({ store, chain: node.chain })
  await after.wallet.resume()
  expect(await after.wallet.request(SITE, request)).toEqual({ id: 'x' })
  expect(new Set(node.sent).size).toBe(1)
})

test('the status is of one transaction: atomic, with one receipt', async () => {
  let status: string | null = null
  const receipt = ([hash]: readonly unknown[]) =>
    status && { transactionHash: hash, status, blockHash: `0x${'ab'.repeat(32)}`, blockNumber: '0x7', logs: [] }
  const { ask, sent } = await start(() => '0x', { eth_getTransactionReceipt: receipt })
  await ask('wallet_sendCalls', batch())
  const statusNow = () => ask('wallet_getCallsStatus', 'x')
  expect(await statusNow()).toMatchObject({ status: 100, atomic: true })
  status = '0x1'
  const hash = keccak256(String(sent[0]))
  expect(await statusNow()).toMatchObject({ status: 200, atomic: true, receipts: [{ transactionHash: hash }] })
  status = '0x0'
  expect(await statusNow()).toMatchObject({ status: 500, atomic: true, receipts: [{ status: '0x0' }] })
})

test('a speed-up has the same calls and authorization, and the batch has its receipt', async () => {
  const mined = new Set<unknown>()
  const { ask, sent, wallet } = await start(() => '0x', {
    eth_getTransactionReceipt: ([hash]) =>
      mined.has(hash) ? { transactionHash: hash, status: '0x1', blockNumber: '0x7', logs: [] } : null,
  })
  await ask('wallet_sendCalls', batch())
  const fast = await wallet.ui.speedUp({ hash: keccak256(String(sent[0])) })
  const [slow, faster] = sent.map(raw => decoded(raw))
  expect(faster?.transaction.authorizationList).toEqual(slow?.transaction.authorizationList)
  expect(faster?.made).toEqual(slow?.made)
  mined.add(fast)
  expect(await ask('wallet_getCallsStatus', 'x')).toMatchObject({ status: 200, receipts: [{ transactionHash: fast }] })
})

test('a batch whose transaction was replaced is 400', async () => {
  let used = '0x0'
  const { ask } = await start(() => '0x', {
    eth_getTransactionReceipt: () => null,
    eth_getTransactionCount: () => used,
  })
  await ask('wallet_sendCalls', batch())
  used = '0x1'
  expect(await ask('wallet_getCallsStatus', 'x')).toMatchObject({ status: 400, atomic: true })
})

test('a batch after the removal of the code, which is on its way, gives the account the code again', async () => {
  const { ask, wallet, sent } = await start(() => UPGRADED, { eth_getTransactionReceipt: () => null })
  await wallet.ui.removeDelegation({ address: ADDRESS, chainId: 31337, payer: ADDRESS, id: 'a' })
  await ask('wallet_sendCalls', batch())
  const { transaction } = decoded(sent[1])
  expect([transaction.nonce, transaction.authorizationList?.[0]?.nonce]).toEqual([1, 2n])
})

test('while the node is unreachable, the batch cannot be approved; it is completed when the node responds', async () => {
  let isFar = true
  const answers = batchAnswers()
  const eth_getCode: Answers[string] = params => {
    if (isFar) throw unreachable()
    return answers.eth_getCode?.(params)
  }
  const { ask, wallet, sent } = await start(() => '0x', { eth_getCode }, undecided)
  const answer = ask('wallet_sendCalls', batch())
  const shown = async () => (await wallet.ui.getState(null)).requests[0]
  await expect.poll(shown).toMatchObject({ effect: { kind: 'calls', fee: null, calls: [{}, {}] } })
  const id = String((await shown())?.id)
  await expect(wallet.ui.decide({ id, approve: true, revision: 0 })).rejects.toMatchObject({ code: -32602 })
  isFar = false
  await wallet.ui.editTransaction({ id })
  expect((await shown())?.effect).toMatchObject({ together: { upgrades: true } })
  await wallet.ui.decide({ id, approve: true, revision: 1 })
  await answer
  expect(sent).toHaveLength(1)
})

test('a site still cannot send an authorization of its own', async () => {
  const { ask, seen } = await start()
  const withOwn = [{ ...calls[0], authorizationList: [] }, calls[1]]
  await expect(ask('wallet_sendCalls', batch({ calls: withOwn }))).rejects.toMatchObject({ code: -32602 })
  const transaction = { from: ADDRESS, to: ADDRESS, authorizationList: [] }
  await expect(ask('eth_sendTransaction', transaction)).rejects.toMatchObject({ code: -32602 })
  expect(seen).toEqual([])
})
