/** Reads contracts' logs: https://ethereum.github.io/execution-apis/ */
import { type Hex, isHex } from '@heliograph/shared/evm/hex'
import { isObject } from '@heliograph/shared/evm/json'
import type { Network } from '@heliograph/shared/network'
import { askAs, type Chain } from './node.ts'
import { type Members, Unreadable } from './quantities.ts'

/** An event log. `stated` has all members as the node wrote them. */
export type Log = { address: Hex; topics: readonly string[]; data: Hex; stated: Members }

/** Parses a log. Empty if it is malformed. Some nodes write null for absent data. */
const toLogs = (value: unknown): Log[] => {
  if (!isObject(value)) return []
  const { address, topics } = value
  const data = value.data ?? '0x'
  const isLog =
    isHex(address) && isHex(data) && Array.isArray(topics) && topics.every(topic => typeof topic === 'string')
  return isLog ? [{ address, topics, data, stated: value }] : []
}

/** Parses the logs in a list. Skips malformed ones. */
export const logsIn = (list: unknown): Log[] => (Array.isArray(list) ? list.flatMap(toLogs) : [])

/** Parses a list. Nodes write null for an empty one. */
const toList = (result: unknown): readonly unknown[] => {
  if (result === undefined || result === null) return []
  if (Array.isArray(result)) return result
  throw new Unreadable(result)
}

/** Reads the unparsed entries for an eth_getLogs filter. Throws the node's errors, and 4901. */
export const readListed = (chain: Chain, network: Network, filter: object): Promise<readonly unknown[]> =>
  askAs(chain, network, { method: 'eth_getLogs', params: [filter] }, toList)

/** Reads the logs for a filter. Skips malformed ones. Throws the node's errors, and 4901. */
export const readLogs = async (chain: Chain, network: Network, filter: object): Promise<Log[]> =>
  logsIn(await readListed(chain, network, filter))
