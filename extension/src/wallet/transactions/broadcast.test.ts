import { hashTransaction, signTransaction } from '@heliograph/shared/evm/transaction'
import type { Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { nodeError } from '../networks/answers.ts'
import { testNetworks } from '../networks/networks.fixture.ts'
import { refusal, unreachable } from '../networks/node.fixture.ts'
import { type Answers, SECOND, startNode } from '../wallet.fixture.ts'
import { broadcast } from './broadcast.ts'

const [network] = testNetworks as [Network]
const signed = signTransaction(
  { type: 'legacy', chainId: 31337n, nonce: 0n, gas: 21_000n, gasPrice: 1n, to: SECOND, value: 0n, data: '0x' },
  new Uint8Array(32).fill(1),
)
const hash = hashTransaction(signed)
const refusing = (error: unknown, answers: Answers = {}) =>
  startNode({
    eth_sendRawTransaction: () => {
      throw error
    },
    ...answers,
  })

test("sends the bytes unchanged and returns the node's result", async () => {
  const { chain, sent } = startNode()
  expect(await broadcast({ chain, network }, signed)).toBe(hash)
  expect(sent).toEqual([signed])
})

test('an error about a known or mined transaction counts as accepted', async () => {
  for (const message of ['already known', 'nonce too low', 'transaction already imported']) {
    const { chain } = refusing(refusal('invalidInput', message), { eth_getTransactionByHash: () => ({ hash }) })
    expect(await broadcast({ chain, network }, signed)).toBe(hash)
  }
})

test('another transaction with the same nonce, or a lookup without a result, does not count as accepted', async () => {
  for (const message of ['pending transaction with same nonce already exists', 'nonce too low', 'OldNonce'])
    for (const found of [null, undefined, '', false]) {
      const { chain } = refusing(refusal('invalidInput', message), { eth_getTransactionByHash: () => found })
      await expect(broadcast({ chain, network }, signed)).rejects.toMatchObject({ message })
    }
})

test("returns the node's error", async () => {
  const { chain } = refusing(refusal('invalidInput', 'insufficient funds'))
  await expect(broadcast({ chain, network }, signed)).rejects.toMatchObject({
    code: -32000,
    message: 'insufficient funds',
  })
})

test('"already known" counts as accepted even if the lookup fails', async () => {
  for (const message of [
    'already known',
    'AlreadyKnown',
    'Known transaction',
    'ALREADY_EXISTS: already known',
    'transaction already imported',
    'Transaction with the same hash was already imported.',
    'pending transaction with same hash already exists',
    'tx already exists in cache',
    'tx already in mempool',
    'transaction is already in the pool',
  ]) {
    const { chain } = refusing(refusal('invalidInput', message))
    expect(await broadcast({ chain, network }, signed)).toBe(hash)
  }
})

test.each([
  ['methodNotFound', { message: 'nonce too low' }],
  ['chainDisconnected', { code: 4901, data: { hash } }],
  ['limitExceeded', { code: 4901, data: { hash } }],
] as const)('the error of a rejected transaction whose lookup fails with %s', async (name, expected) => {
  const fails = () => {
    throw refusal(name)
  }
  const { chain } = refusing(refusal('invalidInput', 'nonce too low'), { eth_getTransactionByHash: fails })
  await expect(broadcast({ chain, network }, signed)).rejects.toMatchObject(expected)
})

test('a rate limit error is thrown unchanged, without a lookup', async () => {
  const { chain } = refusing(nodeError({ code: 429, message: 'Too Many Requests' }), {
    eth_getTransactionByHash: () => expect.fail('The node was queried'),
  })
  await expect(broadcast({ chain, network }, signed)).rejects.toMatchObject({ code: 429, message: 'Too Many Requests' })
})

test('without a response the outcome is unknown, and the error contains the hash', async () => {
  const { chain } = refusing(unreachable())
  await expect(broadcast({ chain, network }, signed)).rejects.toMatchObject({
    code: 4901,
    message: expect.stringContaining(hash),
    data: { hash },
  })
})
