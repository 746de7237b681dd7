/** Receipts in unusual forms: the activity and wallet_getCallsStatus must agree about a call. */
import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { hashTransaction } from '@heliograph/shared/evm/transaction'
import { beforeAll, describe, expect, test } from 'vitest'
import { copyOfStores, mapStores } from '../storage/store.fixture.ts'
import { ADDRESS, type Answers, connectedWallet, NOW, SECOND, startNode, startWallet } from '../wallet.fixture.ts'
import { nodeError } from './answers.ts'
import { postOf, type Spelling } from './node.fixture.ts'
import { createChain } from './node.ts'

const connected = mapStores()
beforeAll(async () => void (await connectedWallet({ store: connected.stores })))

const usual = {
  blockHash: `0x${'ab'.repeat(32)}`,
  blockNumber: '0x10',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x66',
  status: '0x1',
  logs: [{ address: SECOND, data: '0x01', topics: ['0x02'], logIndex: '0x0' }],
}
const FEE = encodeQuantity(0x5208 * 0x66)
/** Fee at the call's own price, which is twice the base fee of 0x64, plus the tip. */
const OWN_FEE = encodeQuantity(0x5208 * (2 * 0x64 + 2))

/** Creates a wallet that has sent a call with this receipt. */
const start = async (receipt: (hash: Hex) => unknown, answers: Answers = {}, spell?: Spelling) => {
  const node = startNode({ eth_getTransactionReceipt: ([hash]) => receipt(hash as Hex), ...answers })
  const clock = { time: NOW }
  const { wallet, ask } = startWallet({
    store: await copyOfStores(connected),
    chain: createChain(postOf(node.chain, spell)),
    now: () => clock.time,
  })
  const calls = [{ to: SECOND, value: '0x1' }]
  await ask('wallet_sendCalls', { version: '2.0.0', id: 'x', chainId: '0x7a69', atomicRequired: false, calls })
  const hash = hashTransaction(node.sent[0])
  const activity = async () => {
    await wallet.tend()
    const [record] = await wallet.ui.getActivity({ address: ADDRESS, chainId: 31337 })
    return record
  }
  const status = () => ask('wallet_getCallsStatus', 'x') as Promise<{ status: number; receipts?: object[] }>
  return { ...node, ask, hash, activity, status, clock }
}

type Ending = ['confirmed' | 'failed' | 'pending', number]
const CONFIRMED: Ending = ['confirmed', 200]
const FAILED: Ending = ['failed', 500]
const PENDING: Ending = ['pending', 100]

describe('activity and wallet_getCallsStatus agree', () => {
  const root = `0x${'cd'.repeat(32)}`
  const rows: [change: Record<string, unknown>, ending: Ending, fee?: string | null][] = [
    [{}, CONFIRMED, FEE],
    [{ effectiveGasPrice: null }, CONFIRMED, OWN_FEE],
    [{ effectiveGasPrice: undefined }, CONFIRMED, OWN_FEE],
    [{ effectiveGasPrice: '0x0066' }, CONFIRMED, FEE],
    [{ effectiveGasPrice: 102 }, CONFIRMED, FEE],
    [{ effectiveGasPrice: '0x0' }, CONFIRMED, '0x0'],
    [{ gasUsed: '0x05208' }, CONFIRMED, FEE],
    [{ gasUsed: 21000 }, CONFIRMED, FEE],
    [{ gasUsed: '21000' }, CONFIRMED, FEE],
    [{ gasUsed: null }, CONFIRMED, null],
    [{ status: '0x00' }, FAILED],
    [{ status: '0x0' }, FAILED],
    [{ status: 0 }, FAILED],
    [{ status: '0' }, FAILED],
    [{ status: '0x01' }, CONFIRMED],
    [{ status: 1 }, CONFIRMED],
    [{ status: '1' }, CONFIRMED],
    [{ status: `0x${'1'.padStart(64, '0')}` }, CONFIRMED],
    [{ status: null, root }, CONFIRMED],
    [{ status: undefined, root }, CONFIRMED],
    [{ status: '0x0', root }, FAILED],
    [{ status: '0x1', root: null }, CONFIRMED],
    [{ blockNumber: null, blockHash: null }, PENDING],
    [{ blockNumber: null }, PENDING],
    [{ blockNumber: undefined, blockHash: undefined }, PENDING],
    [{ blockNumber: '0x0010' }, CONFIRMED],
    [{ blockNumber: 16 }, CONFIRMED],
    [{ logs: null }, CONFIRMED],
    [{ logs: undefined }, CONFIRMED],
    [{ logs: [{ address: SECOND, data: null, topics: null }] }, CONFIRMED],
    [{ type: null, contractAddress: null, to: null, logsBloom: undefined, cumulativeGasUsed: null }, CONFIRMED],
    [{ type: '0x7b', feeCurrency: null, l1Fee: '0x0', gatewayFee: {} }, CONFIRMED],
    [{ transactionHash: undefined }, CONFIRMED],
  ]

  test.for(rows)('%o', async ([change, [activityStatus, callsStatus], fee]) => {
    const { activity, status, hash } = await start(asked => ({ transactionHash: asked, ...usual, ...change }))
    const record = await activity()
    expect(record?.status).toBe(activityStatus)
    if (fee !== undefined) expect(record?.fee).toBe(fee)
    const told = await status()
    expect(told.status).toBe(callsStatus)
    if (callsStatus === 100) return expect(told.receipts).toBeUndefined()
    // Sites' libraries parse a receipt's numbers with BigInt, but compare its status as text.
    expect(told.receipts).toMatchObject([
      { status: callsStatus === 200 ? '0x1' : '0x0', blockNumber: '0x10', transactionHash: hash },
    ])
    const [receipt] = told.receipts as [Record<string, unknown>]
    expect(receipt.gasUsed).toBe(change.gasUsed === null ? undefined : '0x5208')
    if ('logs' in change) expect(receipt.logs).toEqual(change.logs ? [{ address: SECOND, data: '0x', topics: [] }] : [])
  })

  test('a receipt that does not exist yet', async () => {
    const { activity, status } = await start(() => null)
    expect([(await activity())?.status, (await status()).status]).toEqual(PENDING)
  })

  test.for([
    { status: '0x2' },
    { status: 'failed' },
    { status: true },
    { status: '' },
    { gasUsed: 'lots' },
    { gasUsed: '0x' },
    { effectiveGasPrice: '-0x1' },
    { effectiveGasPrice: 1.5 },
    { blockNumber: 'latest' },
    { logs: 'none' },
  ])('%o is neither confirmed nor failed, and the error says which node answered what', async change => {
    const { activity, status } = await start(asked => ({ transactionHash: asked, ...usual, ...change }))
    expect((await activity())?.status).toBe('pending')
    await expect(status()).rejects.toMatchObject({
      code: 4901,
      message: `The Local chain node node answered eth_getTransactionReceipt with ${JSON.stringify(change)}, which the wallet cannot read`,
    })
  })

  test("if the node refuses receipts, the activity stays unchanged, and a site gets the node's message", async () => {
    const { activity, status } = await start(() => {
      throw nodeError({ code: -32000, message: 'transaction indexing is in progress' })
    })
    expect((await activity())?.status).toBe('pending')
    await expect(status()).rejects.toMatchObject({ code: -32000, message: 'transaction indexing is in progress' })
  })

  test('a transaction whose nonce is used is pending while its receipt says that it is', async () => {
    const { activity, status } = await start(asked => ({ transactionHash: asked, ...usual, blockNumber: null }), {
      eth_getTransactionCount: () => '0x1',
      eth_getTransactionByHash: () => null,
    })
    expect([(await activity())?.status, (await status()).status]).toEqual(PENDING)
  })
})

/** Pads the numbers in a response with zeros. */
const padded = (value: unknown): unknown => {
  if (typeof value === 'string' && /^0x[\da-f]{1,16}$/.test(value)) return `0x${value.slice(2).padStart(18, '0')}`
  if (Array.isArray(value)) return value.map(padded)
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, padded(member)]))
    : value
}

/** Pads numbers, answers like version 1.0, and simulates a proxy that lets only some methods pass. */
const oddly: Spelling = (reply, { method, params }) => {
  if (method === 'eth_feeHistory' || method === 'eth_simulateV1') return '<html>403 Forbidden</html>'
  if (method === 'eth_maxPriorityFeePerGas') return '{"message":"not permitted"}'
  const error = method === 'eth_getTransactionCount' && params[1] === 'pending' ? { message: 'no pending block' } : null
  const result = error === null && 'result' in reply ? padded(reply.result) : null
  return JSON.stringify({ id: reply.id, result, error: error ?? ('error' in reply ? reply.error : null) })
}

test.for([
  ['confirmed', '0x1', 200],
  ['failed', '0x0', 500],
] as const)(
  'with a node that pads numbers and refuses methods, every method reports a transfer as %s',
  async ([ending, status, calls]) => {
    const mined = { is: false }
    const headless = await start(
      hash => (mined.is ? { transactionHash: hash, ...usual, status, logs: null, contractAddress: null } : null),
      { eth_getTransactionCount: () => (mined.is ? '0x1' : '0x0'), eth_call: () => '0x' },
      oddly,
    )
    const { ask, sent, hash } = headless
    expect((await headless.activity())?.status).toBe('pending')
    expect(await headless.status()).toMatchObject({ status: 100 })
    expect(await ask('eth_getTransactionReceipt', hash)).toBeNull()
    mined.is = true
    expect(await headless.activity()).toMatchObject({ hash, status: ending, block: '0x10', fee: FEE })
    expect(await headless.status()).toMatchObject({
      status: calls,
      receipts: [{ status, transactionHash: hash, gasUsed: '0x5208', blockNumber: '0x10', logs: [] }],
    })
    // A site's own read returns the node's values unchanged.
    const own = (await ask('eth_getTransactionReceipt', hash)) as Record<string, string>
    expect(own).toMatchObject({ transactionHash: hash, status: padded(status), gasUsed: padded('0x5208') })
    expect(BigInt(own.status ?? '')).toBe(BigInt(status))
    expect(sent).toHaveLength(1)
  },
)
