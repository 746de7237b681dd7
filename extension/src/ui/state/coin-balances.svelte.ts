/** The balances of several accounts in a network's currency, read once, together, while their list is open. */
import { untrack } from 'svelte'
import type { AccountView, NetworkView } from '../../messages.ts'
import type { Client } from './client.svelte.ts'

export type CoinBalances = {
  /** `none` if the network has no node, which means that nothing is read. */
  readonly status: 'none' | 'loading' | 'read' | 'failed'
  /** Returns an account's balance in wei; null if it is not known. */
  of(address: string): bigint | null
  retry(): void
}

type Reading = { client: () => Client; network: () => NetworkView; accounts: () => readonly AccountView[] }

/** Reads the balances, and reads them again if an account or a node is added. Call it during component initialization. */
export const readCoinBalances = ({ client, network, accounts }: Reading): CoinBalances => {
  let status = $state<CoinBalances['status']>('none')
  let known = $state.raw<ReadonlyMap<string, string | null>>(new Map())
  let round = 0

  const read = async () => {
    const own = ++round
    if (network().rpcUrls.length === 0) {
      status = 'none'
      return
    }
    status = 'loading'
    try {
      const told = await client().call('getCoinBalances', { chainId: network().chainId })
      if (own !== round) return
      known = new Map(told.map(({ address, wei }) => [address, wei]))
      status = 'read'
    } catch {
      if (own === round) status = 'failed'
    }
  }

  /** Does not depend on the accounts' order. */
  const about = $derived(
    JSON.stringify([
      network().chainId,
      network().rpcUrls,
      accounts()
        .map(({ address }) => address)
        .toSorted(),
    ]),
  )
  $effect(() => {
    void about
    known = new Map()
    untrack(() => void read())
    return () => {
      round++
    }
  })

  return {
    get status() {
      return status
    },
    of: address => {
      const wei = known.get(address)
      return wei == null ? null : BigInt(wei)
    },
    retry: () => void read(),
  }
}
