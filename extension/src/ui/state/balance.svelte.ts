/** An account's balance and tokens, refreshed while the page is visible. */
import type { AccountView, HoldingsView, NetworkView } from '../../messages.ts'
import type { Client } from './client.svelte.ts'
import { type Watched, watch } from './watch.svelte.ts'

/** `value` is in wei. */
export type Balance = Watched<bigint>

/** The account and network to watch. A change of `news` triggers a read. */
export type Watching = {
  client: () => Client
  account: () => AccountView
  network: () => NetworkView
  news?: () => unknown
}

const still = () => null

const placeOf = ({ account, network }: Watching) => ({
  address: account().address,
  chainId: network().chainId,
})
const nameOf = ({ account, network }: Watching) =>
  `${account().address} ${network().chainId} ${network().rpcUrls.join(' ')}`

/** Watches the balance in the network's currency. Call it during component initialization. */
export const watchBalance = (watching: Watching): Balance => {
  const { client, network, news = still } = watching
  return watch({
    place: () => nameOf(watching),
    read: () => {
      if (network().rpcUrls.length === 0) return null
      return client().call('getBalance', placeOf(watching)).then(BigInt)
    },
    kept: async () => {
      const kept = await client().call('getKept', placeOf(watching))
      return kept?.wei == null || kept.at === null ? null : { value: BigInt(kept.wei), at: kept.at }
    },
    news,
  })
}

/** Watches the tokens and collections. Call it during component initialization. */
export const watchHoldings = (watching: Watching): Watched<HoldingsView> => {
  const { client, network, news = still } = watching
  return watch({
    place: () => nameOf(watching),
    read: () => {
      if (network().rpcUrls.length === 0) return null
      return client().call('getHoldings', placeOf(watching))
    },
    kept: async () => {
      const kept = await client().call('getKept', placeOf(watching))
      return kept === null || kept.at === null ? null : { value: { ...kept, offered: 0 }, at: kept.at }
    },
    news,
  })
}
