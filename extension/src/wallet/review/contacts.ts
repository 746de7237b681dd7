/** The user's address book. It reveals with whom the user deals, so it is encrypted, like the accounts. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import * as v from 'valibot'
import { accountsOf } from '../keys/keyring.ts'
import { createSealedCell, type Sealing } from '../keys/sealed-cell.ts'
import type { Secrets } from '../keys/vault-file.ts'
import { rpcError } from '../text/errors.ts'
import { line } from '../text/values.ts'

/** `ens` is the ENS name that resolved to the address on the network `chainId` when the contact was saved. */
export type Contact = { address: Address; name: string; ens?: { name: string; chainId: number } }

export type Contacts = {
  /** Returns the contacts, sorted by name. Empty while the wallet is locked. */
  list(): Promise<readonly Contact[]>
  /**
   * Adds or renames contacts, all or none. A contact keeps its ENS name unless a new one is given. Throws -32602 if the
   * name is taken, -32005 if there are too many, 4100 while locked.
   */
  save(...changed: readonly Contact[]): Promise<void>
  /** Throws 4100 while locked. */
  remove(address: Address): Promise<void>
}

/** Maximum number of contacts: pages receive all of them after each change. */
export const MAX_CONTACTS = 1_000
/** Maximum characters of a contact's name. */
export const MAX_CONTACT_NAME = 32
const NAME = 'contacts'

const Name = line(MAX_CONTACT_NAME)

/** Validates a name. Throws -32602 unless it is a short line of visible characters. */
export const toContactName = (text: string): string => {
  const parsed = v.safeParse(Name, text)
  if (parsed.success) return parsed.output
  throw rpcError('invalidParams', 'contactNameForm', { most: MAX_CONTACT_NAME })
}

/** Returns the same key for names that a reader could confuse. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase()

/** True if a reader could confuse the names. */
export const isSameName = (one: string, other: string): boolean => nameKey(one) === nameKey(other)

const byName = (contacts: readonly Contact[]): Contact[] =>
  contacts.toSorted((one, other) => one.name.localeCompare(other.name) || (one.address < other.address ? -1 : 1))

/** Throws -32602 if an account has the contact's address or name. */
export const assertNotOwn = (secrets: Secrets, contact: Contact): void => {
  const own = accountsOf(secrets).find(
    ({ address, name }) => sameAddress(address, contact.address) || isSameName(name, contact.name),
  )
  if (own && sameAddress(own.address, contact.address))
    throw rpcError('invalidParams', 'ownContact', { name: own.name })
  if (own) throw rpcError('invalidParams', 'ownAccountName', { name: own.name })
}

/** Adds or renames a contact, as the last one. Throws -32602 if the name is taken, -32005 if there are too many. */
export const withContact = (contacts: readonly Contact[], contact: Contact): readonly Contact[] => {
  const before = contacts.find(({ address }) => sameAddress(address, contact.address))
  const others = contacts.filter(other => other !== before)
  const key = nameKey(contact.name)
  const namesake = others.find(({ name }) => nameKey(name) === key)
  if (namesake) throw rpcError('invalidParams', 'contactNameTaken', { name: namesake.name })
  if (others.length >= MAX_CONTACTS) throw rpcError('limitExceeded', 'tooManyContacts', { limit: MAX_CONTACTS })
  return [...others, { ...(before?.ens && { ens: before.ens }), ...contact }]
}

export const createContacts = (sealing: Sealing): Contacts => {
  const cell = createSealedCell<readonly Contact[]>({ ...sealing, name: NAME, initial: () => [] })
  return {
    list: async () => (await cell.read()) ?? [],
    save: async (...changed) => {
      await cell.update(contacts => byName(changed.reduce(withContact, contacts)))
    },
    remove: async gone => {
      await cell.update(contacts => contacts.filter(({ address }) => !sameAddress(address, gone)))
    },
  }
}
