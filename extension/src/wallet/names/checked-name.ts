/** Checks the address of an ENS name: two of the user's nodes look it up at the same block. */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { CheckedFact, ChecksView } from '../../messages.ts'
import { findCommonBlock, pairOf } from '../networks/common-block.ts'
import { hostsOf, within } from '../networks/compare.ts'
import type { Chain } from '../networks/node.ts'
import { pinChain } from '../networks/pinned-chain.ts'
import type { EnsParts } from './resolver.ts'

/** Milliseconds that a lookup waits for the second node. */
export const NAME_PATIENCE = 3_000

/** Address of a name that has none. */
export const NO_ADDRESS = '0x'

type Place = Pick<EnsParts, 'chain' | 'network'>
/** Looks up the name. Resolves with NO_ADDRESS if it has none. Rejects if the node does not answer. */
export type LookUp = (place: Place) => Promise<string>

/** What the two nodes told, and whether the reading node has a newer block. */
type Both = { mine: string; other: string; isMoving: boolean; block: string }

const judge = (about: string, address: string, both: Both | null): CheckedFact => {
  const fact = { fact: 'name', about } as const
  if (both === null) return { ...fact, by: 'alone' }
  const { mine, other, isMoving } = both
  if (!sameAddress(mine, other)) return { ...fact, by: 'differs', said: [mine, other] }
  if (sameAddress(mine, address)) return { ...fact, by: 'agreed' }
  return isMoving ? { ...fact, by: 'alone' } : { ...fact, by: 'differs', said: [address, other] }
}

/**
 * Compares two lookups of a name while `found` is looked up. Resolves with null if the user chose no node for comparing.
 * Rejects only if `found` does. `patience` is in ms.
 */
export const checkName = async (
  { chain, network }: Place,
  name: string,
  found: Promise<{ address: string }>,
  lookUp: LookUp,
  patience = NAME_PATIENCE,
): Promise<ChecksView | null> => {
  const pair = pairOf(network)
  if (pair === null) return null
  const compared = within(chain, patience, async (asked: Chain): Promise<Both | null> => {
    const block = await findCommonBlock(asked, pair)
    if (block === null) return null
    const there = pinChain(asked, block.tag)
    const [mine, other] = await Promise.all([pair.mine, pair.other].map(at => lookUp({ chain: there, network: at })))
    return mine === undefined || other === undefined
      ? null
      : { mine, other, isMoving: !block.isHead, block: String(block.number) }
  })
  const [{ address }, both] = await Promise.all([found, compared])
  return { hosts: hostsOf(pair), block: both?.block ?? null, facts: [judge(name, address, both)] }
}
