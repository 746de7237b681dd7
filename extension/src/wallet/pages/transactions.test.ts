import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { keccak256, Transaction } from 'ethers'
import { expect, test } from 'vitest'
import { unreachable } from '../networks/node.fixture.ts'
import {
  ADDRESS,
  type Answers,
  approve,
  connectedWallet,
  createdWallet,
  NOW,
  SECOND,
  SITE,
  startNode,
  startWallet,
  undecided,
} from '../wallet.fixture.ts'

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const transfer = { from: ADDRESS, to: SECOND, value: '0x1' }
const send = { from: ADDRESS, chainId: 31337, to: SECOND, token: null, amount: '0x5' }

/** Creates a node that knows the sent transactions, and has mined `used` of them. */
const start = async (answers: Answers = {}, person = approve) => {
  const node = { used: 0, receipts: new Map<unknown, object>() }
  const { chain, sent } = startNode({
    eth_getTransactionCount: ([, tag]) => encodeQuantity(tag === 'latest' ? node.used : sent.length),
    eth_getTransactionReceipt: ([hash]) => node.receipts.get(hash) ?? null,
    ...answers,
  })
  const headless = await connectedWallet({ chain, person })
  const activity = () => headless.wallet.ui.getActivity({ address: ADDRESS, chainId: 31337 })
  return { ...headless, ui: headless.wallet.ui, chain, node, sent, activity }
}
const hashOf = (raw: unknown) => keccak256(String(raw))

test("an account's activity on a network is listed newest first, but not while locked", async () => {
  const { ask, ui, activity, node } = await start()
  const first = await ask('eth_sendTransaction', transfer)
  const data = `0xa9059cbb${SECOND.slice(2).toLowerCase().padStart(64, '0')}${'5'.padStart(64, '0')}`
  const second = await ask('eth_sendTransaction', { ...transfer, to: TOKEN, data })
  expect(await activity()).toMatchObject([
    {
      hash: second,
      nonce: '0x1',
      status: 'pending',
      selector: '0xa9059cbb',
      call: { name: 'transfer', args: [{ value: SECOND }, { value: '5' }] },
    },
    {
      hash: first,
      chainId: 31337,
      account: ADDRESS,
      origin: SITE,
      nonce: '0x0',
      purpose: 'transaction',
      to: SECOND,
      value: '0x1',
      selector: null,
      call: null,
      gas: '0x5208',
      price: encodeQuantity(202),
      fee: null,
      createdAt: NOW,
      sentAt: NOW,
      settledAt: null,
    },
  ])
  node.receipts.set(first, { status: '0x1', gasUsed: '0x5208', blockNumber: '0x9', effectiveGasPrice: '0x66' })
  await activity()
  const state = await ui.getState(null)
  expect(state.activity.map(({ status }) => status)).toEqual(['pending', 'confirmed'])
  expect(JSON.stringify(state)).not.toContain('"raw"')
  await ui.lock(null)
  expect((await ui.getState(null)).activity).toEqual([])
  await expect(activity()).rejects.toMatchObject({ code: 4100 })
})

test('with an unreachable node, the stored activity is listed', async () => {
  const { store, ask } = await start()
  await ask('eth_sendTransaction', transfer)
  const far = startWallet({
    store,
    chain: async () => {
      throw unreachable()
    },
  })
  expect(await far.wallet.ui.getActivity({ address: ADDRESS, chainId: 31337 })).toHaveLength(1)
})

test('fees have three speeds', async () => {
  const { ui } = await start({
    eth_feeHistory: () => ({ baseFeePerGas: ['0x50', '0x64'], reward: [['0x1', '0x2', '0x3']] }),
  })
  expect(await ui.getFees({ chainId: 31337 })).toEqual({
    baseFee: '0x64',
    recentBaseFees: ['0x50'],
    slow: { fees: { maxFeePerGas: '0x7e', maxPriorityFeePerGas: '0x1' }, expected: '0x65' },
    normal: { fees: { maxFeePerGas: '0xca', maxPriorityFeePerGas: '0x2' }, expected: '0x66' },
    fast: { fees: { maxFeePerGas: '0x12f', maxPriorityFeePerGas: '0x3' }, expected: '0x67' },
  })
})

/** Returns an open request. */
const waiting = async (method: string, answers: Answers = {}) => {
  const headless = await start(answers, undecided)
  const answer = headless.ask(method, transfer)
  answer.catch(() => undefined)
  const shown = async () => (await headless.ui.getState(null)).requests[0]
  await expect.poll(shown).toBeDefined()
  const id = String((await shown())?.id)
  return { ...headless, answer, shown, id }
}

test('retrying a request at a node with an unreadable number reports which node answered what', async () => {
  const { ui, shown, id, sent } = await waiting('eth_sendTransaction', { eth_estimateGas: () => 'lots' })
  expect((await shown())?.findings).toContainEqual(expect.objectContaining({ level: 'blocked', name: 'unreachable' }))
  await expect(ui.editTransaction({ id })).rejects.toMatchObject({
    code: 4901,
    message: 'The Local chain node 127.0.0.1:8545 answered eth_estimateGas with "lots", which the wallet cannot read',
  })
  expect(sent).toEqual([])
})

test('an edited request is reviewed again, shown and signed', async () => {
  const { ui, answer, shown, id, sent } = await waiting('eth_sendTransaction')
  expect((await shown())?.effect).toMatchObject({
    nonce: null,
    fees: { maxFeePerGas: '0xca', maxPriorityFeePerGas: '0x2' },
    nonces: { next: '0x0', unsent: [], pending: [] },
  })
  const fees = { maxFeePerGas: '0x12c', maxPriorityFeePerGas: '0x7' }
  await ui.editTransaction({ id, fees, gas: '0x7530', nonce: '0x4' })
  expect(await shown()).toMatchObject({
    effect: { nonce: '0x4', fees, fee: { gas: '0x7530', atMost: encodeQuantity(30_000 * 300) } },
    findings: [{ name: 'nonceGap' }, { name: 'firstRecipient' }],
  })
  await ui.editTransaction({ id, fees: { gasPrice: '0x12d' } })
  // The revision that was shown is outdated.
  await expect(ui.decide({ id, approve: true, revision: 1 })).rejects.toMatchObject({ code: -32602 })
  expect(await shown()).toMatchObject({ revision: 2, effect: { fees: { gasPrice: '0x12d' } } })
  await ui.decide({ id, approve: true, revision: 2 })
  await answer
  const { type, gasPrice, gasLimit, nonce, to, value } = Transaction.from(sent[0])
  expect([type, gasPrice, gasLimit, nonce, to, value]).toEqual([0, 301n, 30_000n, 4, SECOND, 1n])
})

test('an edited fee is compared with the balance', async () => {
  const { ui, shown, id } = await waiting('eth_sendTransaction')
  await ui.editTransaction({ id, fees: { gasPrice: encodeQuantity(10n ** 18n) } })
  expect((await shown())?.findings).toMatchObject([
    { level: 'blocked', name: 'insufficientFunds' },
    { level: 'danger', name: 'excessiveFee' },
    { level: 'danger', name: 'feeOfBalance' },
    { level: 'caution', name: 'firstRecipient' },
  ])
})

test('an invalid edit is rejected, and the request stays unchanged', async () => {
  const { ui, shown, id } = await waiting('eth_signTransaction')
  const before = await shown()
  for (const edit of [
    { gas: '30000' },
    { nonce: '-0x1' },
    { fees: { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' } },
    { fees: { gasPrice: `0x1${'0'.repeat(64)}` } },
  ])
    await expect(ui.editTransaction({ id, ...edit }), JSON.stringify(edit)).rejects.toThrow()
  await expect(ui.editTransaction({ id: `${SITE} other`, gas: '0x5208' })).rejects.toMatchObject({ code: -32602 })
  expect(await shown()).toEqual(before)
})

test('a request that is decided during an edit is executed as shown', async () => {
  let hold = Promise.resolve()
  const { ui, answer, id, sent } = await waiting('eth_sendTransaction', {
    eth_estimateGas: async () => {
      await hold
      return '0x5208'
    },
  })
  let release = () => {}
  hold = new Promise(resolve => {
    release = resolve
  })
  const edited = ui.editTransaction({ id, fees: { gasPrice: '0x999' } }).catch(({ message }) => message)
  await ui.decide({ id, approve: true, revision: 0 })
  await answer
  release()
  expect(await edited).toBe('The request has already been decided')
  expect(Transaction.from(sent[0]).maxFeePerGas).toBe(202n)
})

test('the send screen sends coins and tokens once, as reviewed', async () => {
  const { ui, sent, activity } = await start()
  const { effect, findings } = await ui.reviewSend(send)
  expect([effect.to, effect.value, effect.nonces?.next, findings]).toEqual([SECOND, '0x5', '0x0', []])
  const like = `${ADDRESS.slice(0, 6)}${'0'.repeat(32)}${ADDRESS.slice(-4)}`.toLowerCase()
  const poisoned = await ui.reviewSend({ ...send, to: like })
  expect(poisoned.findings).toMatchObject([{ level: 'danger', name: 'lookalikeAddress' }])
  const hash = await ui.sendOwn({ ...send, id: 'a', fees: effect.fees as { gasPrice: string }, gas: effect.fee.gas })
  expect(await ui.sendOwn({ ...send, id: 'a' })).toBe(hash)
  await ui.sendOwn({ ...send, token: TOKEN, id: 'b' })
  expect(sent.map(raw => Transaction.from(raw)).map(({ to, value, data, nonce }) => [to, value, data, nonce])).toEqual([
    [SECOND, 5n, '0x', 0],
    [TOKEN, 0n, `0xa9059cbb${SECOND.slice(2).toLowerCase().padStart(64, '0')}${'5'.padStart(64, '0')}`, 1],
  ])
  expect((await activity()).map(({ origin, call }) => [origin, call?.name])).toEqual([
    [null, 'transfer'],
    [null, undefined],
  ])
})

test('repeating a sent transfer returns the same transaction, whatever the balance', async () => {
  const account = { balance: '0xde0b6b3a7640000' }
  const { ui, sent } = await start({ eth_getBalance: () => account.balance })
  const hash = await ui.sendOwn({ ...send, id: 'a' })
  account.balance = '0x0'
  expect(await ui.sendOwn({ ...send, id: 'a' })).toBe(hash)
  expect(sent).toHaveLength(1)
})

test('two concurrent sends of the same action make one transaction', async () => {
  const { ui, sent } = await start()
  const [hash, again] = await Promise.all([ui.sendOwn({ ...send, id: 'a' }), ui.sendOwn({ ...send, id: 'a' })])
  expect(again).toBe(hash)
  expect(sent).toHaveLength(1)
})

test('the default fee never follows a price jump', async () => {
  const high = encodeQuantity(10n ** 13n)
  const fees = { baseFeePerGas: ['0x64', '0x64'], reward: [['0x1', '0x2', high]], gasUsedRatio: [0.5] }
  const { ask, ui, sent } = await start({ eth_feeHistory: () => fees })
  const hash = String(await ask('eth_sendTransaction', transfer))
  for (const replace of [ui.speedUp, ui.cancelTransaction])
    await expect(replace({ hash })).rejects.toMatchObject({ code: -32000, message: expect.stringContaining('5 times') })
  expect(sent).toHaveLength(1)
})

test('transfers without funds, a key or an unused nonce are not sent', async () => {
  const { ui, sent, node } = await start({ eth_getBalance: () => '0x5' })
  await expect(ui.sendOwn({ ...send, id: 'a' })).rejects.toMatchObject({ code: -32000 })
  node.used = 4
  await expect(ui.reviewSend({ ...send, nonce: '0x3' })).rejects.toMatchObject({
    message: 'The nonce 3 has already been used: the next one is 4',
  })
  await ui.addWatchOnly({ address: TOKEN, name: 'Watched' })
  await expect(ui.reviewSend({ ...send, from: TOKEN })).rejects.toMatchObject({ code: 4100 })
  for (const wrong of [{ to: 'me' }, { amount: '5' }, { token: '0x12' }, { from: '' }])
    await expect(ui.sendOwn({ ...send, ...wrong, id: 'b' }), JSON.stringify(wrong)).rejects.toThrow()
  await ui.lock(null)
  await expect(ui.sendOwn({ ...send, id: 'c' })).rejects.toMatchObject({ code: 4100 })
  expect(sent).toEqual([])
})

test('a speed-up resends the transaction with a fee at least a tenth higher', async () => {
  const { ask, ui, sent, activity } = await start()
  const slow = String(await ask('eth_sendTransaction', { ...transfer, data: '0x1234' }))
  const few = { maxFeePerGas: '0xdf', maxPriorityFeePerGas: '0x2' }
  await expect(ui.speedUp({ hash: slow, fees: few })).rejects.toMatchObject({
    message: 'maxPriorityFeePerGas: a replacement must pay at least 3 wei per gas',
  })
  await expect(ui.speedUp({ hash: slow, fees: { gasPrice: '0x999' } })).rejects.toThrow()
  const fast = await ui.speedUp({ hash: slow })
  const [before, after] = sent.map(raw => Transaction.from(raw)) as [Transaction, Transaction]
  expect([after.nonce, after.to, after.value, after.data]).toEqual([0, SECOND, 1n, '0x1234'])
  expect([before.maxFeePerGas, after.maxFeePerGas, after.maxPriorityFeePerGas]).toEqual([202n, 302n, 3n])
  const faster = await ui.speedUp({ hash: fast, fees: { maxFeePerGas: '0x999', maxPriorityFeePerGas: '0x9' } })
  expect((await activity()).map(({ hash, purpose, replaces }) => [hash, purpose, replaces])).toEqual([
    [faster, 'speedUp', slow],
    [fast, 'speedUp', slow],
    [slow, 'transaction', null],
  ])
})

test('a cancellation sends an empty transaction, and the page sees which one was mined', async () => {
  const { ask, ui, sent, activity, node } = await start()
  const hash = String(await ask('eth_sendTransaction', { ...transfer, gasPrice: '0x1000' }))
  const nothing = await ui.cancelTransaction({ hash })
  const { nonce, to, value, data, gasPrice } = Transaction.from(sent[1])
  expect([nonce, to, value, data, gasPrice]).toEqual([0, ADDRESS, 0n, '0x', 4506n])
  node.used = 1
  node.receipts.set(nothing, { status: '0x1', gasUsed: '0x5208', blockNumber: '0x9', effectiveGasPrice: '0x1' })
  sent.splice(0)
  expect(await activity()).toMatchObject([
    { hash: nothing, purpose: 'cancel', status: 'confirmed', replaces: hash },
    { hash, status: 'replaced', replacedBy: nothing },
  ])
  await expect(ui.cancelTransaction({ hash })).rejects.toMatchObject({ code: -32602 })
  await expect(ui.speedUp({ hash: nothing })).rejects.toMatchObject({ code: -32602 })
})

test('a signed transaction can be sent, cancelled or discarded', async () => {
  const { ask, ui, sent, activity, node } = await start()
  const raws: unknown[] = []
  for (const _ of [1, 2, 3]) raws.push(await ask('eth_signTransaction', transfer))
  const [first, second, third] = raws.map(hashOf) as [Hex, Hex, Hex]
  expect((await activity()).map(({ nonce, status }) => [nonce, status])).toEqual([
    ['0x2', 'signed'],
    ['0x1', 'signed'],
    ['0x0', 'signed'],
  ])
  expect(await ui.sendSigned({ hash: first })).toBe(first)
  expect(sent).toEqual([raws[0]])
  await ui.discardSigned({ hash: third })
  const nothing = await ui.cancelTransaction({ hash: second })
  expect(Transaction.from(sent[1])).toMatchObject({ nonce: 1, to: ADDRESS })
  expect((await activity()).map(({ hash, status, failure }) => [hash, status, failure?.name])).toEqual([
    [nothing, 'pending', undefined],
    [third, 'dropped', 'discarded'],
    [second, 'signed', undefined],
    [first, 'pending', undefined],
  ])
  for (const act of [ui.sendSigned, ui.discardSigned])
    for (const hash of [first, third, `0x${'0'.repeat(64)}`])
      await expect(act({ hash })).rejects.toMatchObject({ code: -32602 })
  node.used = 2
  node.receipts.set(nothing, { status: '0x1', gasUsed: '0x5208', blockNumber: '0x9' })
  await activity()
  await expect(ui.sendSigned({ hash: second })).rejects.toMatchObject({ code: -32602 })
})

test('of two concurrent changes to a signed transaction, one succeeds and the other gets an error', async () => {
  for (const acts of [
    ['sendSigned', 'discardSigned'],
    ['discardSigned', 'sendSigned'],
    ['sendSigned', 'sendSigned'],
    ['discardSigned', 'discardSigned'],
  ] as const) {
    const { ask, ui, sent, activity } = await start()
    const hash = hashOf(await ask('eth_signTransaction', transfer)) as Hex
    const outcomes = await Promise.allSettled(acts.map(act => ui[act]({ hash })))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(outcomes[1]).toMatchObject({
      reason: { code: -32602, message: 'This transaction is not waiting to be sent' },
    })
    const isSent = acts[0] === 'sendSigned'
    expect(sent).toHaveLength(isSent ? 1 : 0)
    expect(await activity()).toMatchObject([{ hash, status: isSent ? 'pending' : 'dropped' }])
  }
})

test('a reset chain is reported, and clearing it removes the old activity', async () => {
  let genesis = '0x1'
  const { ask, ui, activity } = await start({
    eth_getBlockByNumber: ([block]) => ({ baseFeePerGas: '0x64', ...(block === '0x0' && { hash: genesis }) }),
  })
  await ask('eth_sendTransaction', transfer)
  expect((await ui.getState(null)).resetChains).toEqual([])
  genesis = '0x2'
  expect(await activity()).toHaveLength(1)
  expect((await ui.getState(null)).resetChains).toEqual([31337])
  await ui.resetChain({ chainId: 31337 })
  expect(await ui.getState(null)).toMatchObject({ resetChains: [], activity: [] })
  expect(await activity()).toEqual([])
  expect((await ui.getState(null)).resetChains).toEqual([])
})

test('a locked wallet rejects all transaction methods', async () => {
  const { wallet } = await createdWallet()
  await wallet.ui.lock(null)
  const hash = `0x${'0'.repeat(64)}`
  const acts = [
    wallet.ui.speedUp({ hash }),
    wallet.ui.cancelTransaction({ hash }),
    wallet.ui.sendSigned({ hash }),
    wallet.ui.discardSigned({ hash }),
    wallet.ui.resetChain({ chainId: 31337 }),
  ]
  for (const act of acts) await expect(act).rejects.toMatchObject({ code: 4100 })
})
