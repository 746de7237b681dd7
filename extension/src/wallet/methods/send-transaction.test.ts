import { rpcError } from '@heliograph/shared/errors'
import { fromQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { keccak256, Transaction } from 'ethers'
import { expect, test } from 'vitest'
import type { RequestView } from '../../messages.ts'
import {
  ADDRESS,
  ADDRESS_LOWER,
  type Answers,
  approve,
  connectedWallet,
  SECOND,
  SITE,
  startNode,
  startWallet,
  undecided,
} from '../wallet.fixture.ts'

const transfer = { from: ADDRESS_LOWER, to: SECOND, value: '0x1' }

const start = async (answers: Answers = {}) => {
  const node = startNode(answers)
  const seen: RequestView[] = []
  const headless = await connectedWallet({
    chain: node.chain,
    person: request => {
      seen.push(request)
      return approve(request)
    },
  })
  return { ...headless, seen, sent: node.sent }
}

test('an approved transaction is signed, sent, and answered with its hash', async () => {
  const { ask, sent } = await start()
  for (const method of ['chain_sendTransaction', 'eth_sendTransaction']) {
    const hash = await ask(method, { ...transfer, data: '0x1234' })
    const { from, to, value, data, nonce, chainId, type, gasLimit, maxFeePerGas } = Transaction.from(sent.at(-1))
    expect([from, to, value, data, chainId, type]).toEqual([ADDRESS, SECOND, 1n, '0x1234', 31337n, 2])
    expect([nonce, gasLimit, maxFeePerGas]).toEqual([sent.length - 1, 21_000n, 202n])
    expect(hash).toBe(keccak256(String(sent.at(-1))))
  }
})

test('the person sees what will be sent and what it costs', async () => {
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
        fee: { gas: '0x5208', expected: fromQuantity(21_000 * 102), atMost: fromQuantity(21_000 * 202) },
      },
      findings: [],
    },
  ])
})

test('a contract is created where there is code and no address', async () => {
  const { ask, sent } = await start()
  await ask('chain_sendTransaction', { from: ADDRESS, data: '0x600160005260206000f3' })
  expect(Transaction.from(sent[0])).toMatchObject({ to: null, data: '0x600160005260206000f3' })
})

test.each<[string, Record<string, unknown>, object]>([
  ['a gas price', { gasPrice: '0x7' }, { type: 0, gasPrice: 7n }],
  ['maxFeePerGas alone', { maxFeePerGas: '0x12c' }, { type: 2, maxFeePerGas: 300n, maxPriorityFeePerGas: 2n }],
  ['type 0x1', { type: '0x1' }, { type: 1, gasPrice: 102n }],
  ['an access list', { accessList: [{ address: SECOND, storageKeys: [] }] }, { type: 2 }],
  ['a nonce', { nonce: '0x9' }, { nonce: 9 }],
  ['gasLimit for gas', { gasLimit: '0x9999' }, { gasLimit: 0x9999n }],
  ['input for data', { input: '0x1234' }, { data: '0x1234' }],
  ['what viem adds', { chainId: '0x7a69', type: '0x2' }, { chainId: 31337n, type: 2 }],
  ['nulls for what is open', { gas: null, data: null, nonce: null }, { gasLimit: 21_000n }],
])('a site may say %s', async (_, request, expected) => {
  const { ask, sent } = await start()
  await ask('chain_sendTransaction', { ...transfer, ...request })
  expect(Transaction.from(sent[0])).toMatchObject(expected)
})

test('on a chain without a base fee the transaction is a legacy one', async () => {
  const { ask, sent } = await start({ eth_getBlockByNumber: () => ({}) })
  await ask('chain_sendTransaction', transfer)
  expect(Transaction.from(sent[0])).toMatchObject({ type: 0, gasPrice: 102n, chainId: 31337n })
})

test('where the node cannot estimate, the gas is 90000 and the person is warned', async () => {
  const { ask, sent, seen } = await start({
    eth_estimateGas: () => {
      throw rpcError('invalidInput', 'execution reverted: \u202eno')
    },
  })
  await ask('chain_sendTransaction', { ...transfer, data: '0x12345678' })
  expect(Transaction.from(sent[0]).gasLimit).toBe(90_000n)
  const [warned] = seen
  expect(warned?.findings.map(({ name }) => name)).toEqual(['unknownCall', 'likelyToFail'])
})

test('two at once take two nonces', async () => {
  const { ask, sent } = await start()
  const hashes = await Promise.all([1, 2, 3].map(() => ask('chain_sendTransaction', transfer)))
  expect(sent.map(raw => Transaction.from(raw).nonce)).toEqual([0, 1, 2])
  expect(new Set(hashes).size).toBe(3)
})

test('a node that refuses: its own error, and the nonce is free for the next', async () => {
  let refuses = true
  const sent: Hex[] = []
  const { ask } = await start({
    eth_sendRawTransaction: ([raw]) => {
      if (refuses) throw rpcError('invalidInput', 'insufficient funds')
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

/** A wallet whose worker stops while the node is being told, and the bytes that it was told. */
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

test('a worker that stops while it sends: the next one sends the same bytes, and the page gets their hash', async () => {
  const { store, signed } = await stoppedWhileSending()
  const node = startNode({ eth_getTransactionCount: never, eth_estimateGas: never })
  const { wallet, shown } = startWallet({ store, chain: node.chain, person: undecided })
  const [, hash] = await Promise.all([wallet.resume(), wallet.request(SITE, askAgain)])
  expect(node.sent).toEqual([signed])
  expect(hash).toBe(keccak256(signed))
  expect(await wallet.request(SITE, askAgain)).toBe(hash)
  expect([node.sent, shown]).toEqual([[signed], []])
})

test('so too while the wallet is locked, and where the node took them the first time', async () => {
  const { store, signed } = await stoppedWhileSending()
  await store.session.remove('vault-key')
  const { chain } = startNode({
    eth_sendRawTransaction: ([raw]) => {
      expect(raw).toBe(signed)
      throw rpcError('invalidInput', 'already known')
    },
    eth_getTransactionByHash: ([hash]) => ({ hash }),
  })
  const { wallet } = startWallet({ store, chain, person: undecided })
  expect(await wallet.request(SITE, askAgain)).toBe(keccak256(signed))
})

test('locked between the approval and the signature, nothing is signed or sent', async () => {
  const { wallet, ask, sent } = await start({
    eth_getTransactionCount: async () => {
      await wallet.ui.lock(null)
      return '0x0'
    },
  })
  await expect(ask('chain_sendTransaction', transfer)).rejects.toMatchObject({ code: 4100 })
  expect(sent).toEqual([])
})

test('no room to keep the signed bytes: they are not sent', async () => {
  const { ask, sent, store } = await start()
  const { set } = store.session
  store.session.set = async (name, value) => {
    if (JSON.stringify(value).includes('"signed":"0x')) throw rpcError('limitExceeded', 'no room')
    await set(name, value)
  }
  await expect(ask('chain_sendTransaction', transfer)).rejects.toMatchObject({ message: 'no room' })
  expect(sent).toEqual([])
})

test('a node out of reach is 4901 before anybody is asked', async () => {
  const far = () => {
    throw rpcError('chainDisconnected', 'far away')
  }
  const { ask, seen } = await start({ eth_getBlockByNumber: far })
  await expect(ask('chain_sendTransaction', transfer)).rejects.toMatchObject({ code: 4901 })
  expect(seen).toEqual([])
})

test('a node that is gone when it is told: the hash is in the error, for the transaction may have been taken', async () => {
  const { ask } = await start({
    eth_sendRawTransaction: () => {
      throw rpcError('chainDisconnected', 'far away')
    },
  })
  await expect(ask('chain_sendTransaction', transfer)).rejects.toMatchObject({
    code: 4901,
    data: { hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
  })
})
