import { expect, test } from 'vitest'
import { ADDRESS, connectedWallet, OTHER_SITE, SECOND, startNode } from '../wallet.fixture.ts'

const methods = ['chain_sendTransaction', 'chain_signTransaction']
const transfer = { from: ADDRESS, to: SECOND, value: '0x1' }

test.each(methods)('%s rejects invalid transactions without asking the user', async method => {
  const { ask, shown } = await connectedWallet({ chain: startNode().chain })
  const wrong: Record<string, unknown>[] = [
    { from: undefined },
    { from: 'me' },
    { to: '0x1234' },
    { to: ADDRESS.replace('f39F', 'F39f') },
    { to: undefined },
    { value: '1' },
    { value: 1 },
    { value: '-0x1' },
    { value: `0x1${'0'.repeat(64)}` },
    { data: '0x123' },
    { data: 'hello' },
    { data: '0x12', input: '0x13' },
    { gas: '0x5208', gasLimit: '0x5209' },
    { gas: `0x1${'0'.repeat(16)}` },
    { gasPrice: '0x1', maxFeePerGas: '0x1' },
    { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
    { type: '0x3' },
    { type: '0x4', authorizationList: [] },
    { type: '0x0', maxFeePerGas: '0x1' },
    { type: '0x2', gasPrice: '0x1' },
    { type: '0x0', accessList: [] },
    { accessList: [{ address: SECOND, storageKeys: ['0x1'] }] },
    { authorizationList: [] },
    { blobVersionedHashes: [] },
    { chainId: '0x1' },
  ]
  for (const change of wrong)
    await expect(ask(method, { ...transfer, ...change }), JSON.stringify(change)).rejects.toMatchObject({
      code: -32602,
    })
  for (const params of [[], [null], ['0x'], [[transfer]]])
    await expect(ask(method, ...params), JSON.stringify(params)).rejects.toMatchObject({ code: -32602 })
  expect(shown).toEqual([])
})

test.each(methods)('%s rejects an account that the site may not use, without a request to the node', async method => {
  const { wallet, ask } = await connectedWallet({
    chain: async () => {
      throw new Error('The node was queried')
    },
  })
  await wallet.ui.addAccount({ name: 'Second' })
  await expect(ask(method, { from: SECOND, to: ADDRESS })).rejects.toMatchObject({ code: 4100 })
  const elsewhere = { id: '1', method, params: [transfer] }
  await expect(wallet.request(OTHER_SITE, elsewhere)).rejects.toMatchObject({ code: 4100 })
})

test.each(methods)('%s rejects another chain id with both chain ids', async method => {
  const { ask } = await connectedWallet({ chain: startNode().chain })
  await expect(ask(method, { ...transfer, chainId: '0x2019' })).rejects.toMatchObject({
    message: 'The transaction is for chain 8217, but the active chain is 31337',
  })
})
