import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { getCreateAddress, keccak256, Transaction } from 'ethers'
import { expect, test } from 'vitest'
import type { RequestView } from '../../messages.ts'
import { createActivity } from '../activity/activity.ts'
import { refusal, unreachable } from '../networks/node.fixture.ts'
import { rpcError } from '../text/errors.ts'
import { PATIENCE } from '../transactions/in-time.ts'
import {
  ADDRESS,
  ADDRESS_LOWER,
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
  trustedOf,
  undecided,
} from '../wallet.fixture.ts'

const transfer = { from: ADDRESS_LOWER, to: SECOND, value: '0x1' }

const start = async (answers: Answers = {}, person: Person = approve) => {
  const node = startNode(answers)
  const headless = await recordingWallet({ chain: node.chain, person })
  return { ...headless, sent: node.sent }
}

test('an approved transaction is signed and sent, and its hash returned', async () => {
  const { ask, sent } = await start()
  for (const method of ['chain_sendTransaction', 'eth_sendTransaction']) {
    const hash = await ask(method, { ...transfer, data: '0x1234' })
    const { from, to, value, data, nonce, chainId, type, gasLimit, maxFeePerGas } = Transaction.from(sent.at(-1))
    expect([from, to, value, data, chainId, type]).toEqual([ADDRESS, SECOND, 1n, '0x1234', 31337n, 2])
    expect([nonce, gasLimit, maxFeePerGas]).toEqual([sent.length - 1, 21_000n, 202n])
    expect(hash).toBe(keccak256(String(sent.at(-1))))
  }
})

test('the user sees the transaction and its cost', async () => {
  const { ask, seen } = await start()
  await ask('chain_sendTransaction', transfer)
  expect(seen).toMatchObject([
    {
      account: { address: ADDRESS },
      effect: {
        kind: 'transaction',
        broadcast: true,
        to: SECOND,
        value: '0x1',
        data: '0x',
        nonce: null,
        call: null,
        fee: { gas: '0x5208', expected: encodeQuantity(21_000 * 102), atMost: encodeQuantity(21_000 * 202) },
      },
      findings: [{ level: 'caution', name: 'firstRecipient' }],
    },
  ])
})

test('data without a recipient creates a contract', async () => {
  const { ask, sent } = await start()
  await ask('chain_sendTransaction', { from: ADDRESS, data: '0x600160005260206000f3' })
  expect(Transaction.from(sent[0])).toMatchObject({ to: null, data: '0x600160005260206000f3' })
})

test.each<[string, Record<string, unknown>, object]>([
  ['a gas price', { gasPrice: '0x7' }, { type: 0, gasPrice: 7n }],
  ['maxFeePerGas alone', { maxFeePerGas: '0x12c' }, { type: 2, maxFeePerGas: 300n, maxPriorityFeePerGas: 2n }],
  ['type 0x1', { type: '0x1' }, { type: 1, gasPrice: 127n }],
  ['an access list', { accessList: [{ address: SECOND, storageKeys: [] }] }, { type: 2 }],
  ['a nonce', { nonce: '0x9' }, { nonce: 9 }],
  ['gasLimit for gas', { gasLimit: '0x9999' }, { gasLimit: 0x9999n }],
  ['input for data', { input: '0x1234' }, { data: '0x1234' }],
  ['the fields that viem adds', { chainId: '0x7a69', type: '0x2' }, { chainId: 31337n, type: 2 }],
  ['nulls for open fields', { gas: null, data: null, nonce: null }, { gasLimit: 21_000n }],
])('a site may specify %s', async (_, request, expected) => {
  const { ask, sent } = await start()
  await ask('chain_sendTransaction', { ...transfer, ...request })
  expect(Transaction.from(sent[0])).toMatchObject(expected)
})

test('unknown fields are not signed but reported, even after an edit', async () => {
  const { ask, wallet } = await start({}, undecided)
  const extras = { gaz: '0x1', 'no\u202e\nwarnings': 'x'.repeat(100), speed: 'fast' }
  void ask('chain_sendTransaction', { ...transfer, ...extras }).catch(() => undefined)
  const shown = async () => (await wallet.ui.getState(null)).requests[0]
  await expect.poll(shown).toBeDefined()
  const told = { level: 'none', name: 'ignoredFields', values: ['"gaz", "no\u202e\\nwarnings", "speed"'] }
  expect((await shown())?.findings).toContainEqual(told)
  await wallet.ui.editTransaction({ id: String((await shown())?.id), gas: '0x6000' })
  expect((await shown())?.findings).toContainEqual(told)
})

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const TRANSFER_CALL = `0xa9059cbb${SECOND.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}`

test.each<[string, object, string]>([
  [
    'a token transfer where there is no token',
    { to: TOKEN, value: '0x0', data: TRANSFER_CALL },
    'danger tokenWithoutCode',
  ],
  ['a call where there is no contract', { to: TOKEN, value: '0x0', data: '0x12345678' }, 'caution noContract'],
  ['coins with a call where there is no contract', { to: TOKEN, data: '0x12345678' }, 'danger paysNoContract'],
  ['coins sent to a token contract', { to: SECOND }, 'caution coinsToToken'],
  ['coins sent to the zero address', { to: `0x${'0'.repeat(40)}` }, 'danger sentToZero'],
])('checks the addresses on the node: %s', async (_, change, expected) => {
  const answers: Answers = {
    eth_getCode: ([address]) => (address === TOKEN ? '0x' : '0x6000'),
    eth_call: ([call]) => ((call as { data?: string }).data === '0x95d89b41' ? `0x${'20'.padStart(64, '0')}` : '0x'),
  }
  for (const method of ['eth_sendTransaction', 'eth_signTransaction']) {
    const { ask, seen } = await start(answers, reject)
    await ask(method, { ...transfer, ...change }).catch(() => undefined)
    expect(seen[0]?.findings.map(({ level, name }) => `${level} ${name}`)).toContain(expected)
  }
})

test('a used nonce blocks sending until it is changed', async () => {
  const { ask, wallet } = await start({ eth_getTransactionCount: () => '0x5' }, undecided)
  const answer = ask('chain_sendTransaction', { ...transfer, nonce: '0x4' })
  const shown = async () => (await wallet.ui.getState(null)).requests[0]
  await expect.poll(shown).toBeDefined()
  const request = (await shown()) as RequestView
  expect(request.findings).toContainEqual({ level: 'blocked', name: 'nonceUsed', values: ['4', '5'] })
  await expect(wallet.ui.decide({ id: request.id, approve: true, revision: 0 })).rejects.toMatchObject({ code: -32602 })
  await wallet.ui.editTransaction({ id: request.id, nonce: '0x5' })
  await wallet.ui.decide({ id: request.id, approve: true, revision: 1 })
  expect(await answer).toMatch(/^0x/)
})

/** Creates a node whose blocks are not returned until `release` is called. */
const slowNode = () => {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const eth_getBlockByNumber = async () => {
    await released
    return { baseFeePerGas: '0x64' }
  }
  return { node: startNode({ eth_getBlockByNumber }), release }
}

test('with a slow node, the request is shown at once and completed when the node responds', async () => {
  const { node, release } = slowNode()
  const { ask, wallet } = await connectedWallet({ chain: node.chain, person: undecided })
  const answer = ask('chain_sendTransaction', { ...transfer, value: '0x5' })
  const shown = async () => (await wallet.ui.getState(null)).requests[0]
  expect(PATIENCE).toBeLessThanOrEqual(2_000)
  await expect.poll(shown).toMatchObject({ revision: 0, effect: { value: '0x5', fee: null } })
  const request = (await shown()) as RequestView
  expect(request.findings).toContainEqual(expect.objectContaining({ level: 'blocked', name: 'waitingForNode' }))
  await expect(wallet.ui.decide({ id: request.id, approve: true, revision: 0 })).rejects.toMatchObject({ code: -32602 })
  release()
  await expect.poll(shown).toMatchObject({ revision: 1, effect: { fee: { gas: '0x5208' } } })
  expect((await shown())?.findings.map(({ name }) => name)).not.toContain('waitingForNode')
  await wallet.ui.decide({ id: request.id, approve: true, revision: 1 })
  expect(await answer).toBe(keccak256(String(node.sent[0])))
})

test('if the worker stops while it waits for the node, the next worker continues', async () => {
  const { node } = slowNode()
  const first = await connectedWallet({ chain: node.chain, person: undecided })
  void first.ask('chain_sendTransaction', transfer).catch(() => undefined)
  const waits = async () => (await first.wallet.ui.getState(null)).requests
  await expect.poll(waits).toHaveLength(1)
  const next = startWallet({ store: first.store, chain: startNode().chain, person: undecided })
  await next.wallet.resume()
  const shown = async () => (await next.wallet.ui.getState(null)).requests[0]
  await expect.poll(shown).toMatchObject({ revision: 1, effect: { fee: { gas: '0x5208' } } })
})

test('if the node fails while the wallet waits for it, it counts as unreachable, and can be retried', async () => {
  let fails = false
  const eth_getBlockByNumber = async () => {
    while (!fails) await new Promise(resolve => setTimeout(resolve, 20))
    throw unreachable()
  }
  const { ask, wallet } = await connectedWallet({ chain: startNode({ eth_getBlockByNumber }).chain, person: undecided })
  void ask('chain_sendTransaction', transfer).catch(() => undefined)
  const names = async () => (await wallet.ui.getState(null)).requests[0]?.findings.map(({ name }) => name)
  await expect.poll(names).toContain('waitingForNode')
  fails = true
  await expect.poll(names).toContain('unreachable')
  expect(await names()).not.toContain('waitingForNode')
})

test('a chain without a base fee gets a legacy transaction', async () => {
  const { ask, sent } = await start({ eth_getBlockByNumber: () => ({}) })
  await ask('chain_sendTransaction', transfer)
  expect(Transaction.from(sent[0])).toMatchObject({ type: 0, gasPrice: 102n, chainId: 31337n })
})

test('without an estimate, the gas limit is 90000 with a finding', async () => {
  const { ask, sent, seen } = await start({
    eth_estimateGas: () => {
      throw refusal('invalidInput', 'execution reverted: \u202eno')
    },
  })
  await ask('chain_sendTransaction', { ...transfer, data: '0x12345678' })
  expect(Transaction.from(sent[0]).gasLimit).toBe(90_000n)
  const [warned] = seen
  expect(warned?.findings.map(({ level, name }) => `${level} ${name}`)).toEqual([
    'caution likelyToFail',
    'caution coinsToUnknown',
    'caution unknownCall',
  ])
})

test('two concurrent transactions get two nonces', async () => {
  const { ask, sent } = await start()
  const hashes = await Promise.all([1, 2, 3].map(() => ask('chain_sendTransaction', transfer)))
  expect(sent.map(raw => Transaction.from(raw).nonce)).toEqual([0, 1, 2])
  expect(new Set(hashes).size).toBe(3)
})

test('if the node rejects the transaction, its error is returned and the nonce is free again', async () => {
  let refuses = true
  const sent: Hex[] = []
  const { ask } = await start({
    eth_sendRawTransaction: ([raw]) => {
      if (refuses) throw refusal('invalidInput', 'insufficient funds')
      sent.push(raw as Hex)
      return '0x'
    },
  })
  await expect(ask('chain_sendTransaction', transfer)).rejects.toMatchObject({
    code: -32000,
    message: 'insufficient funds',
  })
  refuses = false
  expect(await ask('chain_sendTransaction', transfer)).toBe(keccak256(String(sent[0])))
  expect(Transaction.from(sent[0]).nonce).toBe(0)
})

/** Creates a wallet whose worker stops during a broadcast, and the bytes that the node received. */
const stoppedWhileSending = async () => {
  const sent: Hex[] = []
  const { chain } = startNode({
    eth_sendRawTransaction: ([raw]) => {
      sent.push(raw as Hex)
      return new Promise(() => {})
    },
  })
  const headless = await connectedWallet({ chain, person: approve })
  headless.wallet.request(SITE, { id: 'lost', method: 'chain_sendTransaction', params: [transfer] })
  await expect.poll(() => sent).toHaveLength(1)
  return { store: headless.store, signed: String(sent[0]) }
}
const askAgain = { id: 'lost', method: 'chain_sendTransaction', params: [transfer] }
const never = () => {
  throw new Error('signed again')
}

test('if the worker stops while sending, the next worker sends the same bytes and returns their hash', async () => {
  const { store, signed } = await stoppedWhileSending()
  const node = startNode({ eth_getTransactionCount: never, eth_estimateGas: never })
  const { wallet, shown } = startWallet({ store, chain: node.chain, person: undecided })
  const [, hash] = await Promise.all([wallet.resume(), wallet.request(SITE, askAgain)])
  expect(node.sent).toEqual([signed])
  expect(hash).toBe(keccak256(signed))
  expect(await wallet.request(SITE, askAgain)).toBe(hash)
  expect([node.sent, shown]).toEqual([[signed], ['hidden']])
})

test('the same is true while the wallet is locked, and if the node had already accepted the bytes', async () => {
  const { store, signed } = await stoppedWhileSending()
  await store.session.remove('vault-key')
  const { chain } = startNode({
    eth_sendRawTransaction: ([raw]) => {
      expect(raw).toBe(signed)
      throw refusal('invalidInput', 'already known')
    },
    eth_getTransactionByHash: ([hash]) => ({ hash }),
  })
  const { wallet } = startWallet({ store, chain, person: undecided })
  expect(await wallet.request(SITE, askAgain)).toBe(keccak256(signed))
})

test('locking between approval and signature prevents signing and sending', async () => {
  const { wallet, ask, sent, seen } = await start({
    eth_getTransactionCount: async () => {
      if (seen.length > 0) await wallet.ui.lock(null)
      return '0x0'
    },
  })
  await expect(ask('chain_sendTransaction', transfer)).rejects.toMatchObject({ code: 4100 })
  expect(sent).toEqual([])
})

test.each(['local', 'session'] as const)(
  'if the %s store has no space for the signed transaction, nothing is sent',
  async area => {
    const { ask, sent, store } = await start()
    const { set } = store[area]
    store[area].set = async (name, value) => {
      if (name === 'activity' || JSON.stringify(value).includes('"signed":["0x'))
        throw rpcError('limitExceeded', 'activityTooLarge', { limit: 1 })
      await set(name, value)
    }
    await expect(ask('chain_sendTransaction', transfer)).rejects.toMatchObject({ code: -32005 })
    expect(sent).toEqual([])
  },
)

test('the signed bytes are stored only in the activity; the request has their hash', async () => {
  const { store, signed } = await stoppedWhileSending()
  const session = JSON.stringify(await store.session.get('requests'))
  expect(session).toContain(keccak256(signed))
  expect(session).not.toContain(signed.slice(2))
  expect(await createActivity(trustedOf(store)).list()).toMatchObject([{ raw: signed }])
})

test('if the worker stops before the signed bytes are stored, the next worker signs', async () => {
  const node = startNode()
  const headless = await connectedWallet({ chain: node.chain, person: approve })
  const stopping = {
    ...headless.store.local,
    set: (name: string, value: unknown) =>
      name === 'activity' ? new Promise<void>(() => {}) : headless.store.local.set(name, value),
  }
  const stopped = startWallet({ store: { ...headless.store, local: stopping }, chain: node.chain })
  stopped.wallet.request(SITE, askAgain).catch(() => undefined)
  await expect.poll(async () => JSON.stringify(await headless.store.session.get('requests'))).toContain('"signed":["0x')
  const next = startWallet({ store: headless.store, chain: node.chain })
  await next.wallet.resume()
  const hash = await next.wallet.request(SITE, askAgain)
  expect(node.sent.map(raw => keccak256(raw))).toEqual([hash])
})

test('two requests for the same bytes are each carried out once, even if the worker stops', async () => {
  let refuses = true
  let stops = false
  const sent: Hex[] = []
  const { chain } = startNode({
    eth_sendRawTransaction: ([raw]) => {
      if (refuses) throw refusal('invalidInput', 'insufficient funds')
      sent.push(raw as Hex)
      return stops ? new Promise(() => {}) : '0x'
    },
    eth_getTransactionCount: ([, block]) => encodeQuantity(block === 'latest' ? 0 : new Set(sent).size),
  })
  const headless = await connectedWallet({ chain, person: approve })
  await expect(headless.ask('chain_sendTransaction', transfer)).rejects.toMatchObject({ code: -32000 })
  refuses = false
  stops = true
  headless.wallet.request(SITE, askAgain).catch(() => undefined)
  await expect.poll(() => sent).toHaveLength(1)
  stops = false
  const next = startWallet({ store: headless.store, chain })
  await next.wallet.resume()
  expect(await next.wallet.request(SITE, askAgain)).toBe(keccak256(String(sent[0])))
  expect(new Set(sent).size).toBe(1)
})

test('if the node is unreachable, the request says so, cannot be approved, and can be retried', async () => {
  let isFar = true
  const eth_getBlockByNumber = () => {
    if (isFar) throw unreachable()
    return { baseFeePerGas: '0x64' }
  }
  const { ask, wallet, sent } = await start({ eth_getBlockByNumber }, undecided)
  const answer = ask('chain_sendTransaction', { ...transfer, value: '0x5' })
  const shown = async () => (await wallet.ui.getState(null)).requests[0]
  await expect.poll(shown).toMatchObject({
    revision: 0,
    effect: { to: SECOND, value: '0x5', fee: null },
    findings: expect.arrayContaining([expect.objectContaining({ level: 'blocked', name: 'unreachable' })]),
  })
  const id = String((await shown())?.id)
  await expect(wallet.ui.decide({ id, approve: true, revision: 0 })).rejects.toMatchObject({ code: -32602 })
  await expect(wallet.ui.editTransaction({ id })).rejects.toMatchObject({ code: 4901 })
  isFar = false
  await wallet.ui.editTransaction({ id })
  expect(await shown()).toMatchObject({ revision: 1, effect: { fee: { gas: '0x5208' }, speed: 'normal' } })
  expect((await shown())?.findings.filter(({ level }) => level === 'blocked')).toEqual([])
  await wallet.ui.decide({ id, approve: true, revision: 1 })
  expect(await answer).toBe(keccak256(String(sent[0])))
})

test('a request can be rejected while the node is unreachable', async () => {
  const far = () => {
    throw unreachable()
  }
  const { ask } = await start({ eth_getBlockByNumber: far }, reject)
  await expect(ask('chain_sendTransaction', transfer)).rejects.toMatchObject({ code: 4001 })
})

test('if the node does not respond to the broadcast, the error contains the hash', async () => {
  const { ask } = await start({
    eth_sendRawTransaction: () => {
      throw unreachable()
    },
  })
  await expect(ask('chain_sendTransaction', transfer)).rejects.toMatchObject({
    code: 4901,
    data: { hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
  })
})

/** Waits for this number of open requests, and returns them oldest first. */
const waiting = async ({ wallet }: Awaited<ReturnType<typeof start>>, count: number) => {
  const read = async () => (await wallet.ui.getState(null)).requests
  await expect.poll(read).toHaveLength(count)
  return read()
}
const names = (request: RequestView | undefined) => request?.findings.map(({ name }) => name)
const approveShown = ({ wallet }: Awaited<ReturnType<typeof start>>, { id, revision }: RequestView) =>
  wallet.ui.decide({ id, approve: true, revision })

test('a second transaction with the same nonce is sent only after the user has seen the replaced one', async () => {
  const headless = await start({}, undecided)
  const { ask, sent, shown, wallet } = headless
  const answers = ['0x1', '0x2'].map(value => ask('chain_sendTransaction', { ...transfer, value, nonce: '0x0' }))
  const [first, second] = (await waiting(headless, 2)) as [RequestView, RequestView]
  expect([first, second].flatMap(names)).not.toContain('replacesPending')

  await approveShown(headless, first)
  await approveShown(headless, second)
  expect(sent).toHaveLength(1)
  const [again] = (await waiting(headless, 1)) as [RequestView]
  expect(again).toMatchObject({ id: second.id, revision: 1, effect: { nonces: { pending: ['0x0'] } } })
  expect(names(again)).toContain('replacesPending')
  expect(shown.at(-1)).toBe('approval')
  await expect(wallet.ui.decide({ id: again.id, approve: true, revision: 0 })).rejects.toMatchObject({ code: -32602 })

  await approveShown(headless, again)
  expect(await Promise.all(answers)).toEqual(sent.map(raw => keccak256(raw)))
  expect(sent.map(raw => Transaction.from(raw).nonce)).toEqual([0, 0])
})

test('a contract is created only at the address that the user has seen', async () => {
  const headless = await start({}, undecided)
  const { ask, sent } = headless
  const creation = { from: ADDRESS, data: '0x600160005260206000f3' }
  const answers = [transfer, creation].map(request => ask('chain_sendTransaction', request))
  const [first, second] = (await waiting(headless, 2)) as [RequestView, RequestView]
  const at = (nonce: number) => ({ creates: { address: getCreateAddress({ from: ADDRESS, nonce }) } })
  expect(second.effect).toMatchObject(at(0))

  await approveShown(headless, first)
  await approveShown(headless, second)
  expect(sent).toHaveLength(1)
  const [again] = (await waiting(headless, 1)) as [RequestView]
  expect(again).toMatchObject({ id: second.id, revision: 1, effect: at(1) })

  await approveShown(headless, again)
  await Promise.all(answers)
  expect(sent.map(raw => Transaction.from(raw).nonce)).toEqual([0, 1])
})

test('the same is true for two concurrent approvals, and for a transaction signed in between', async () => {
  const headless = await start({}, undecided)
  const { ask, sent } = headless
  void ask('chain_signTransaction', transfer)
  const answer = ask('chain_sendTransaction', transfer)
  const both = await waiting(headless, 2)
  await Promise.all(both.map(request => approveShown(headless, request)))
  expect(sent).toEqual([])
  const [again] = (await waiting(headless, 1)) as [RequestView]
  expect([again.method, names(again)?.includes('displacesSigned')]).toEqual(['chain_sendTransaction', true])
  await headless.wallet.ui.decide({ id: again.id, approve: false })
  await expect(answer).rejects.toMatchObject({ code: 4001 })
})

test('if the worker stops before signing, the nonce is reviewed again and the user is asked', async () => {
  const headless = await start({}, undecided)
  const { store, wallet } = headless
  const asked = { id: 'second', method: 'chain_sendTransaction', params: [{ ...transfer, nonce: '0x0' }] }
  void wallet.request(SITE, asked).catch(() => undefined)
  const [request] = (await waiting(headless, 1)) as [RequestView]
  const kept = (await store.session.get('requests')) as object[]
  await store.session.set(
    'requests',
    kept.map(one => ({ ...one, decision: { approve: true, accounts: [] } })),
  )
  const node = startNode({ eth_getTransactionCount: ([, block]) => (block === 'latest' ? '0x0' : '0x1') })
  const next = startWallet({ store, chain: node.chain, person: undecided })
  await next.wallet.resume()
  expect((await next.wallet.ui.getState(null)).requests).toMatchObject([{ id: request.id, revision: 1 }])
  expect([next.shown, node.sent]).toEqual([['approval'], []])
  const answer = next.wallet.request(SITE, asked)
  await expect.poll(() => next.shown).toEqual(['approval', 'approval'])
  await next.wallet.ui.decide({ id: request.id, approve: true, revision: 1 })
  expect(await answer).toBe(keccak256(String(node.sent[0])))
})
