import { expect, test } from 'vitest'
import { startWallet } from '../wallet.fixture.ts'

test('every site gets the chain id, in hex and in decimal, without a request to the node', async () => {
  const { wallet, ask } = startWallet()
  expect([await ask('eth_chainId'), await ask('chain_chainId'), await ask('net_version')]).toEqual([
    '0x7a69',
    '0x7a69',
    '31337',
  ])
  await wallet.ui.selectNetwork({ chainId: 8217 })
  expect([await ask('klay_chainId'), await ask('net_version')]).toEqual(['0x2019', '8217'])
})
