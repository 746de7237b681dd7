/** Keeps what peers were given within what the wallet has: accounts are hidden, networks taken away, another one selected. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { disconnect, update } from './changes.ts'
import { grantedAccounts, grantedChains, regrant } from './namespaces.ts'
import type { Session, SessionState } from './state.ts'

/** The accounts that the wallet shows, the one that is selected, and the networks. */
export type Holdings = { accounts: readonly Address[]; selected: string | null; chainIds: readonly number[] }

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index])

/** The selected account comes first: peers take the first for the current one. */
export const selectedFirst = (accounts: readonly Address[], selected: string | null): Address[] => {
  const isSelected = (address: Address) => selected !== null && sameAddress(address, selected)
  return [...accounts.filter(isSelected), ...accounts.filter(address => !isSelected(address))]
}

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
    // What is left is not what the peer requires.
    return disconnect(state, topic, now)
  }
}

/** The peers are told; a session of which nothing is left, or not what its peer requires, is ended. */
export const fit = (state: SessionState, holdings: Holdings, now: number): SessionState =>
  state.sessions.reduce((left, session) => fitOne(left, session, holdings, now), state)
