/**
 * Detects resets of development chains, which restart from genesis with the same chain id. After a reset the first two
 * blocks differ, or a transaction is missing although the chain has reached its block. A node that is syncing proves
 * nothing.
 */
import { decodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { readBlock } from '../networks/blocks.ts'
import { askQuantity, type Chain, isRefusal } from '../networks/node.ts'
import { readReceipt } from '../networks/receipts.ts'
import { createCell, type Store } from '../storage/store.ts'
import type { Activity, ActivityStore } from './activity.ts'

export type ChainResets = {
  /** Checks whether a chain was reset and stores the result. Only development chains are checked. */
  look(network: Network): Promise<void>
  /** Returns the chains that were reset and not cleared since. */
  list(): Promise<readonly number[]>
  forget(chainId: number): Promise<void>
}

export type ChainResetsParts = {
  store: Store
  chain: Chain
  activity: Pick<ActivityStore, 'list'>
}

/** Hashes of the genesis block, which may be the same after a reset, and of block 1, which differs by its timestamp. */
type Blocks = { genesis: string | null; second?: string | null }
type Known = Blocks & { chainId: number; isReset: boolean }

const differ = (one: string | null | undefined, other: string | null | undefined): boolean =>
  Boolean(one && other && one !== other)

const LOCAL = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const mayReset = ({ testnet, rpcUrls }: Network): boolean =>
  rpcUrls.length > 0 && (testnet === true || rpcUrls.every(url => LOCAL.test(new URL(url).hostname)))

/** Returns null if the node refuses the query. Throws any other error. */
const unlessRefused = (error: unknown): null => {
  if (isRefusal(error)) return null
  throw error
}

export const createChainResets = ({ store, chain, activity }: ChainResetsParts): ChainResets => {
  const cell = createCell<readonly Known[]>(store, 'chains', [])

  /** Returns a block's hash. Null if the node does not return it, because it may not keep old blocks. */
  const readHash = async (network: Network, number: Hex): Promise<string | null> => {
    const block = await readBlock(chain, network, number).catch(unlessRefused)
    return block?.hash ?? null
  }

  /** True if the node reports that it has reached this block. A node without eth_syncing is not syncing. */
  const hasReached = async (network: Network, block: Hex): Promise<boolean> => {
    const syncing = await chain(network, 'eth_syncing').catch(unlessRefused)
    if (syncing !== false && syncing !== null) return false
    const head = await askQuantity(chain, network, 'eth_blockNumber').catch(unlessRefused)
    return head !== null && head >= decodeQuantity(block)
  }

  /** True if the chain has neither the transaction nor its nonce. */
  const hasLost = async (network: Network, { hash, account, nonce }: Activity): Promise<boolean> => {
    if ((await readReceipt(chain, network, hash)) !== null) return false
    return (await askQuantity(chain, network, 'eth_getTransactionCount', [account, 'latest'])) <= decodeQuantity(nonce)
  }

  const lastMined = async (chainId: number): Promise<Activity | undefined> =>
    (await activity.list()).findLast(record => record.chainId === chainId && record.block !== null)

  const isAnother = async (network: Network, known: Known | undefined, blocks: Blocks): Promise<boolean> => {
    if (differ(known?.genesis, blocks.genesis) || differ(known?.second, blocks.second)) return true
    const last = await lastMined(network.chainId)
    if (!last?.block || !(await hasReached(network, last.block))) return false
    return hasLost(network, last)
  }

  return {
    look: async network => {
      if (!mayReset(network)) return
      const { chainId } = network
      const known = (await cell.read()).find(candidate => candidate.chainId === chainId)
      if (known?.isReset) return
      const blocks = { genesis: await readHash(network, '0x0'), second: await readHash(network, '0x1') }
      const isReset = await isAnother(network, known, blocks)
      const genesis = blocks.genesis ?? known?.genesis ?? null
      const second = blocks.second ?? known?.second ?? null
      if (known && known.genesis === genesis && known.second === second && !isReset) return
      const others = (all: readonly Known[]) => all.filter(other => other.chainId !== chainId)
      await cell.update(all => [...others(all), { chainId, genesis, second, isReset }])
    },
    list: async () => (await cell.read()).filter(({ isReset }) => isReset).map(({ chainId }) => chainId),
    forget: async chainId => {
      await cell.update(all => all.filter(other => other.chainId !== chainId))
    },
  }
}
