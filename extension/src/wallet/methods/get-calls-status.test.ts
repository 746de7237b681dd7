import { rpcError } from '@heliograph/shared/errors'
import { fromQuantity } from '@heliograph/shared/evm/hex'
import { keccak256 } from 'ethers'
import { expect, test } from 'vitest'
import {
  ADDRESS,
  type Answers,
  connectedWallet,
  OTHER_SITE,
  SECOND,
  startNode,
  startWallet,
} from '../wallet.fixture.ts'

const batch = {
  version: '2.0.0',
  id: 'x',
  chainId: '0x7a69',
  atomicRequired: false,
  calls: [{ to: SECOND }, { to: SECOND, value: '0x1' }],
}
const receipt = (hash: unknown, status: string) => ({
  transactionHash: hash,
  status,
  blockHash: `0x${'ab'.repeat(32)}`,
  blockNumber: '0x7',
  gasUsed: '0x5208',
  cumulativeGasUsed: '0xa410',
  from: ADDRESS,
  logs: [{ address: SECOND, data: '0x', topics: ['0x01'], logIndex: '0x0', removed: false }],
})

/** A batch of two that was sent; `statuses` are those of its transactions once they are mined, null until then. */
const start = async (answers: Answers = {}) => {
  const statuses: (string | null)[] = [null, null]
  const used = { count: 0 }
  const node = startNode({
    eth_getTransactionReceipt: ([hash]) => {
      const at = node.sent.findIndex(raw => keccak256(raw) === hash)
      const status = statuses[at]
      return status ? receipt(hash, status) : null
    },
    eth_getTransactionCount: ([, block]) => fromQuantity(block === 'latest' ? used.count : 0),
    ...answers,
  })
  const headless = await connectedWallet({ chain: node.chain })
  await headless.ask('wallet_sendCalls', batch)
  const mine = (...mined: (string | null)[]) => {
    statuses.splice(0, 2, ...mined)
    used.count = mined.filter(status => status !== null).length
  }
  const statusNow = async () => ((await headless.ask('wallet_getCallsStatus', 'x')) as { status: number }).status
  return { ...headless, ...node, mine, used, statusNow }
}

test('it is pending until all of it is mined, and then confirmed, with a receipt of each', async () => {
  const { ask, sent, mine, statusNow } = await start()
  expect(await ask('wallet_getCallsStatus', 'x')).toEqual({
    version: '2.0.0',
    id: 'x',
    chainId: '0x7a69',
    status: 100,
    atomic: false,
  })
  mine('0x1', null)
  expect(await statusNow()).toBe(100)
  mine('0x1', '0x1')
  expect(await ask('wallet_getCallsStatus', 'x')).toEqual({
    version: '2.0.0',
    id: 'x',
    chainId: '0x7a69',
    status: 200,
    atomic: false,
    receipts: sent.map(raw => ({
      logs: [{ address: SECOND, data: '0x', topics: ['0x01'] }],
      status: '0x1',
      blockHash: `0x${'ab'.repeat(32)}`,
      blockNumber: '0x7',
      gasUsed: '0x5208',
      transactionHash: keccak256(raw),
    })),
  })
})

test('all of it reverted is 500, some of it 600', async () => {
  const { mine, statusNow } = await start()
  mine('0x0', '0x0')
  expect(await statusNow()).toBe(500)
  mine('0x1', '0x0')
  expect(await statusNow()).toBe(600)
  mine('0x0', '0x1')
  expect(await statusNow()).toBe(600)
})

test('what was replaced by other transactions will not be mined any more', async () => {
  const { mine, used, statusNow } = await start()
  used.count = 1
  expect(await statusNow()).toBe(100)
  used.count = 2
  expect(await statusNow()).toBe(400)
  mine('0x1', null)
  used.count = 2
  expect(await statusNow()).toBe(600)
})

test('a batch of which the node took only the beginning is done when that is', async () => {
  let taken = 0
  const { mine, statusNow } = await start({
    eth_sendRawTransaction: ([raw]) => {
      if (taken++ > 0) throw rpcError('transactionRejected', 'underpriced')
      return keccak256(String(raw))
    },
    eth_getTransactionReceipt: ([hash]) => (taken > 2 ? receipt(hash, '0x1') : null),
  })
  expect(await statusNow()).toBe(100)
  taken = 3
  mine('0x1', null)
  expect(await statusNow()).toBe(600)
})

test('the status outlives the browser', async () => {
  const { store, chain, mine } = await start()
  mine('0x1', '0x1')
  await store.session.remove('requests')
  expect(await startWallet({ store, chain }).ask('wallet_getCallsStatus', 'x')).toMatchObject({ status: 200 })
})

test('a batch of another site, and one that was never sent, are 5730', async () => {
  const { wallet, ask } = await start()
  await expect(ask('wallet_getCallsStatus', 'y')).rejects.toMatchObject({ code: 5730 })
  const elsewhere = { id: '1', method: 'wallet_getCallsStatus', params: ['x'] }
  await expect(wallet.request(OTHER_SITE, elsewhere)).rejects.toMatchObject({ code: 5730 })
})

test('params of another shape are -32602', async () => {
  const { ask } = await start()
  for (const params of [[], [null], [7], [{ id: 'x' }], ['x', 'y']])
    await expect(ask('wallet_getCallsStatus', ...params)).rejects.toMatchObject({ code: -32602 })
})

test('a call that the person sped up counts under the hash that is on the chain', async () => {
  const { wallet, sent, mine, used, ask } = await start()
  const fast = await wallet.ui.speedUp({ hash: keccak256(String(sent[1])) })
  mine('0x1', null, '0x1')
  expect(used.count).toBe(2)
  expect(await ask('wallet_getCallsStatus', 'x')).toMatchObject({
    status: 200,
    receipts: [{ transactionHash: keccak256(String(sent[0])) }, { transactionHash: fast }],
  })
})
