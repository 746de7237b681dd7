import { expect, test } from 'vitest'
import type { NetworkInput } from '../../messages.ts'
import { ADDRESS, chainOf, createdWallet } from '../wallet.fixture.ts'

const input: NetworkInput = {
  chainId: 88_120,
  title: ' Orbit ',
  symbol: 'OTT',
  rpcUrl: ' https://rpc.orbit.example ',
  explorerUrl: '',
  prefix: 'orbit',
  signedMessageName: 'Orbit',
  testnet: true,
}
const node = (chainId: string) => chainOf({ eth_chainId: () => chainId, eth_blockNumber: () => '0x10' })

test('a network can be added with its own signing prefix, and edited', async () => {
  const { wallet, state, ask } = await createdWallet({ chain: node('0x15838') })
  await wallet.ui.saveNetwork(input)
  expect(state()?.networks.at(-1)).toMatchObject({
    chainId: 88_120,
    title: 'Orbit',
    symbol: 'OTT',
    testnet: true,
    added: true,
    rpcUrl: 'https://rpc.orbit.example/',
  })
  await wallet.ui.saveNetwork({ ...input, rpcUrl: 'https://other.example/', explorerUrl: 'https://scan.example' })
  expect(await wallet.ui.describeNetwork({ chainId: 88_120 })).toEqual({
    ...input,
    title: 'Orbit',
    rpcUrl: 'https://other.example/',
    explorerUrl: 'https://scan.example/',
  })
  await wallet.ui.selectNetwork({ chainId: 88_120 })
  await ask('eth_requestAccounts')
  expect(await ask('orbit_accounts')).toEqual([ADDRESS.toLowerCase()])
})

test('invalid fields are rejected by name, and so is a node with another chain id', async () => {
  const { wallet, state } = await createdWallet({ chain: node('0x1') })
  const before = state()?.networks
  for (const [change, reason] of [
    [{ title: '' }, 'networkTitleForm'],
    [{ symbol: 'x'.repeat(12) }, 'networkSymbolForm'],
    [{ chainId: 1.5 }, 'notChainIdNumber'],
    [{ prefix: 'no prefix' }, 'networkPrefixForm'],
    [{ signedMessageName: 'a\u202eb' }, 'networkMessageNameForm'],
    [{ rpcUrl: 'ftp://x' }, 'notRpcUrl'],
    [{ explorerUrl: 'javascript:alert(1)' }, 'notExplorerUrl'],
    [{}, 'rpcOtherChain'],
    [{ chainId: 1 }, 'builtInNetwork'],
  ] as const)
    await expect(wallet.ui.saveNetwork({ ...input, ...change })).rejects.toMatchObject({ code: -32602, reason })
  expect(state()?.networks).toEqual(before)
})

test('a node can be tested before its network is added', async () => {
  const { wallet } = await createdWallet({ chain: node('0x2019') })
  expect(await wallet.ui.probeRpc({ rpcUrl: 'http://127.0.0.1:1' })).toEqual({ chainId: 8217, block: '0x10' })
  await expect(wallet.ui.probeRpc({ rpcUrl: 'nowhere' })).rejects.toMatchObject({ code: -32602 })
  const { wallet: other } = await createdWallet({ chain: chainOf({}) })
  await expect(other.ui.probeRpc({ rpcUrl: 'http://127.0.0.1:1' })).rejects.toThrow()
})
