/** What the person calls an address. Every part of a page can ask; a name stands beside an address, never in its place. */
import { getContext } from 'svelte'
import type { UiState } from '../messages.ts'
import type { Client } from './client.svelte.ts'

export type Called = { name: string; as: 'account' | 'contact' }
export type Names = (address: string) => Called | undefined

const NAMES = Symbol('names')

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** An own account goes first: nothing else is certain to be the person's. */
export const nameIn = (
  { accounts, contacts }: Pick<UiState, 'accounts' | 'contacts'>,
  address: string,
): Called | undefined => {
  const account = accounts.find(own => isSame(own.address, address))
  if (account) return { name: account.name, as: 'account' }
  const contact = contacts.find(known => isSame(known.address, address))
  return contact && { name: contact.name, as: 'contact' }
}

/** The context that a page is drawn in. */
export const namesContext = (client: Client): Map<symbol, Names> =>
  new Map([[NAMES, address => (client.state ? nameIn(client.state, address) : undefined)]])

/** Must be called while a component is set up. */
export const useNames = (): Names => getContext<Names>(NAMES)
