/** Finds transfers to the wallet's accounts in the logs of a network's node, starting after the last searched block. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import { readBlockTimes } from '../networks/blocks.ts'
import type { SearchBounds, SearchEnd } from '../networks/log-search.ts'
import { askQuantity, type Chain } from '../networks/node.ts'
import type { Progress } from '../work/tasks.ts'
import { NO_COINS } from './coins.ts'
import { type Arrivals, type IncomingStore, withFacts, withSighting } from './incoming.ts'
import { readTokenMetadata } from './token-contracts.ts'
import { plainDecimals } from './tokens.ts'
import { type Sighting, searchTransfers } from './transfer-search.ts'

export type IncomingParts = {
  incoming: IncomingStore
  chain: Chain
  network: Network
  accounts: readonly Address[]
  /** The user's tokens on the network. */
  listed: readonly Address[]
  bounds?: SearchBounds
  /** Called with what each searched range has, after it was stored. */
  onSighting?(sighting: Sighting): Promise<void>
}

/** Number of newest blocks that a chain may still replace, and that every search reads again. */
export const UNSETTLED = 64

const NOWHERE: Omit<Arrivals, 'accounts' | 'tokens'> = {
  ...{ looked: null, transfers: [], isCut: false, seen: {}, coins: NO_COINS },
}

/**
 * Returns the arrivals with which a search starts. The newest blocks are always searched again, and all blocks if an
 * account was added. If the chain is lower than nodes' heights usually differ, it was reset, and all arrivals are
 * dropped.
 */
const atStart = (arrivals: Arrivals, head: number, accounts: readonly Address[]): Arrivals => {
  const { looked } = arrivals
  if (looked !== null && looked.to > head + UNSETTLED) return { ...arrivals, ...NOWHERE, accounts }
  const isCovered = accounts.every(account => arrivals.accounts.some(other => sameAddress(other, account)))
  const settled = looked === null ? -1 : Math.min(looked.to, head) - UNSETTLED
  const isUsable = looked !== null && isCovered && settled >= looked.from
  return { ...arrivals, accounts, looked: isUsable ? { from: looked.from, to: settled } : null }
}

const distinct = <T>(all: readonly T[]): T[] => [...new Set(all)]

/** Reads missing block times and token metadata. Throws 4901. */
const learnFacts = async ({ incoming, chain, network }: IncomingParts) => {
  const { transfers, tokens } = await incoming.of(network.chainId)
  const blocks = distinct(transfers.filter(({ time }) => time === null).map(({ block }) => BigInt(block)))
  const unknown = distinct(transfers.map(({ token }) => token)).filter(
    token => !tokens.some(({ address }) => sameAddress(address, token)),
  )
  const [times, metadata] = await Promise.all([
    readBlockTimes({ chain, network }, blocks),
    readTokenMetadata(
      { chain, network },
      unknown.map(address => ({ address, kind: 'erc20' })),
    ),
  ])
  const claims = unknown.map((address, at) => ({
    address,
    symbol: metadata[at]?.symbol ?? null,
    decimals: plainDecimals(metadata[at]?.decimals ?? null),
  }))
  await incoming.update(network.chainId, arrivals => withFacts(arrivals, times, claims))
}

/** Searches for transfers. Throws like `searchLogs`. */
export const searchIncoming = async (parts: IncomingParts, progress: Progress): Promise<SearchEnd> => {
  const { incoming, chain, network, accounts, listed, bounds, onSighting = async () => {} } = parts
  const head = Number(await askQuantity(chain, network, 'eth_blockNumber'))
  const { looked } = await incoming.update(network.chainId, arrivals => atStart(arrivals, head, accounts))
  try {
    return await searchTransfers(
      { chain, network, accounts, progress, ...(bounds && { bounds }) },
      head,
      looked ?? { from: head + 1, to: head },
      async sighting => {
        await incoming.update(network.chainId, arrivals => withSighting(arrivals, sighting, listed))
        await onSighting(sighting)
      },
    )
  } finally {
    await learnFacts(parts)
  }
}
