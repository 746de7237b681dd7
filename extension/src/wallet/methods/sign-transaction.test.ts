import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { Transaction } from 'ethers'
import { expect, test } from 'vitest'
import type { RequestView } from '../../messages.ts'
import type { Context } from '../requests/context.ts'
import { ADDRESS, approve, connectedWallet, reject, SECOND, startNode } from '../wallet.fixture.ts'
import { signTransaction } from './transactions.ts'

const transfer = { from: ADDRESS, to: SECOND, value: '0x1', data: '0xabcd' }

test('returns the signed bytes without sending them', async () => {
  const seen: RequestView[] = []
  const { chain, sent } = startNode()
  const { ask } = await connectedWallet({
    chain,
    person: request => {
      seen.push(request)
      return approve(request)
    },
  })
  for (const method of ['chain_signTransaction', 'eth_signTransaction']) {
    const signed = Transaction.from(String(await ask(method, { ...transfer, nonce: '0x5' })))
    expect(signed).toMatchObject({ from: ADDRESS, to: SECOND, value: 1n, data: '0xabcd', nonce: 5, chainId: 31337n })
  }
  expect(sent).toEqual([])
  expect(seen[0]).toMatchObject({ effect: { kind: 'transaction', broadcast: false, nonce: '0x5' } })
})

/** Returns the findings for a transaction to be signed. */
const findingsOf = async (asked: object) => {
  const seen: RequestView[] = []
  const { ask } = await connectedWallet({
    chain: startNode().chain,
    person: request => {
      seen.push(request)
      return reject(request)
    },
  })
  await ask('eth_signTransaction', { ...transfer, ...asked }).catch(() => undefined)
  return seen[0]?.findings.map(({ level, name }) => `${level} ${name}`) ?? []
}

test.each([
  ['a tip of 9,000 ether', (9_000n * 10n ** 18n) / 21_000n, '0x5208'],
  ['the highest gas limit at a high price', 10n ** 12n, '0xffffff'],
])('%s is a danger with EIP-1559 fees and with a gas price', async (_, price, gas) => {
  const wei = encodeQuantity(price)
  for (const fees of [
    { maxFeePerGas: wei, maxPriorityFeePerGas: wei },
    { gasPrice: wei },
    { type: '0x1', gasPrice: wei },
  ])
    expect(await findingsOf({ ...fees, gas })).toEqual(
      expect.arrayContaining(['danger excessiveFee', 'danger feeOfBalance']),
    )
})

test('the signed transaction can be sent later', async () => {
  const { chain, sent } = startNode()
  const { ask } = await connectedWallet({ chain })
  const raw = await ask('chain_signTransaction', transfer)
  expect(await ask('chain_sendRawTransaction', raw)).toBe(Transaction.from(String(raw)).hash)
  expect(sent).toEqual([raw])
})

test("the default nonce is the account's next", async () => {
  const { chain } = startNode({ eth_getTransactionCount: () => '0x2a' })
  const { ask } = await connectedWallet({ chain })
  expect(Transaction.from(String(await ask('chain_signTransaction', transfer))).nonce).toBe(42)
})

test('a rejection is 4001 and uses no nonce', async () => {
  const { chain } = startNode()
  const decisions = [reject, approve]
  const { ask } = await connectedWallet({ chain, person: request => (decisions.shift() ?? approve)(request) })
  await expect(ask('chain_signTransaction', transfer)).rejects.toMatchObject({ code: 4001 })
  expect(Transaction.from(String(await ask('chain_signTransaction', transfer))).nonce).toBe(0)
})

test('a settled transaction is not signed again for the same request', async () => {
  const recallAs = (found: object) =>
    signTransaction.recall?.({ activity: { ofKey: async () => [found] } } as unknown as Context, 'key')
  expect(await recallAs({ status: 'signed', raw: '0x02' })).toEqual({ answer: '0x02' })
  expect(await recallAs({ status: 'dropped', raw: null })).toBeUndefined()
  await expect(recallAs({ status: 'confirmed', raw: null })).rejects.toMatchObject({ code: -32002 })
})
