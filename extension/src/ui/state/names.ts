/** The person's names for addresses, for any component of a page. Show a name beside the address, never instead of it. */
import { getContext } from 'svelte'
import type { UiState } from '../../messages.ts'
import type { Client } from './client.svelte.ts'

export type Called = { name: string; as: 'account' | 'contact' }
export type Names = (address: string) => Called | undefined

const NAMES = Symbol('names')

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Own accounts take precedence over contacts. */
export const nameIn = (
  { accounts, contacts }: Pick<UiState, 'accounts' | 'contacts'>,
  address: string,
): Called | undefined => {
  const account = accounts.find(own => isSame(own.address, address))
  if (account) return { name: account.name, as: 'account' }
  const contact = contacts.find(known => isSame(known.address, address))
  return contact && { name: contact.name, as: 'contact' }
}

/** The Svelte context of a page's root component. */
export const namesContext = (client: Client): Map<symbol, Names> =>
  new Map([[NAMES, address => (client.state ? nameIn(client.state, address) : undefined)]])

/** Call it during component initialisation. */
export const useNames = (): Names => getContext<Names>(NAMES)
