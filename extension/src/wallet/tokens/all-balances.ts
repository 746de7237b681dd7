/** Reads several accounts' balances on a network together. */
import type { Address } from '@heliograph/shared/evm/address'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { AccountBalances } from '../../messages.ts'
import type { Outcome } from '../networks/answers.ts'
import { readTogether } from '../networks/multicall.ts'
import type { Chain } from '../networks/node.ts'
import { quantityOf } from '../networks/quantities.ts'
import type { Asset } from './assets.ts'
import { balanceCall, balanceIn } from './token-contracts.ts'

/** Parses the node's answer to eth_getBalance, or a word from Multicall3. */
const weiIn = (outcome: Outcome | undefined): string | null => {
  const wei = quantityOf(outcome)
  return wei === null ? null : encodeQuantity(wei)
}

/** Returns each account's native and token balances, in order. Throws 4901. */
export const readAllBalances = async (
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
