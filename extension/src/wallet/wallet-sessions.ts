/** Connects remote sessions with the wallet's accounts, networks and requests. */
import { accountsOf } from './keys/keyring.ts'
import type { Vault } from './keys/vault.ts'
import type { Records } from './records.ts'
import { isDecided, keyOf } from './requests/requests.ts'
import { createSessions, type Sessions, type SessionsParts } from './session/engine.ts'

export type WalletSessionsParts = Omit<SessionsParts, 'isDecided' | 'networks' | 'selectedNetwork' | 'holdings'> & {
  vault: Pick<Vault, 'peek'>
  records: Pick<Records, 'requests' | 'activity' | 'networks' | 'selectedAccount'>
}

export const createWalletSessions = ({ vault, records, ...parts }: WalletSessionsParts): Sessions => {
  const { requests, activity, networks, selectedAccount } = records
  return createSessions({
    ...parts,
    isDecided: async (origin, id) => {
      const key = keyOf(origin, id)
      const kept = await requests.get(key)
      return kept ? isDecided(kept) : (await activity.ofKey(key)).some(({ status }) => status !== 'dropped')
    },
    networks: networks.list,
    selectedNetwork: networks.selected,
    holdings: async () => ({
      accounts: accountsOf((await vault.peek()) ?? { version: 2, phrases: [], accounts: [] }).map(
        ({ address }) => address,
      ),
      selected: await selectedAccount.read(),
      chainIds: (await networks.list()).map(({ chainId }) => chainId),
    }),
  })
}
