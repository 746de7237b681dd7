/** The person's names for addresses, for any component of a page. Show a name beside the address, never instead of it. */
import { getContext } from 'svelte'
import type { UiMethods, UiState } from '../../messages.ts'
import { sameAddress } from '../format/address.ts'
import type { Client } from './client.svelte.ts'

export type Called = { name: string; as: 'account' | 'contact' }
export type Names = (address: string) => Called | undefined

/** Asks the background for the ENS name of an address. */
type NameOf = (address: string) => Promise<UiMethods['nameOf'][1]>

const NAMES = Symbol('names')
const NAME_OF = Symbol('name of')

/** Own accounts take precedence over contacts. */
export const nameIn = (
  { accounts, contacts }: Pick<UiState, 'accounts' | 'contacts'>,
  address: string,
): Called | undefined => {
  const account = accounts.find(own => sameAddress(own.address, address))
  if (account) return { name: account.name, as: 'account' }
  const contact = contacts.find(known => sameAddress(known.address, address))
  return contact && { name: contact.name, as: 'contact' }
}

/** The Svelte context of a page's root component. */
export const namesContext = (client: Client): Map<symbol, Names | NameOf> =>
  new Map<symbol, Names | NameOf>([
    [NAMES, (address: string) => (client.state ? nameIn(client.state, address) : undefined)],
    [NAME_OF, (address: string) => client.call('nameOf', { address })],
  ])

/** Call it during component initialisation. */
export const useNames = (): Names => getContext<Names>(NAMES)

/** Call it during component initialisation. */
export const useNameOf = (): NameOf => getContext<NameOf>(NAME_OF)
