/** Actions of a site built on wagmi's core, which finds the wallet by EIP-6963. */
import {
  connect,
  createConfig,
  createStorage,
  deployContract,
  disconnect,
  getCapabilities,
  getConnection,
  readContract,
  reconnect,
  sendCalls,
  sendTransaction,
  signMessage,
  signTypedData,
  simulateContract,
  switchChain,
  unstable_connector,
  waitForCallsStatus,
  waitForTransactionReceipt,
  watchAsset,
  writeContract,
} from '@wagmi/core'
import { foundry } from '@wagmi/core/chains'
import { defineChain, type Hex } from 'viem'
import type { Actions } from './actions.ts'
import { LETTER, MESSAGE, NAME, OTHER, OTHER_CHAIN, TOKEN, TRANSFER, VALUE } from './values.ts'

type PageStorage = NonNullable<Parameters<typeof createStorage>[0]['storage']>

/**
 * `otherNode` is the RPC URL of a network that the wallet does not know. `storage` stores the connection, like the
 * page's `localStorage`.
 */
export const wagmiActions = (otherNode: string, storage: PageStorage): Actions => {
  const other = defineChain({
    id: OTHER_CHAIN,
    name: 'Other chain',
    nativeCurrency: { name: 'Other', symbol: 'OTH', decimals: 18 },
    rpcUrls: { default: { http: [otherNode] } },
  })
  // Reads also go through the wallet.
  const transport = unstable_connector({ type: 'injected' })
  const config = createConfig({
    chains: [foundry, other],
    transports: { [foundry.id]: transport, [OTHER_CHAIN]: transport },
    storage: createStorage({ storage }),
    pollingInterval: 100,
  })

  let token: Hex

  const wallet = () => {
    const found = config.connectors.find(({ name }) => name === NAME)
    if (!found) throw new Error('No wallet was found')
    return found
  }
  const confirmed = (hash: Hex) => waitForTransactionReceipt(config, { hash })

  return {
    wallets: async () => config.connectors.map(({ id, name, type, icon }) => ({ id, name, type, icon })),
    connect: async () => (await connect(config, { connector: wallet() })).accounts,
    reconnect: async () => (await reconnect(config)).map(({ accounts }) => accounts),
    connection: async () => {
      const { status, address, chainId } = getConnection(config)
      return { status, address, chainId }
    },
    'sign text': () => signMessage(config, { message: MESSAGE }),
    'sign typed data': () => signTypedData(config, LETTER),
    send: async () => confirmed(await sendTransaction(config, { to: OTHER, value: VALUE })),
    'deploy token': async () => {
      const { abi, args } = TOKEN
      const receipt = await confirmed(await deployContract(config, { abi, bytecode: TOKEN.bytecode as Hex, args }))
      token = String(receipt.contractAddress) as Hex
      return token
    },
    transfer: async () => {
      const call = { address: token, abi: TOKEN.abi, functionName: 'transfer', args: [OTHER, TRANSFER] }
      const { request } = await simulateContract(config, call)
      return confirmed(await writeContract(config, request))
    },
    balance: () => readContract(config, { address: token, abi: TOKEN.abi, functionName: 'balanceOf', args: [OTHER] }),
    'watch token': () => watchAsset(config, { type: 'ERC20', options: { address: token, symbol: 'SUN', decimals: 4 } }),
    capabilities: () => getCapabilities(config),
    'send calls': async () => {
      const calls = [
        { to: OTHER, value: VALUE },
        { to: OTHER, value: VALUE },
      ] as const
      return waitForCallsStatus(config, await sendCalls(config, { calls }))
    },
    'send calls as one': async () => {
      const calls = [
        { to: OTHER, value: VALUE },
        { to: OTHER, value: VALUE },
      ] as const
      return waitForCallsStatus(config, await sendCalls(config, { calls, forceAtomic: true }))
    },
    'switch to another chain': async () => (await switchChain(config, { chainId: OTHER_CHAIN })).id,
    'switch back': async () => (await switchChain(config, { chainId: foundry.id })).id,
    disconnect: () => disconnect(config),
  }
}
