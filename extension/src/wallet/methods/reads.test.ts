import { rpcError } from '@heliograph/shared/errors'
import { expect, test } from 'vitest'
import { type Chain, createChain } from '../chain.ts'
import { startWallet } from '../wallet.fixture.ts'
import { readNames } from './reads.ts'

const recording = () => {
  const asked: unknown[] = []
  const chain: Chain = async ({ chainId }, method, params) => {
    asked.push([chainId, method, params])
    return '0x1'
  }
  return { asked, ...startWallet({ chain }) }
}

test('reads go to the node of the network as they are, under its own prefix', async () => {
  const { wallet, ask, asked } = recording()
  expect(await ask('eth_getBalance', '0x0', 'latest')).toBe('0x1')
  await ask('chain_blockNumber')
  await wallet.ui.selectNetwork({ chainId: 8217 })
  await ask('klay_call', { to: '0x0' }, 'latest', { '0x0': {} })
  expect(asked).toEqual([
    [31337, 'eth_getBalance', ['0x0', 'latest']],
    [31337, 'eth_blockNumber', []],
    [8217, 'eth_call', [{ to: '0x0' }, 'latest', { '0x0': {} }]],
  ])
})

test('no read signs, sends, or asks for accounts', () => {
  for (const name of readNames) expect(name).not.toMatch(/sign|send|accounts|mine|compile/i)
})

test("the node's own error comes back", async () => {
  const { ask } = startWallet({
    chain: async () => {
      throw rpcError('invalidInput', 'block not found', { block: 1 })
    },
  })
  await expect(ask('eth_getBlockByNumber', '0x1', false)).rejects.toMatchObject({
    code: -32000,
    message: 'block not found',
    data: { block: 1 },
  })
})

test('params that are no array are -32602; none at all are none', async () => {
  const { wallet, asked } = recording()
  const read = (params: unknown) => wallet.request('https://a.example', { id: '1', method: 'eth_gasPrice', params })
  for (const params of [null, {}, 'latest', 1]) await expect(read(params)).rejects.toMatchObject({ code: -32602 })
  expect(asked).toEqual([])
  await read(undefined)
  expect(asked).toEqual([[31337, 'eth_gasPrice', []]])
})

test('a network without an RPC URL is 4901', async () => {
  const { wallet, ask } = startWallet({ chain: createChain() })
  await wallet.ui.selectNetwork({ chainId: 1 })
  await expect(ask('eth_blockNumber')).rejects.toMatchObject({ code: 4901 })
})
