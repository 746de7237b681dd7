/**
 * Finds past allowances of an account in event logs: https://eips.ethereum.org/EIPS/eip-20,
 * https://eips.ethereum.org/EIPS/eip-721, https://eips.ethereum.org/EIPS/eip-1155, https://github.com/Uniswap/permit2.
 * A log shows only a past approval, and a contract can log anything. The current allowance is read from the contract.
 */
import { type Address, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { type AllowanceKind, PERMIT2 } from '../../messages.ts'
import type { Looked } from '../networks/log-search.ts'
import { type Log, readLogs } from '../networks/logs.ts'
import { quantityIn } from '../networks/quantities.ts'
import type { AccountAtNode } from '../tokens/token-contracts.ts'

/** `item` is a token id, and `block` the number of the latest log's block. */
export type Given = { kind: AllowanceKind; token: Address; spender: Address; item: bigint | null; block: bigint }

/** `Approval(address,address,uint256)` of both ERC-20 and ERC-721. */
export const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
/** `ApprovalForAll(address,address,bool)` */
export const APPROVAL_FOR_ALL = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'
/** Permit2's `Approval(address,address,address,uint160,uint48)` and `Permit(address,address,address,uint160,uint48,uint48)`. */
export const PERMIT2_APPROVAL = '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b'
export const PERMIT2_PERMIT = '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec'

const topicOf = (account: Address): string => `0x${account.slice(2).toLowerCase().padStart(64, '0')}`
const addressIn = (topic: string | undefined): Address => toAddress(`0x${String(topic).slice(-40)}`)

/** Data whose first word is zero: an amount of 0, or `false`. */
const NOTHING = /^0x0{64}/

/** True if the event revokes the earlier allowance. */
const grantsNothing = ({ data }: Log, { kind, spender }: Omit<Given, 'block'>): boolean =>
  kind === 'item' ? BigInt(spender) === 0n : NOTHING.test(data)

/** Decodes a log. In all these events, the owner is the first indexed argument. */
const readLog = ({ address, topics }: Log): Omit<Given, 'block'> | null => {
  const [event, , second, third] = topics
  const token = toAddress(address)
  if (event === APPROVAL && topics.length === 3) return { kind: 'erc20', token, spender: addressIn(second), item: null }
  if (event === APPROVAL && topics.length === 4)
    return { kind: 'item', token, spender: addressIn(second), item: BigInt(String(third)) }
  if (event === APPROVAL_FOR_ALL && topics.length === 3)
    return { kind: 'collection', token, spender: addressIn(second), item: null }
  if ((event === PERMIT2_APPROVAL || event === PERMIT2_PERMIT) && topics.length === 4 && sameAddress(token, PERMIT2))
    return { kind: 'permit2', token: addressIn(second), spender: addressIn(third), item: null }
  return null
}

/** Reads the logs in a block range and skips malformed ones. Throws the node's errors. */
export const readGiven = async ({ chain, network, account }: AccountAtNode, { from, to }: Looked): Promise<Given[]> => {
  const events = [APPROVAL, APPROVAL_FOR_ALL, PERMIT2_APPROVAL, PERMIT2_PERMIT]
  const logs = await readLogs(chain, network, {
    fromBlock: encodeQuantity(from),
    toBlock: encodeQuantity(to),
    topics: [events, topicOf(account)],
  })
  return logs.flatMap(log => {
    try {
      // A node may return logs that do not match the filter, so they are filtered again.
      if (log.topics[1]?.toLowerCase() !== topicOf(account)) return []
      const given = readLog(log)
      return given && !grantsNothing(log, given) ? [{ ...given, block: quantityIn(log.stated, 'blockNumber') }] : []
    } catch {
      return []
    }
  })
}

type Named = Pick<Given, 'kind' | 'token' | 'spender'> & { item: bigint | string | null }

/**
 * Returns the key that later approvals replace. An item has one approved spender at a time, so its key omits the
 * spender.
 */
export const keyOf = ({ kind, token, spender, item }: Named): string =>
  kind === 'item' ? `${kind} ${token} ${item}` : `${kind} ${token} ${spender}`

/** Keeps the latest block of each allowance. */
export const newestOf = (all: readonly Given[]): readonly Given[] => {
  const newest = new Map<string, Given>()
  for (const given of all) {
    const before = newest.get(keyOf(given))
    if (!before || before.block < given.block) newest.set(keyOf(given), given)
  }
  return [...newest.values()]
}
