import type { Hex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import type { Activity } from '../activity/activity.ts'
import { testNetworks } from '../networks/networks.fixture.ts'
import { reviewNonce } from '../review/nonces.ts'
import { ADDRESS, ADDRESS_LOWER, chainOf, SECOND } from '../wallet.fixture.ts'
import { noncesInOrder, nonceToSend, nonceToSign, readNonces } from './nonces.ts'

const [network] = testNetworks as [Network]

type Taken = [nonce: Hex, status: Activity['status'], account?: Hex, chainId?: number]

const start = (next: Hex, ...taken: Taken[]) => {
  const asked: unknown[] = []
  const records = taken.map(([nonce, status, account = ADDRESS, chainId = network.chainId]) => ({
    nonce,
    status,
    account,
    chainId,
  }))
  const activity = { list: async () => records as unknown as Activity[] }
  const resetChains: number[] = []
  const chain = chainOf({
    eth_getTransactionCount: params => {
      asked.push(params)
      return next
    },
  })
  return { asked, resetChains, parts: { chain, network, activity, chainResets: { list: async () => resetChains } } }
}

const both = async (next: Hex, ...taken: Taken[]) => {
  const { parts } = start(next, ...taken)
  return [await nonceToSend(parts, ADDRESS), await nonceToSign(parts, ADDRESS)]
}

test("without records of its own, the wallet uses the node's next nonce, including its pool", async () => {
  const { parts, asked } = start('0x7')
  expect(await nonceToSend(parts, ADDRESS)).toBe(7n)
  expect(asked).toEqual([
    [ADDRESS, 'latest'],
    [ADDRESS, 'pending'],
  ])
  expect(await both('0x7', ['0x7', 'confirmed'], ['0x7', 'failed'], ['0x7', 'replaced'], ['0x7', 'dropped'])).toEqual([
    7n,
    7n,
  ])
})

test('a pending transaction occupies its nonce, even if the node has forgotten it', async () => {
  expect(await both('0x5', ['0x5', 'pending'], ['0x6', 'pending'], ['0x8', 'pending'])).toEqual([7n, 7n])
  expect(await both('0x5', ['0x3', 'pending'])).toEqual([5n, 5n])
})

test('a signed transaction occupies its nonce for other signatures, but not for transactions to send', async () => {
  expect(await both('0x5', ['0x5', 'signed'])).toEqual([5n, 6n])
  expect(await both('0x5', ['0x5', 'pending'], ['0x6', 'signed'])).toEqual([6n, 7n])
})

test("consecutive nonces skip pending transactions' nonces, and signed transactions' nonces are reported", async () => {
  const inOrder = (count: number, ...taken: Taken[]) => noncesInOrder(start('0x5', ...taken).parts, ADDRESS, count)
  expect(await inOrder(3)).toEqual({ nonces: [5n, 6n, 7n], displaced: [] })
  expect(await inOrder(3, ['0x6', 'pending'])).toEqual({ nonces: [5n, 7n, 8n], displaced: [] })
  expect(await inOrder(2, ['0x6', 'signed'], ['0x9', 'signed'])).toEqual({ nonces: [5n, 6n], displaced: [6n] })
})

test('other accounts and networks have their own nonces', async () => {
  expect(await both('0x5', ['0x5', 'pending', SECOND], ['0x5', 'signed', ADDRESS, 1])).toEqual([5n, 5n])
  expect(await both('0x5', ['0x5', 'pending', ADDRESS_LOWER as Hex])).toEqual([6n, 6n])
})

test('the view separates unsent and pending nonces', async () => {
  const { parts } = start('0x5', ['0x5', 'pending'], ['0x6', 'signed'], ['0x4', 'confirmed'])
  const told = { used: '0x5', unsent: ['0x6'], pending: ['0x5'] }
  expect(await readNonces(parts, ADDRESS, 'send')).toEqual({ next: '0x6', ...told })
  expect(await readNonces(parts, ADDRESS, 'sign')).toEqual({ next: '0x7', ...told })
})

test('the next nonce is never a used one, even if a block arrives or another node responds in between', async () => {
  const { parts } = start('0x0')
  const answering = (...answers: Hex[]) => ({
    ...parts,
    chain: chainOf({ eth_getTransactionCount: () => answers.shift() }),
  })
  for (const purpose of ['send', 'sign'] as const) {
    const mined = await readNonces(answering('0x5', '0x6'), ADDRESS, purpose)
    const behind = await readNonces(answering('0x5', '0x4'), ADDRESS, purpose)
    expect([mined, behind]).toMatchObject([
      { next: '0x6', used: '0x5' },
      { next: '0x5', used: '0x5' },
    ])
    for (const nonces of [mined, behind]) expect(reviewNonce(undefined, nonces, purpose)).toEqual([])
  }
})

test('transactions from before a reset do not occupy nonces', async () => {
  const { parts, resetChains } = start('0x0', ['0x0', 'pending'], ['0x1', 'signed'])
  resetChains.push(network.chainId)
  expect(await nonceToSend(parts, ADDRESS)).toBe(0n)
})
