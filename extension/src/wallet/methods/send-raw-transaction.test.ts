import { Wallet as Signer, Transaction } from 'ethers'
import { expect, test } from 'vitest'
import { refusal } from '../networks/node.fixture.ts'
import { type Answers, PUBLIC_NETWORKS, SECOND, startNode, startWallet } from '../wallet.fixture.ts'

const signer = new Signer(`0x${'46'.repeat(32)}`)
const fields = { to: SECOND, nonce: 0, gasLimit: 21_000, value: 1, chainId: 31337 }
const signed = await signer.signTransaction({ ...fields, type: 2, maxFeePerGas: 2, maxPriorityFeePerGas: 1 })
const { hash } = Transaction.from(signed)

const start = (answers: Answers = {}) => {
  const { chain, sent } = startNode(answers)
  return { ...startWallet({ chain, networks: PUBLIC_NETWORKS }), sent }
}

test('forwards a signed transaction unchanged, without asking the user, even for unconnected sites', async () => {
  const { ask, sent, shown } = start()
  expect(await ask('chain_sendRawTransaction', signed)).toBe(hash)
  expect(await ask('eth_sendRawTransaction', signed.toUpperCase().replace('0X', '0x'))).toBe(hash)
  expect(sent[0]).toBe(signed)
  expect(shown).toEqual([])
})

test('forwards every transaction type, including legacy ones without a chain id', async () => {
  const { ask } = start()
  const { chainId: _, ...anywhere } = fields
  for (const transaction of [
    { ...fields, type: 0, gasPrice: 1 },
    { ...fields, type: 1, gasPrice: 1 },
    { ...anywhere, type: 0, gasPrice: 1 },
  ]) {
    const raw = await signer.signTransaction(transaction)
    expect(await ask('chain_sendRawTransaction', raw)).toBe(Transaction.from(raw).hash)
  }
})

test('returns the zero hash if the node accepts it without returning a hash', async () => {
  const { ask } = start({ eth_sendRawTransaction: () => null })
  expect(await ask('chain_sendRawTransaction', signed)).toBe(`0x${'0'.repeat(64)}`)
})

test('returns the hash if the transaction is sent again, as after the worker stopped', async () => {
  const { ask } = start({
    eth_sendRawTransaction: () => {
      throw refusal('invalidInput', 'already known')
    },
    eth_getTransactionByHash: ([asked]) => (asked === hash ? { hash } : null),
  })
  expect(await ask('chain_sendRawTransaction', signed)).toBe(hash)
})

test("returns the node's error", async () => {
  const { ask } = start({
    eth_sendRawTransaction: () => {
      throw refusal('invalidInput', 'nonce too low')
    },
  })
  await expect(ask('chain_sendRawTransaction', signed)).rejects.toMatchObject({
    code: -32000,
    message: 'nonce too low',
  })
})

test.each([1, 2 ** 32 + 31337])('rejects chain id %d, with both ids in the error', async chainId => {
  const { ask, sent } = start()
  const other = await signer.signTransaction({
    ...fields,
    chainId,
    type: 2,
    maxFeePerGas: 2,
    maxPriorityFeePerGas: 1,
  })
  await expect(ask('chain_sendRawTransaction', other)).rejects.toMatchObject({
    code: -32602,
    message: `The transaction is for chain ${chainId}, but the active chain is 31337`,
  })
  expect(sent).toEqual([])
})

test('unsigned or invalid transactions never reach the node', async () => {
  const { ask, sent } = start()
  const unsigned = Transaction.from({ ...fields, type: 2, maxFeePerGas: 2, maxPriorityFeePerGas: 1 }).unsignedSerialized
  await expect(ask('chain_sendRawTransaction', unsigned)).rejects.toMatchObject({
    code: -32602,
    message: 'The transaction is not signed',
  })
  const garbage = ['0x', '0x00', '0x02', '0xc0', '0x05c0', '0xdeadbeef', 'hello', signed.slice(0, -2), `${signed}00`]
  for (const raw of [...garbage, null, 5, {}, [signed]])
    await expect(ask('chain_sendRawTransaction', raw), String(raw)).rejects.toMatchObject({ code: -32602 })
  await expect(ask('chain_sendRawTransaction')).rejects.toMatchObject({ code: -32602 })
  expect(sent).toEqual([])
})
