/** The person's address book: names for addresses. It says whom they deal with, so it is sealed as accounts are. */
import { rpcError } from '@heliograph/shared/errors'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import * as v from 'valibot'
import { createSealedCell, type Sealing } from './keys/sealed-cell.ts'
import { line } from './methods/values.ts'

export type Contact = { address: Address; name: string }

export type Contacts = {
  /** By name; none while the wallet is locked. */
  list(): Promise<readonly Contact[]>
  /** Adds it, or names the address anew. Throws -32602 for a name of somebody else, -32005 for one too many, 4100 while locked. */
  save(contact: Contact): Promise<void>
  /** Throws 4100 while locked. */
  remove(address: Address): Promise<void>
}

/** The pages are told of all of them whenever something changes. */
export const MAX_CONTACTS = 300
const MAX_NAME = 32
const NAME = 'contacts'

const Name = line(MAX_NAME)

/** Throws -32602 for a name that is no short line of visible characters. */
export const toContactName = (text: string): string => {
  const parsed = v.safeParse(Name, text)
  if (parsed.success) return parsed.output
  throw rpcError('invalidParams', `A name ${parsed.issues[0].message}`)
}

/** Whether a reader takes the names for one. */
export const isSameName = (one: string, other: string): boolean =>
  one.normalize('NFKC').toLowerCase() === other.normalize('NFKC').toLowerCase()

const byName = (contacts: readonly Contact[]): Contact[] =>
  contacts.toSorted((one, other) => one.name.localeCompare(other.name) || (one.address < other.address ? -1 : 1))

const withContact = (contacts: readonly Contact[], contact: Contact): readonly Contact[] => {
  const others = contacts.filter(({ address }) => !sameAddress(address, contact.address))
  const namesake = others.find(({ name }) => isSameName(name, contact.name))
  if (namesake)
    throw rpcError('invalidParams', `Another contact is called ${namesake.name} already. Choose another name.`)
  if (others.length >= MAX_CONTACTS) throw rpcError('limitExceeded', `There are ${MAX_CONTACTS} contacts already`)
  return byName([...others, contact])
}

export const createContacts = (sealing: Sealing): Contacts => {
  const cell = createSealedCell<readonly Contact[]>({ ...sealing, name: NAME, initial: () => [] })
  return {
    list: async () => (await cell.read()) ?? [],
    save: async contact => {
      await cell.update(contacts => withContact(contacts, contact))
    },
    remove: async gone => {
      await cell.update(contacts => contacts.filter(({ address }) => !sameAddress(address, gone)))
    },
  }
}
