/** Transfers, calls and batches by a site, over nodes with unusual responses. */
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { decodeTransaction } from '@heliograph/shared/evm/transaction'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RequestView } from '../../messages.ts'
import { copyOfStores, mapStores } from '../storage/store.fixture.ts'
import { ADDRESS, type Answers, connectedWallet, SECOND, startNode, startWallet } from '../wallet.fixture.ts'
import { nodeError } from './answers.ts'
import { testNetworks } from './networks.fixture.ts'
import { postOf, type Spelling } from './node.fixture.ts'
import { createChain } from './node.ts'
import { spellings, unreadable } from './quantities.fixture.ts'

const ETHER = 10n ** 18n
const usual: Answers = {
  eth_chainId: () => '0x7a69',
  eth_getBlockByNumber: () => ({ number: '0x10', baseFeePerGas: '0x64', gasLimit: '0x1c9c380' }),
  eth_getBalance: () => encodeQuantity(100n * ETHER),
}
const flat: Answers = { eth_getBlockByNumber: () => ({ number: '0x10', gasLimit: '0x1c9c380' }) }
const answering = (result: unknown) => (): unknown => result
const refusing = (code: number, message: string) => (): unknown => {
  throw nodeError({ code, message })
}

/** A connected wallet that all tests copy. */
const connected = mapStores()
beforeAll(async () => void (await connectedWallet({ store: connected.stores })))

const start = async (answers: Answers, spell?: Spelling) => {
  const node = startNode({ ...usual, ...answers })
  const seen: RequestView[] = []
  const headless = startWallet({
    store: await copyOfStores(connected),
    chain: createChain(postOf(node.chain, spell)),
    // Approves every request that can be approved.
    person: request => {
      seen.push(request)
      return { approve: request.findings.every(({ level }) => level !== 'blocked') }
    },
  })
  return { ...node, ...headless, seen }
}

/** Makes a transfer of 1 wei. Returns what was sent, and the result. */
const transfer = async (answers: Answers = {}, spell?: Spelling) => {
  const { ask, sent, seen } = await start(answers, spell)
  const ended = await ask('eth_sendTransaction', { from: ADDRESS, to: SECOND, value: '0x1' }).catch(error => error)
  return { sent, ended, blocked: seen.flatMap(({ findings }) => findings.filter(({ level }) => level === 'blocked')) }
}

const expectUsual = async (answers: Answers, spell?: Spelling, ordinary: Answers = {}) => {
  const expected = await transfer(ordinary)
  expect(expected.sent).toHaveLength(1)
  const { sent, blocked } = await transfer({ ...ordinary, ...answers }, spell)
  expect(blocked).toEqual([])
  expect(sent).toEqual(expected.sent)
}

const only =
  (method: string, spell: Spelling): Spelling =>
  (reply, frame) =>
    frame.method === method ? spell(reply, frame) : JSON.stringify(reply)

describe('quantities', () => {
  const flatPrice = { ...flat, eth_gasPrice: answering('0x3938700') }

  test.for<[method: string, answer: unknown, others?: Answers]>([
    ['eth_estimateGas', '0x0000000000005208'],
    ['eth_gasPrice', '0x03938700', flatPrice],
    ['eth_getBalance', '0x056bc75e2d63100000'],
    ['eth_getTransactionCount', '0x00'],
    ['eth_maxPriorityFeePerGas', '0x02'],
    ['eth_chainId', '0x07a69'],
  ])('%s: %s is sent as usual', async ([method, answer, others]) =>
    expectUsual({ [method]: answering(answer) }, undefined, others),
  )

  test('eth_estimateGas: lots is not sent', async () => {
    const { sent, blocked } = await transfer({ eth_estimateGas: answering('lots') })
    expect([sent, blocked]).toMatchObject([[], [{ name: 'unreachable' }]])
  })

  const block = (value: unknown) => ({ number: '0x10', baseFeePerGas: value, gasLimit: '0x1c9c380' })
  /** Numbers that decide about the transaction, and where its bytes show the number that was read. */
  const places: Record<string, { value: bigint; answer(value: unknown): Answers; others?: Answers }> = {
    eth_estimateGas: { value: 0x5208n, answer: value => ({ eth_estimateGas: answering(value) }) },
    eth_gasPrice: { value: 0x66n, answer: value => ({ eth_gasPrice: answering(value) }), others: flat },
    eth_getBalance: { value: 100n * ETHER, answer: value => ({ eth_getBalance: answering(value) }) },
    eth_maxPriorityFeePerGas: { value: 2n, answer: value => ({ eth_maxPriorityFeePerGas: answering(value) }) },
    eth_getTransactionCount: { value: 7n, answer: value => ({ eth_getTransactionCount: answering(value) }) },
    baseFeePerGas: { value: 0x64n, answer: value => ({ eth_getBlockByNumber: answering(block(value)) }) },
  }
  const optional: typeof places = {
    gasLimit: {
      value: 0x1c9c380n,
      answer: value => ({ eth_getBlockByNumber: answering({ ...block('0x64'), gasLimit: value }) }),
    },
    eth_feeHistory: {
      value: 0x64n,
      answer: value => ({
        eth_feeHistory: answering({ baseFeePerGas: [value, value], reward: [[value, value, value]] }),
      }),
    },
  }
  const rows = Object.entries({ ...places, ...optional }).flatMap(([place, { value, answer, others }]) =>
    Object.entries(spellings).map(
      ([name, spell]) => [place, name, answer(spell(value)), answer(encodeQuantity(value)), others] as const,
    ),
  )

  test.for(rows)('%s with %s', async ([, , odd, plain, others]) => expectUsual(odd, undefined, { ...others, ...plain }))

  const refusals = Object.entries(places).flatMap(([place, { answer, others }]) =>
    Object.entries(unreadable).map(([name, value]) => [place, name, { ...others, ...answer(value) }] as const),
  )

  test.for(refusals)('%s with %s is not sent', async ([, , answers]) => {
    const { sent, ended } = await transfer(answers)
    expect(sent).toEqual([])
    expect(ended).toBeInstanceOf(Error)
  })

  const large = `0x${'f'.repeat(64)}`

  test.for<[method: string, answers: Answers, said?: string]>([
    ['eth_estimateGas', { eth_estimateGas: answering(large) }],
    ['eth_gasPrice', { ...flat, eth_gasPrice: answering(large) }],
    ['eth_maxPriorityFeePerGas', { eth_maxPriorityFeePerGas: answering(large) }],
    ['eth_getBlockByNumber', { eth_getBlockByNumber: answering(block(large)) }],
    ['eth_getTransactionCount', { eth_getTransactionCount: answering(large) }],
  ])('%s with more than a transaction can hold is not sent, and the error says which node answered what', async row => {
    const [method, answers] = row
    const { ask, wallet, sent } = await start(answers)
    const sending = { from: ADDRESS, chainId: 31337, to: SECOND, token: null, amount: '0x1', id: 'x' }
    await expect(wallet.ui.sendOwn(sending)).rejects.toMatchObject({
      code: 4901,
      values: { node: '127.0.0.1:8545', method, answer: expect.stringContaining(large.slice(0, 40)) },
    })
    // The site is told that the user rejected it or that the chain is unavailable, not that its params are invalid.
    const ended = ask('eth_sendTransaction', { from: ADDRESS, to: SECOND, value: '0x1' })
    await expect(ended).rejects.toMatchObject({ code: expect.toBeOneOf([4001, 4901]) })
    // The site does not learn the node's host either.
    expect(JSON.stringify(await ended.catch(error => [error.message, error.toJSON()]))).not.toContain('127.0.0.1')
    expect(sent).toEqual([])
  })

  test('a fee history with values larger than a transaction can hold is ignored', async () => {
    const eth_feeHistory = answering({ baseFeePerGas: ['0x64', large], reward: [[large, large, large]] })
    await expectUsual({ eth_feeHistory })
  })

  test.for(Object.entries(unreadable))('a gas limit and a fee history with %s are ignored', async ([, value]) => {
    const block = { number: '0x10', baseFeePerGas: '0x64', gasLimit: value }
    const history = { baseFeePerGas: [value, value], reward: [[value, value, value]] }
    const { sent, blocked } = await transfer({
      eth_getBlockByNumber: answering(block),
      eth_feeHistory: answering(history),
    })
    expect([sent, blocked]).toEqual([(await transfer()).sent, []])
  })
})

describe('unusual refusals of eth_feeHistory', () => {
  test('if the node reports 0 because it does not know the next base fee, the latest one is used', async () => {
    const reward = [['0x1', '0x2', '0x3']]
    const history = (next: string) => ({ eth_feeHistory: answering({ baseFeePerGas: ['0x64', next], reward }) })
    expect((await transfer(history('0x0'))).sent).toEqual((await transfer(history('0x64'))).sent)
  })

  const bodies: Record<string, Spelling> = {
    'an HTML page': () => '<html><body>403 Forbidden</body></html>',
    'a message alone': () => '{"message":"request jsonRPC method: eth_feeHistory not permit"}',
    'an empty body': () => '',
    'a null result next to an error': ({ id }) =>
      JSON.stringify({ jsonrpc: '2.0', id, result: null, error: { code: -32601, message: 'Method not found' } }),
    text: () => 'Method not allowed',
    'a list': () => '[]',
    'a string': () => '"no"',
    null: () => 'null',
    'an error as text': ({ id }) => JSON.stringify({ jsonrpc: '2.0', id, error: 'method not found' }),
    'an error without an id': () => '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}',
    'null as the result': ({ id }) => JSON.stringify({ jsonrpc: '2.0', id, result: null }),
    'no answer': () => {
      throw new Error('connection reset')
    },
  }
  const histories: typeof bodies = {
    'an empty result': ({ id }) => JSON.stringify({ jsonrpc: '2.0', id, result: {} }),
    'lists of null': ({ id }) =>
      JSON.stringify({ jsonrpc: '2.0', id, result: { baseFeePerGas: [null, null], reward: [null] } }),
  }

  test.for(Object.entries({ ...bodies, ...histories }))('%s is sent as usual', async ([, body]) =>
    expectUsual({}, only('eth_feeHistory', body)),
  )

  test.for(Object.entries(bodies))('%s for eth_maxPriorityFeePerGas is sent as usual', async ([, body]) =>
    expectUsual({}, only('eth_maxPriorityFeePerGas', body)),
  )

  test('without a gas price, a network without base fees gets it from other methods', async () => {
    const { sent } = await transfer({
      ...flat,
      eth_gasPrice: refusing(-32601, 'no'),
      eth_maxPriorityFeePerGas: answering('0x66'),
    })
    expect(sent).toEqual((await transfer(flat)).sent)
  })

  test.for<[name: string, spell: Spelling]>([
    ['an error', ({ id }) => JSON.stringify({ id, result: null, error: { message: 'not supported' } })],
    ['an HTML page', () => '<html>403 Forbidden</html>'],
  ])('without blocks, refused with %s, the fee is a gas price', async ([, spell]) => {
    const { sent, blocked } = await transfer({}, only('eth_getBlockByNumber', spell))
    expect(blocked).toEqual([])
    expect(sent).toEqual((await transfer(flat)).sent)
  })

  test('without any method for fees, a network without base fees is blocked', async () => {
    const none = refusing(-32601, 'no')
    const { sent, ended } = await transfer({ ...flat, eth_gasPrice: none, eth_maxPriorityFeePerGas: none })
    expect([sent, ended]).toMatchObject([[], { code: -32601 }])
  })
})

describe('forms of a JSON-RPC response', () => {
  const forms: Record<string, Spelling> = {
    'with error: null': reply =>
      JSON.stringify('error' in reply ? { ...reply, result: null } : { ...reply, error: null }),
    'without jsonrpc': ({ jsonrpc, ...reply }) => JSON.stringify(reply),
    'with jsonrpc 1.0': reply => JSON.stringify({ ...reply, jsonrpc: '1.0' }),
    'with jsonrpc as a number': reply => JSON.stringify({ ...reply, jsonrpc: 2 }),
    'with a byte order mark': reply => `\ufeff${JSON.stringify(reply)}`,
    'with extra members': reply => JSON.stringify({ ...reply, usage: 3, upstream: null }),
    'with white space': reply => ` \r\n${JSON.stringify(reply, null, 2)}\n`,
  }

  test.for(Object.entries(forms))('all answers %s', async ([name, spell]) => {
    // Batched replies are joined in a list, where a byte order mark is invalid. So only a single reply gets one.
    await expectUsual({}, name.includes('mark') ? only('eth_estimateGas', spell) : spell)
  })

  const calling = async (spell: Spelling, call = refusing(-32601, 'no')) =>
    (await start({ eth_call: call }, only('eth_call', spell))).ask('eth_call', { to: SECOND }, 'latest')

  test.for<[name: string, spell: Spelling, error: object]>([
    [
      'a null result next to an error',
      ({ id }) => JSON.stringify({ id, result: null, error: { code: 3, message: 'execution reverted', data: '0x' } }),
      { code: 3, message: 'execution reverted', data: '0x' },
    ],
    [
      'an error without a code',
      ({ id }) => JSON.stringify({ jsonrpc: '2.0', id, error: { message: 'header not found' } }),
      { code: -32603, message: 'header not found' },
    ],
    [
      'an error with null as its code',
      ({ id }) =>
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: null, message: 'header not found', data: null } }),
      { code: -32603, message: 'header not found' },
    ],
    [
      'a code as text',
      ({ id }) => JSON.stringify({ jsonrpc: '2.0', id, error: { code: '-32000', message: 'header not found' } }),
      { code: -32000, message: 'header not found' },
    ],
    [
      'an error as text',
      ({ id }) => JSON.stringify({ jsonrpc: '2.0', id, error: 'header not found' }),
      { code: -32603, message: 'header not found' },
    ],
    [
      'an error without a message',
      ({ id }) => JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, reason: 'header not found' } }),
      { code: -32000, message: expect.stringContaining('header not found') },
    ],
    [
      'an error without an id',
      () => JSON.stringify({ error: { code: -32000, message: 'header not found' } }),
      { code: -32000, message: 'header not found' },
    ],
    ["another request's id", ({ id }) => JSON.stringify({ jsonrpc: '2.0', id: id + 1, result: '0x' }), { code: 4901 }],
    [
      "an error with another request's id",
      ({ id }) => JSON.stringify({ jsonrpc: '2.0', id: id + 1, error: { code: 3, message: 'no' } }),
      { code: 4901 },
    ],
  ])('eth_call: a site gets the error of %s', async ([, spell, error]) => {
    await expect(calling(spell)).rejects.toMatchObject(error)
  })

  test.for(['0x', null, '0x02', { odd: [null, '0x00'] }])(
    'eth_call: a site gets %j as the node returned it',
    async result => {
      expect(await calling(reply => JSON.stringify({ ...reply, error: null }), answering(result))).toEqual(result)
    },
  )
})

describe("a network's only node limits the rate", () => {
  const limited = refusing(429, 'Too Many Requests')

  test.for(['eth_estimateGas', 'eth_getBalance', 'eth_getBlockByNumber'])(
    'of %s: the transaction is not reported as failing, and can be retried',
    async method => {
      const { sent, blocked } = await transfer({ [method]: limited })
      expect([sent, blocked]).toMatchObject([[], [{ name: 'unreachable' }]])
    },
  )

  test.for(['eth_feeHistory', 'eth_maxPriorityFeePerGas', 'eth_simulateV1'])(
    'of %s: the transaction is sent as usual',
    async method => expectUsual({ [method]: limited }),
  )

  test('of the pending nonce: nothing is sent, because another pending transaction could be replaced', async () => {
    const { sent, ended } = await transfer({
      eth_getTransactionCount: ([, tag]) => (tag === 'pending' ? limited() : '0x5'),
    })
    expect([sent, ended]).toMatchObject([[], { code: 429, message: 'Too Many Requests' }])
  })

  test("of the transaction itself: it is dropped, and the site gets the node's message", async () => {
    const { ended } = await transfer({ eth_sendRawTransaction: limited })
    expect(ended).toMatchObject({ code: 429, message: 'Too Many Requests' })
  })
})

describe('nonces', () => {
  const byTag = (pending: () => unknown, latest: unknown): Answers => ({
    eth_getTransactionCount: ([, tag]) => (tag === 'pending' ? pending() : latest),
  })

  test.for<[name: string, pending: () => unknown]>([
    ['refused', refusing(-32602, 'pending block is not available')],
    ['null', answering(null)],
    ['a word', answering('lots')],
    ['behind', answering('0x0')],
    ['the same', answering('0x5')],
    ['refused with -32000', refusing(-32000, 'unknown block tag')],
  ])("if the pending nonce is %s, the latest block's is used", async ([, pending]) => {
    const { sent } = await transfer(byTag(pending, '0x5'))
    expect(sent.map(raw => decodeTransaction(raw).transaction.nonce)).toEqual([5n])
  })

  test('a higher pending nonce is used', async () => {
    const { sent } = await transfer(byTag(answering('0x7'), '0x5'))
    expect(sent.map(raw => decodeTransaction(raw).transaction.nonce)).toEqual([7n])
  })
})

describe('the first of two nodes limits the rate', () => {
  const [local] = testNetworks
  const urls = ['https://first.example/', 'https://second.example/']
  const networks = testNetworks.map(network => (network === local ? { ...network, rpcUrls: urls } : network))

  test.for([429, -32005, -32011, -32016, -32029])(
    'with %i: the transfer is sent as usual by the second',
    async code => {
      const { chain, sent } = startNode(usual)
      const asked = new Set<string>()
      const second = postOf(chain)
      const first = postOf(async () => refusing(code, 'slow down')())
      const { ask } = startWallet({
        store: await copyOfStores(connected),
        networks,
        chain: createChain(async (url, body) => {
          asked.add(url)
          return (url === urls[0] ? first : second)(url, body)
        }),
      })
      await ask('eth_sendTransaction', { from: ADDRESS, to: SECOND, value: '0x1' })
      expect([sent, asked]).toEqual([(await transfer()).sent, new Set(urls)])
    },
  )
})

test('a transfer that the first of two nodes refuses for its rate limit is sent by the second', async () => {
  const [local] = testNetworks
  const urls = ['https://first.example/', 'https://second.example/']
  const { chain, sent } = startNode(usual)
  const second = postOf(chain)
  const first = postOf(startNode({ ...usual, eth_sendRawTransaction: refusing(-32000, 'daily quota exceeded') }).chain)
  const { ask, wallet } = startWallet({
    store: await copyOfStores(connected),
    networks: testNetworks.map(network => (network === local ? { ...network, rpcUrls: urls } : network)),
    chain: createChain((url, body) => (url === urls[0] ? first : second)(url, body)),
  })
  const hash = await ask('eth_sendTransaction', { from: ADDRESS, to: SECOND, value: '0x1' })
  expect(sent).toEqual((await transfer()).sent)
  expect(await wallet.ui.getActivity({ address: ADDRESS, chainId: 31337 })).toMatchObject([{ hash, status: 'pending' }])
})

describe('chains without fees', () => {
  const free: Answers = {
    eth_getBlockByNumber: answering({ number: '0x10', baseFeePerGas: '0x0', gasLimit: '0x1c9c380' }),
    eth_gasPrice: answering('0x0'),
    eth_getBalance: answering('0x1'),
  }

  test.for<[name: string, tip: () => unknown]>([
    ['no tip', refusing(-32601, 'no')],
    ['a tip of 0', answering('0x0')],
    ['a tip of null', answering(null)],
  ])('with %s, a transaction is sent with fees of 0', async ([, tip]) => {
    const { sent, blocked } = await transfer({ ...free, eth_maxPriorityFeePerGas: tip })
    expect(blocked).toEqual([])
    expect(sent.map(raw => decodeTransaction(raw).transaction)).toMatchObject([
      { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
    ])
  })

  test.for<[name: string, answers: Answers]>([
    ['a price of 0', {}],
    ['no price, and a tip of 0', { eth_gasPrice: refusing(-32601, 'no'), eth_maxPriorityFeePerGas: answering('0x00') }],
  ])('without base fees, and with %s, a transaction is sent with a price of 0', async ([, answers]) => {
    const { sent, blocked } = await transfer({ ...free, ...flat, ...answers })
    expect(blocked).toEqual([])
    expect(sent.map(raw => decodeTransaction(raw).transaction)).toMatchObject([{ gasPrice: 0n }])
  })
})
