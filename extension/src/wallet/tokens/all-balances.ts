/** Reads several accounts' balances on a network together. */
import type { Address } from '@heliograph/shared/evm/address'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { AccountBalances } from '../../messages.ts'
import type { Outcome } from '../networks/answers.ts'
import { readTogether } from '../networks/multicall.ts'
import { type Chain, isUnreachable } from '../networks/node.ts'
import { groupsOf } from '../networks/node-uses.ts'
import { quantityOf } from '../networks/quantities.ts'
import type { Asset } from './assets.ts'
import { balanceCall, balanceIn } from './token-contracts.ts'

/** Parses the node's answer to eth_getBalance, or a word from Multicall3. */
const weiIn = (outcome: Outcome | undefined): string | null => {
  const wei = quantityOf(outcome)
  return wei === null ? null : encodeQuantity(wei)
}

/** Reads the balances of accounts that use the same nodes. */
const readGroup = async (
  chain: Chain,
  network: Network,
  accounts: readonly Address[],
  assets: readonly Asset[],
): Promise<AccountBalances[]> => {
  const reads = accounts.flatMap(account => [
    { balanceOf: account },
    ...assets.map(({ address }) => balanceCall(address, account)),
  ])
  const outcomes = await readTogether(chain, network, reads)
  const each = assets.length + 1
  return accounts.map((address, at) => {
    const [coins, ...tokens] = outcomes.slice(at * each, (at + 1) * each)
    return {
      address,
      wei: weiIn(coins),
      tokens: assets.map((asset, index) => ({ address: asset.address, amount: balanceIn(tokens[index]) })),
    }
  })
}

/** Returns the balances of accounts whose nodes are unreachable. */
const unread = (accounts: readonly Address[], assets: readonly Asset[]): AccountBalances[] =>
  accounts.map(address => ({
    address,
    wei: null,
    tokens: assets.map(asset => ({ address: asset.address, amount: null })),
  }))

/**
 * Returns each account's native and token balances, in order. A request names only accounts that use the same nodes.
 * Throws 4901 if no node is reachable.
 */
export const readAllBalances = async (
  chain: Chain,
  network: Network,
  accounts: readonly Address[],
  assets: readonly Asset[],
): Promise<AccountBalances[]> => {
  const groups = groupsOf(network, accounts)
  const read = await Promise.allSettled(groups.map(group => readGroup(chain, group.network, group.accounts, assets)))
  const failed = read.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
  if (failed.length > 0 && (failed.length === read.length || !failed.every(isUnreachable))) throw failed[0]
  const found = new Map(
    groups
      .flatMap((group, at) => {
        const one = read[at]
        return one?.status === 'fulfilled' ? one.value : unread(group.accounts, assets)
      })
      .map(balances => [balances.address, balances]),
  )
  return accounts.flatMap(account => found.get(account) ?? [])
}
