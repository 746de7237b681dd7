/** Restricts sessions to the wallet's current accounts and networks. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { accountsOf } from '../keys/keyring.ts'
import type { Vault } from '../keys/vault.ts'
import type { Networks } from '../networks/networks.ts'
import type { Cell } from '../storage/store.ts'
import { disconnect, update } from './changes.ts'
import { grantedAccounts, grantedChains, regrant } from './namespaces.ts'
import type { Session, SessionState } from './state.ts'

/** The wallet's visible accounts, the selected one, and the networks. */
export type Holdings = { accounts: readonly Address[]; selected: string | null; chainIds: readonly number[] }

export type HoldingsParts = {
  vault: Pick<Vault, 'peek'>
  networks: Pick<Networks, 'list'>
  selectedAccount: Pick<Cell<string | null>, 'read'>
}

/** Reads the holdings. A locked wallet has no accounts. */
export const createHoldings =
  ({ vault, networks, selectedAccount }: HoldingsParts) =>
  async (): Promise<Holdings> => {
    const secrets = await vault.peek()
    return {
      accounts: secrets ? accountsOf(secrets).map(({ address }) => address) : [],
      selected: await selectedAccount.read(),
      chainIds: (await networks.list()).map(({ chainId }) => chainId),
    }
  }

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index])

const putFirst = <T>(items: readonly T[], isFirst: (item: T) => boolean): T[] => [
  ...items.filter(isFirst),
  ...items.filter(item => !isFirst(item)),
]

/** Moves the selected account to the front, because peers treat the first account as the current one. */
export const selectedFirst = (accounts: readonly Address[], selected: string | null): Address[] =>
  putFirst(accounts, address => selected !== null && sameAddress(address, selected))

/** Moves the wallet's network to the front, because a session starts on its first network. */
export const currentFirst = (chainIds: readonly number[], current: number): number[] =>
  putFirst(chainIds, chainId => chainId === current)

const accountsLeft = (given: readonly Address[], { accounts, selected }: Holdings): Address[] =>
  selectedFirst(
    given.filter(address => accounts.some(own => sameAddress(own, address))),
    selected,
  )

const fitOne = (state: SessionState, { topic, namespaces }: Session, holdings: Holdings, now: number) => {
  const before = { accounts: grantedAccounts(namespaces), chainIds: grantedChains(namespaces) }
  const accounts = accountsLeft(before.accounts, holdings)
  const chainIds = before.chainIds.filter(chainId => holdings.chainIds.includes(chainId))
  if (isSame(accounts, before.accounts) && isSame(chainIds, before.chainIds)) return state
  try {
    return update(state, topic, regrant(namespaces, { accounts, chainIds }), now)
  } catch {
    // The remaining grant lacks a part that the peer requires, so the session ends.
    return disconnect(state, topic, now)
  }
}

/**
 * Restricts every session to the wallet's accounts and networks, and informs the peers. Ends a session that is left
 * without accounts, or without a part that its peer requires.
 */
export const fit = (state: SessionState, holdings: Holdings, now: number): SessionState =>
  state.sessions.reduce((left, session) => fitOne(left, session, holdings, now), state)
