/**
 * A page with the wallet's provider, the wallet without a browser, and real chains as its nodes. Tests that use it
 * replace the browser's API; see `../faults/stopping-browser.ts`.
 */
import { defaultNetworks, type Network } from '@heliograph/shared/network'
import type { JsonRpcProvider } from 'ethers'
import type { RequestView } from '../../extension/src/messages.ts'
import { localChain } from '../../extension/src/wallet/networks/networks.fixture.ts'
import { type Chain, createChain } from '../../extension/src/wallet/networks/node.ts'
import { approve, createdWallet, reject } from '../../extension/src/wallet/wallet.fixture.ts'
import { keptOf, startWorld, type World } from '../faults/wallet-world.ts'
import { startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'

export type Choice = 'approve' | 'reject'

/** The result of a call, and the requests that the wallet showed meanwhile, in order. */
export type Seen<T> = { result: T; shown: readonly RequestView[] }

export type Headless = Pick<World, 'window' | 'provider' | 'ui' | 'outside'> & {
  /** Reads the wallet's local chain. */
  chain: JsonRpcProvider
  /** Makes a call. The simulated user decides all of its requests in the same way. */
  deciding<T>(choice: Choice, call: () => Promise<T>): Promise<Seen<T>>
  stop(): Promise<void>
}

/**
 * The wallet's client of its nodes. It returns a transaction's hash only after the transaction is mined, because
 * libraries look for a receipt once and then wait for the next block.
 */
const minedChain = (reader: JsonRpcProvider): Chain => {
  const chain = createChain()
  const send: Chain = async (network, method, params) => {
    const result = await chain(network, method, params)
    if (method === 'eth_sendRawTransaction') await reader.send('eth_blockNumber', [])
    return result
  }
  // The wallet uses the client's other functions only for reads, so they need no such wait.
  return Object.assign(send, chain)
}

/**
 * Starts a wallet with the development accounts. `nodes` are RPC URLs of networks other than the local chain, by chain
 * id.
 */
export const startHeadless = async (nodes: Readonly<Record<number, string>> = {}): Promise<Headless> => {
  const anvil = await startAnvil()
  const chain = openChain(anvil.url)
  const networks = [localChain, ...defaultNetworks].map((network): Network => {
    const node = network === localChain ? anvil.url : nodes[network.chainId]
    return node === undefined ? network : { ...network, rpcUrls: [node] }
  })
  let choice: Choice = 'reject'
  let shown: RequestView[] = []
  const kept = await keptOf(store => createdWallet({ store, networks, now: Date.now }))
  const world = startWorld(kept, {
    networks,
    chain: minedChain(chain),
    now: Date.now,
    person: async request => {
      shown.push(request)
      return { approve: false, ...(choice === 'approve' ? approve : reject)(request) }
    },
  })
  return {
    ...world,
    chain,
    deciding: async (made, call) => {
      choice = made
      shown = []
      const result = await call()
      return { result, shown }
    },
    stop: async () => {
      world.end()
      chain.destroy()
      await anvil.stop()
    },
  }
}
