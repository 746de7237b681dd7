/** The user's names for addresses, for any component of a page. Show a name beside the address, never instead of it. */
import { getContext } from 'svelte'
import type { UiMethods, UiState } from '../../messages.ts'
import { sameAddress } from '../format/address.ts'
import { text } from '../format/text.ts'
import type { Client } from './client.svelte.ts'

export type Called = { name: string; as: 'account' | 'watched' | 'contact' | 'known' }
export type Names = (address: string) => Called | undefined

/** Asks the background for the ENS name of an address. */
type NameOf = (address: string) => Promise<UiMethods['nameOf'][1]>

const NAMES = Symbol('names')
const NAME_OF = Symbol('name of')

/**
 * Finds a name. The user's own accounts take precedence over contacts, and contacts over contracts of the catalogue
 * that a pending request names.
 */
export const nameIn = (
  { accounts, contacts, requests }: Pick<UiState, 'accounts' | 'contacts' | 'requests'>,
  address: string,
): Called | undefined => {
  const account = accounts.find(own => sameAddress(own.address, address))
  if (account) return { name: account.name, as: account.kind === 'watchOnly' ? 'watched' : 'account' }
  const contact = contacts.find(known => sameAddress(known.address, address))
  if (contact) return { name: contact.name, as: 'contact' }
  const party = requests.flatMap(({ parties }) => parties).find(one => sameAddress(one.address, address))
  return party?.kind === 'known'
    ? { name: text('party_known', party.name ?? '', party.what ?? ''), as: 'known' }
    : undefined
}

/** Returns the Svelte context of a page's root component. */
export const namesContext = (client: Client): Map<symbol, Names | NameOf> =>
  new Map<symbol, Names | NameOf>([
    [NAMES, (address: string) => (client.state ? nameIn(client.state, address) : undefined)],
    [NAME_OF, (address: string) => client.call('nameOf', { address })],
  ])

/** Returns the page's lookup of names. Call it during component initialization. */
export const useNames = (): Names => getContext<Names>(NAMES)

/** Returns the page's lookup of ENS names. Call it during component initialization. */
export const useNameOf = (): NameOf => getContext<NameOf>(NAME_OF)

export type Recipient = { address: string; name: string }

/** Returns the entries whose name or address contains the typed text, in any letter case. */
export const findRecipients = <T extends Recipient>(all: readonly T[], typed: string): T[] => {
  const wanted = typed.trim().toLowerCase()
  return all.filter(({ name, address }) => `${name} ${address}`.toLowerCase().includes(wanted))
}
