import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { keccak256 } from 'ethers'
import { expect, test } from 'vitest'
import { refusal } from '../networks/node.fixture.ts'
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

/** Creates a batch of two sent transactions. `statuses` are the statuses in their receipts, null while pending. */
const start = async (answers: Answers = {}) => {
  const statuses: (string | null)[] = [null, null]
  const used = { count: 0 }
  const node = startNode({
    eth_getTransactionReceipt: ([hash]) => {
      const at = node.sent.findIndex(raw => keccak256(raw) === hash)
      const status = statuses[at]
      return status ? receipt(hash, status) : null
    },
    eth_getTransactionCount: ([, block]) => encodeQuantity(block === 'latest' ? used.count : 0),
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

test('a batch is pending until all its transactions are mined, then confirmed, with a receipt for each', async () => {
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

test('a fully reverted batch is 500, a partially reverted one 600', async () => {
  const { mine, statusNow } = await start()
  mine('0x0', '0x0')
  expect(await statusNow()).toBe(500)
  mine('0x1', '0x0')
  expect(await statusNow()).toBe(600)
  mine('0x0', '0x1')
  expect(await statusNow()).toBe(600)
})

test('a batch whose transactions were replaced is 400, or 600 if some were mined', async () => {
  const { mine, used, statusNow } = await start()
  used.count = 1
  expect(await statusNow()).toBe(100)
  used.count = 2
  expect(await statusNow()).toBe(400)
  mine('0x1', null)
  used.count = 2
  expect(await statusNow()).toBe(600)
})

test('if the node accepted only the first calls of a batch, it is 600 when those are mined', async () => {
  let taken = 0
  const { mine, statusNow } = await start({
    eth_sendRawTransaction: ([raw]) => {
      if (taken++ > 0) throw refusal('transactionRejected', 'underpriced')
      return keccak256(String(raw))
    },
    eth_getTransactionReceipt: ([hash]) => (taken > 2 ? receipt(hash, '0x1') : null),
  })
  expect(await statusNow()).toBe(100)
  taken = 3
  mine('0x1', null)
  expect(await statusNow()).toBe(600)
})

test('the status survives a browser restart', async () => {
  const { store, chain, mine } = await start()
  mine('0x1', '0x1')
  await store.session.remove('requests')
  expect(await startWallet({ store, chain }).ask('wallet_getCallsStatus', 'x')).toMatchObject({ status: 200 })
})

test("an unknown batch, or another site's batch, is 5730", async () => {
  const { wallet, ask } = await start()
  await expect(ask('wallet_getCallsStatus', 'y')).rejects.toMatchObject({ code: 5730 })
  const elsewhere = { id: '1', method: 'wallet_getCallsStatus', params: ['x'] }
  await expect(wallet.request(OTHER_SITE, elsewhere)).rejects.toMatchObject({ code: 5730 })
})

test('invalid params are -32602', async () => {
  const { ask } = await start()
  for (const params of [[], [null], [7], [{ id: 'x' }]])
    await expect(ask('wallet_getCallsStatus', ...params)).rejects.toMatchObject({ code: -32602 })
})

test("a call that was sped up has its replacement's receipt", async () => {
  const { wallet, sent, mine, used, ask } = await start()
  const fast = await wallet.ui.speedUp({ hash: keccak256(String(sent[1])) })
  mine('0x1', null, '0x1')
  expect(used.count).toBe(2)
  expect(await ask('wallet_getCallsStatus', 'x')).toMatchObject({
    status: 200,
    receipts: [{ transactionHash: keccak256(String(sent[0])) }, { transactionHash: fast }],
  })
})
