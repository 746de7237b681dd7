/** The section of contacts. A contact whose name is taken gets a number, so that none is lost. */
import { type Address, toAddress } from '@heliograph/shared/evm/address'
import * as v from 'valibot'
import type { ContactItem } from '../../messages.ts'
import { accountsOf } from '../keys/keyring.ts'
import { type Contact, MAX_CONTACT_NAME, MAX_CONTACTS, nameKey, toContactName } from '../review/contacts.ts'
import { rpcError } from '../text/errors.ts'
import { namedReview } from './named.ts'
import { type Held, lower, type Section } from './section.ts'
import { address, chainId } from './values.ts'

/** Maximum characters of an ENS name. */
const MAX_ENS = 255

/** Returns a name that no other account or contact has. */
const freeName = (name: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(nameKey(name))) return name
  for (let number = 2; ; number++) {
    const end = ` ${number}`
    const numbered = `${name.slice(0, MAX_CONTACT_NAME - end.length).trimEnd()}${end}`
    if (!taken.has(nameKey(numbered))) return numbered
  }
}

const contactOf = ({ address: own, name, ens }: ContactItem): Contact => ({
  address: own as Address,
  name,
  ...(ens && { ens }),
})

const namesOf = ({ accounts, contacts }: Held): string[] => [
  ...[...accounts.values()].filter(({ hidden }) => !hidden).map(({ name }) => nameKey(name)),
  ...[...contacts.values()].map(({ name }) => nameKey(name)),
]

export const contacts: Section<'contacts'> = {
  name: 'contacts',
  schema: v.object({
    address,
    name: v.pipe(v.string(), v.transform(toContactName)),
    ens: v.fallback(v.nullish(v.object({ name: v.pipe(v.string(), v.maxLength(MAX_ENS)), chainId }), null), null),
  }),
  idOf: item => lower(item.address),
  read: async ({ contacts: stored }) =>
    (await stored.list()).map(({ address: own, name, ens }) => ({ address: own, name, ens: ens ?? null })),
  compare: ({ name }, known) => (name === known.name ? 'same' : 'differs'),
  fitting: ({ held }) => {
    const review = namedReview(held)
    const taken = new Set(namesOf(held))
    return given => {
      const id = lower(given.address)
      const own = held.accounts.get(id)
      if (own && !own.hidden) throw rpcError('invalidParams', 'ownContact', { name: own.name })
      const known = held.contacts.get(id)
      if (!known && held.contacts.size >= MAX_CONTACTS)
        throw rpcError('limitExceeded', 'tooManyContacts', { limit: MAX_CONTACTS })
      if (known) taken.delete(nameKey(known.name))
      const name = freeName(given.name, taken)
      taken.add(nameKey(name))
      return { value: { ...given, name }, findings: review({ address: given.address, name }) }
    }
  },
  write: async ({ parts }, items) => {
    const own = new Set(accountsOf(await parts.vault.read()).map(({ address: one }) => one))
    await parts.contacts.save(...items.filter(item => !own.has(toAddress(item.address))).map(contactOf))
  },
}
