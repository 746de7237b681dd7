/** What an account holds, kept fresh while it is looked at. */
import type { AccountView, HoldingsView, NetworkView } from '../messages.ts'
import type { Client } from './client.svelte.ts'
import { type Watched, watch } from './watch.svelte.ts'

/** `value` is in wei. */
export type Balance = Watched<bigint>

/** Whose holdings, and where; `news` changes when they may have. */
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
const nameOf = ({ account, network }: Watching) => `${account().address} ${network().chainId} ${network().rpcUrl}`

/** The balance in the network's currency. Must be called while a component is set up. */
export const watchBalance = (watching: Watching): Balance => {
  const { client, network, news = still } = watching
  return watch({
    place: () => nameOf(watching),
    read: () => {
      if (network().rpcUrl === null) return null
      return client().call('getBalance', placeOf(watching)).then(BigInt)
    },
    kept: async () => {
      const kept = await client().call('getKept', placeOf(watching))
      return kept?.wei == null || kept.at === null ? null : { value: BigInt(kept.wei), at: kept.at }
    },
    news,
  })
}

/** The tokens and collections. Must be called while a component is set up. */
export const watchHoldings = (watching: Watching): Watched<HoldingsView> => {
  const { client, network, news = still } = watching
  return watch({
    place: () => nameOf(watching),
    read: () => {
      if (network().rpcUrl === null) return null
      return client().call('getHoldings', placeOf(watching))
    },
    kept: async () => {
      const kept = await client().call('getKept', placeOf(watching))
      return kept === null || kept.at === null ? null : { value: { ...kept, offered: 0 }, at: kept.at }
    },
    news,
  })
}
