/** Actions of a site built on viem. */
import { createPublicClient, createWalletClient, custom, defineChain, type EIP1193Provider, type Hex } from 'viem'
import { foundry } from 'viem/chains'
import type { Actions } from './actions.ts'
import { BYTES, LETTER, MESSAGE, OTHER, OTHER_CHAIN, TOKEN, TRANSFER, VALUE } from './values.ts'

/** `otherNode` is the RPC URL of a network that the wallet does not know. */
export const viemActions = (otherNode: string): Actions => {
  const { ethereum } = window as unknown as { ethereum: EIP1193Provider }
  const transport = custom(ethereum)
  const client = createPublicClient({ chain: foundry, transport, pollingInterval: 100 })
  const wallet = createWalletClient({ chain: foundry, transport, pollingInterval: 100 })
  const other = defineChain({
    id: OTHER_CHAIN,
    name: 'Other chain',
    nativeCurrency: { name: 'Other', symbol: 'OTH', decimals: 18 },
    rpcUrls: { default: { http: [otherNode] } },
  })

  let account: Hex
  let token: Hex
  let signed: Hex
  let bundle: string

  const events: unknown[] = []
  ethereum.on('chainChanged', chainId => void events.push(['chainChanged', chainId]))
  ethereum.on('accountsChanged', accounts => void events.push(['accountsChanged', accounts]))

  const confirmed = (hash: Hex) => client.waitForTransactionReceipt({ hash })

  return {
    connect: async () => {
      const [first] = await wallet.requestAddresses()
      account = String(first) as Hex
      return account
    },
    addresses: () => wallet.getAddresses(),
    'sign text': () => wallet.signMessage({ account, message: MESSAGE }),
    'sign bytes': () => wallet.signMessage({ account, message: { raw: BYTES } }),
    'sign typed data': () => wallet.signTypedData({ account, ...LETTER }),
    'sign transaction': async () => {
      signed = await wallet.signTransaction({ account, to: OTHER, value: VALUE })
      return signed
    },
    'send signed': async () => confirmed(await wallet.sendRawTransaction({ serializedTransaction: signed })),
    send: async () => confirmed(await wallet.sendTransaction({ account, to: OTHER, value: VALUE })),
    'send with a list of storage': async () => {
      const accessList = [{ address: OTHER, storageKeys: [`0x${'00'.repeat(31)}01`] }] as const
      return confirmed(await wallet.sendTransaction({ account, to: OTHER, value: VALUE, type: 'eip2930', accessList }))
    },
    'deploy token': async () => {
      const { abi, args } = TOKEN
      const hash = await wallet.deployContract({ account, abi, bytecode: TOKEN.bytecode as Hex, args })
      const receipt = await confirmed(hash)
      token = String(receipt.contractAddress) as Hex
      return token
    },
    transfer: async () => {
      const args = [OTHER, TRANSFER]
      const { request } = await client.simulateContract({
        account,
        address: token,
        abi: TOKEN.abi,
        functionName: 'transfer',
        args,
      })
      return confirmed(await wallet.writeContract(request))
    },
    balance: () => client.readContract({ address: token, abi: TOKEN.abi, functionName: 'balanceOf', args: [OTHER] }),
    'transfer too much': () =>
      client.simulateContract({
        account,
        address: token,
        abi: TOKEN.abi,
        functionName: 'transfer',
        args: [OTHER, 10n ** 30n],
      }),
    'transfer too much all the same': async () =>
      confirmed(
        await wallet.writeContract({
          account,
          address: token,
          abi: TOKEN.abi,
          functionName: 'transfer',
          args: [OTHER, 10n ** 30n],
          gas: 200_000n,
        }),
      ),
    'watch token': () => wallet.watchAsset({ type: 'ERC20', options: { address: token, symbol: 'SUN', decimals: 4 } }),
    capabilities: async () => wallet.getCapabilities({ account }),
    'send calls': async () => {
      const calls = [
        { to: OTHER, value: VALUE },
        { to: token, abi: TOKEN.abi, functionName: 'transfer', args: [OTHER, TRANSFER] },
      ] as const
      const { id } = await wallet.sendCalls({ account, calls })
      bundle = id
      return wallet.waitForCallsStatus({ id })
    },
    'status of calls': () => wallet.getCallsStatus({ id: bundle }),
    'send calls as one': async () => {
      const calls = [
        { to: OTHER, value: VALUE },
        { to: token, abi: TOKEN.abi, functionName: 'transfer', args: [OTHER, TRANSFER] },
      ] as const
      const { id } = await wallet.sendCalls({ account, calls, forceAtomic: true })
      bundle = id
      return wallet.waitForCallsStatus({ id })
    },
    'send calls with a fallback': async () => {
      const calls = [
        { to: OTHER, value: VALUE },
        { to: OTHER, value: VALUE },
      ] as const
      const { id } = await wallet.sendCalls({ account, calls, experimental_fallback: true })
      return wallet.waitForCallsStatus({ id })
    },
    'send failing calls as one': async () => {
      const calls = [
        { to: OTHER, value: VALUE },
        { to: token, abi: TOKEN.abi, functionName: 'transfer', args: [OTHER, 10n ** 30n] },
      ] as const
      const { id } = await wallet.sendCalls({ account, calls, forceAtomic: true })
      return wallet.waitForCallsStatus({ id })
    },
    'capabilities of the chain': () => wallet.getCapabilities({ account, chainId: foundry.id }),
    'switch to another chain': () => wallet.switchChain(other),
    'add another chain': () => wallet.addChain({ chain: other }),
    'chain id': () => wallet.getChainId(),
    'switch back': () => wallet.switchChain(foundry),
    permissions: () => wallet.getPermissions(),
    'request permissions': () => wallet.requestPermissions({ eth_accounts: {} }),
    'revoke permissions': () =>
      ethereum.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] }),
    events: async () => events.splice(0),
  }
}
