import { expect, test } from 'vitest'
import { OTHER_SITE, PUBLIC_NETWORKS, SITE, startNode, startWallet } from '../wallet.fixture.ts'

const start = async () => {
  const { chain } = startNode({ eth_getBlockByNumber: () => ({ number: '0x1', hash: '0x1' }) })
  const { wallet, ask } = startWallet({ chain, networks: PUBLIC_NETWORKS })
  const request = { id: '1', method: 'eth_subscribe', params: ['newHeads'], page: '1 page' }
  return { wallet, ask, id: await wallet.request(SITE, request) }
}

test('returns whether the site had the subscription', async () => {
  const { wallet, ask, id } = await start()
  expect(await wallet.request(OTHER_SITE, { id: '1', method: 'eth_unsubscribe', params: [id] })).toBe(false)
  expect(await ask('eth_unsubscribe', '0x1234')).toBe(false)
  expect(await ask('eth_unsubscribe', id)).toBe(true)
  expect(await ask('eth_unsubscribe', id)).toBe(false)
})

test('invalid params are -32602', async () => {
  const { ask } = await start()
  for (const params of [[], [null], [7], [['0x1']]])
    await expect(ask('eth_unsubscribe', ...params)).rejects.toMatchObject({ code: -32602 })
})
