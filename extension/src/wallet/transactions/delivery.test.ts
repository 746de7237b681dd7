import { Transaction } from 'ethers'
import { expect, test } from 'vitest'
import { createActivity } from '../activity/activity.ts'
import { refusal, unreachable } from '../networks/node.fixture.ts'
import { rpcError } from '../text/errors.ts'
import {
  ADDRESS,
  type Answers,
  approve,
  connectedWallet,
  SECOND,
  SITE,
  startNode,
  startWallet,
  trustedOf,
} from '../wallet.fixture.ts'

const transfer = { from: ADDRESS, to: SECOND, value: '0x1' }
const batch = {
  version: '2.0.0',
  from: ADDRESS,
  chainId: '0x7a69',
  atomicRequired: false,
  calls: [{ to: SECOND }, { to: SECOND, value: '0x2' }, { to: SECOND, value: '0x3' }],
}

const start = async (answers: Answers = {}) => {
  const node = startNode(answers)
  const headless = await connectedWallet({ chain: node.chain, person: approve })
  return { ...headless, sent: node.sent, kept: () => createActivity(trustedOf(headless.store)).list() }
}

test('a transaction is stored before it is sent, and pending afterwards', async () => {
  const seen: unknown[] = []
  const { ask, kept } = await start({
    eth_sendRawTransaction: async ([raw]) => {
      seen.push((await kept()).map(record => [record.raw === raw, record.status]))
      return '0x'
    },
  })
  const hash = await ask('eth_sendTransaction', transfer)
  expect(seen).toEqual([[[true, 'pending']]])
  expect(await kept()).toMatchObject([
    { hash, account: ADDRESS, origin: SITE, nonce: '0x0', status: 'pending', sentAt: 1_700_000_000_000 },
  ])
})

test('a transaction that cannot be stored is not sent', async () => {
  const { ask, sent, store } = await start()
  const { set } = store.local
  store.local.set = async (name, value) => {
    if (name === 'activity') throw rpcError('limitExceeded', 'activityTooLarge', { limit: 1 })
    await set(name, value)
  }
  await expect(ask('eth_sendTransaction', transfer)).rejects.toMatchObject({ code: -32005 })
  expect(sent).toEqual([])
})

test("a rejected transaction is dropped with the node's message, and one with an unknown outcome stays pending", async () => {
  const refused = await start({
    eth_sendRawTransaction: () => {
      throw refusal('invalidInput', 'insufficient funds')
    },
  })
  await expect(refused.ask('eth_sendTransaction', transfer)).rejects.toMatchObject({ code: -32000 })
  expect(await refused.kept()).toMatchObject([
    { status: 'dropped', failure: { name: 'refused', reason: 'insufficient funds' } },
  ])
  const silent = await start({
    eth_sendRawTransaction: () => {
      throw unreachable()
    },
  })
  await expect(silent.ask('eth_sendTransaction', transfer)).rejects.toMatchObject({ code: 4901 })
  expect(await silent.kept()).toMatchObject([{ status: 'pending', failure: null }])
})

test('a signed transaction is stored, occupies its nonce, and becomes pending when the site sends it', async () => {
  const { ask, kept, sent } = await start()
  const first = await ask('eth_signTransaction', transfer)
  const second = await ask('eth_signTransaction', transfer)
  expect([first, second].map(raw => Transaction.from(String(raw)).nonce)).toEqual([0, 1])
  expect((await kept()).map(({ status }) => status)).toEqual(['signed', 'signed'])
  await ask('eth_sendRawTransaction', first)
  expect((await kept()).map(({ status }) => status)).toEqual(['pending', 'signed'])
  expect(sent).toEqual([first])
})

test('if the worker stops after storing the signed bytes, the next worker returns the same bytes', async () => {
  const { store } = await start()
  const { set } = store.local
  const stopped = new Promise<void>(resolve => {
    store.local.set = async (name, value) => {
      await set(name, value)
      if (name !== 'activity') return
      store.local.set = set
      resolve()
      await new Promise(() => {})
    }
  })
  const request = { id: 'once', method: 'eth_signTransaction', params: [transfer] }
  void startWallet({ store, chain: startNode().chain }).wallet.request(SITE, request)
  await stopped
  // The node's nonce has advanced since, so signing again would use another nonce.
  const { wallet } = startWallet({ store, chain: startNode({ eth_getTransactionCount: () => '0x9' }).chain })
  await wallet.resume()
  expect(Transaction.from(String(await wallet.request(SITE, request))).nonce).toBe(0)
  expect(await createActivity(trustedOf(store)).list()).toMatchObject([{ status: 'signed', nonce: '0x0' }])
})

test('a batch is stored before it is sent, and a rejection stops it and frees the nonces', async () => {
  const taken: unknown[] = []
  const counts: number[] = []
  const { ask, kept } = await start({
    eth_sendRawTransaction: async ([raw]) => {
      counts.push((await kept()).length)
      if (taken.length === 1) throw refusal('transactionRejected', 'underpriced')
      taken.push(raw)
      return '0x'
    },
  })
  await ask('wallet_sendCalls', batch)
  expect(counts).toEqual([3, 3])
  expect((await kept()).map(({ status, failure }) => [status, failure?.name])).toEqual([
    ['pending', undefined],
    ['dropped', 'refused'],
    ['dropped', 'notSent'],
  ])
})
