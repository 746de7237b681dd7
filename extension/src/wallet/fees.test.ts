import { rpcError } from '@heliograph/shared/errors'
import { defaultNetworks, type Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import type { Chain } from './chain.ts'
import { estimateGas, nextNonce, readFees } from './fees.ts'
import { ADDRESS, chainOf, SECOND } from './wallet.fixture.ts'

const [network] = defaultNetworks as [Network]
const call = { from: ADDRESS, to: SECOND, value: '0x1' } as const
const failing = (code: number, message: string) =>
  chainOf({
    eth_estimateGas: () => {
      throw Object.assign(rpcError('internal', message), { code })
    },
  })

test("the node's estimate is the gas, of exactly the call that will be sent", async () => {
  let asked: unknown
  const chain = chainOf({
    eth_estimateGas: params => {
      asked = params
      return '0x5208'
    },
  })
  expect(await estimateGas(chain, network, call)).toEqual({ gas: 21_000n, failure: null })
  expect(asked).toEqual([call])
})

test("where the node refuses to estimate, the gas is 90000 and the node's reason is kept", async () => {
  for (const code of [3, -32000, -32003, -32015, -32601, -32603])
    expect(await estimateGas(failing(code, 'execution reverted: no'), network, call)).toEqual({
      gas: 90_000n,
      failure: 'execution reverted: no',
    })
})

test('a node that is out of reach gives no gas', async () => {
  await expect(estimateGas(failing(4901, 'far away'), network, call)).rejects.toMatchObject({ code: 4901 })
  await expect(estimateGas(chainOf({ eth_estimateGas: () => 'many' }), network, call)).rejects.toMatchObject({
    code: 4901,
  })
})

test('with a base fee, the fees are that and a tip', async () => {
  const chain = chainOf({
    eth_getBlockByNumber: () => ({ baseFeePerGas: '0x64' }),
    eth_maxPriorityFeePerGas: () => '0x2',
  })
  expect(await readFees(chain, network)).toEqual({ baseFee: 100n, tip: 2n })
})

test('a node that names no tip gets 1 gwei', async () => {
  const chain = chainOf({ eth_getBlockByNumber: () => ({ baseFeePerGas: '0x0' }) })
  expect(await readFees(chain, network)).toEqual({ baseFee: 0n, tip: 1_000_000_000n })
})

test('without a base fee there is one price', async () => {
  for (const block of [{}, { baseFeePerGas: null }, null]) {
    const chain = chainOf({ eth_getBlockByNumber: () => block, eth_gasPrice: () => '0x19' })
    expect(await readFees(chain, network)).toEqual({ baseFee: null, tip: 25n })
  }
})

test('a base fee that is no number is 4901, not a price', async () => {
  const chain = chainOf({ eth_getBlockByNumber: () => ({ baseFeePerGas: 100 }), eth_gasPrice: () => '0x19' })
  await expect(readFees(chain, network)).rejects.toMatchObject({ code: 4901 })
})

test('the next nonce counts what waits in the pool', async () => {
  let asked: unknown
  const chain: Chain = async (_network, method, params) => {
    asked = [method, params]
    return '0x7'
  }
  expect(await nextNonce(chain, network, ADDRESS)).toBe(7n)
  expect(asked).toEqual(['eth_getTransactionCount', [ADDRESS, 'pending']])
})
