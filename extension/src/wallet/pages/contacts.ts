/** UI methods for contacts, and for checking a recipient's address or ENS name. */
import { type Address, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import type { Finding } from '../../messages.ts'
import { toEnsName } from '../names/ens-name.ts'
import { assertNotOwn, toContactName } from '../review/contacts.ts'
import { type Known, reviewAddress } from '../review/known.ts'
import { reviewContactName, reviewName } from '../review/names.ts'
import { readKnown } from '../review/records.ts'
import { readGivenAddress } from './given-address.ts'
import type { Ui, UiParts } from './parts.ts'

/** Chain id of Ethereum. An address's own ENS name is set there. */
const ETHEREUM = 1

type ContactMethod = 'saveContact' | 'removeContact' | 'reviewAddress' | 'nameOf'

export const createContactsUi = (parts: UiParts): Pick<Ui, ContactMethod> => {
  const { vault, contacts, networks, names } = parts

  /** Resolves a contact's ENS name again, but only waits briefly. */
  const reviewContact = async (
    address: Address,
    { contacts: known }: Known,
    account: string | undefined,
  ): Promise<Finding[]> => {
    const contact = known.find(other => sameAddress(other.address, address))
    if (!contact?.ens) return []
    const resolved = await names.resolveQuietly(contact.ens.name, contact.ens.chainId, account)
    return resolved ? reviewContactName(contact, resolved.address) : []
  }

  return {
    saveContact: async input => {
      const { ens } = input
      const contact = {
        address: toAddress((await readGivenAddress(parts, input.address, null)).address),
        name: toContactName(input.name),
        ...(ens && { ens: { name: toEnsName(ens.name), chainId: (await networks.get(ens.chainId)).chainId } }),
      }
      assertNotOwn(await vault.read(), contact)
      await contacts.save(contact)
      return null
    },
    removeContact: async ({ address }) => {
      await contacts.remove(toAddress(address))
      return null
    },
    reviewAddress: async ({ address: text, chainId, account }) => {
      await vault.read()
      const known = await readKnown(parts, chainId)
      const { address: given, payment } = await readGivenAddress(parts, text, chainId)
      // Names contain a dot; addresses do not.
      if (!given.includes('.')) {
        const address = toAddress(given)
        const ofContact = await reviewContact(address, known, account)
        return { address, findings: [...ofContact, ...reviewAddress(address, known)], name: null, payment }
      }
      const { address, ...name } = await names.resolve(given, chainId, account)
      const findings = [...reviewName(name, address, chainId, known), ...reviewAddress(address, known)]
      return { address, findings, name, payment }
    },
    nameOf: async ({ address: text }) => {
      await vault.read()
      const address = toAddress(text)
      const name = await names.nameOf(address)
      if (name === null) return null
      const known = await readKnown(parts, ETHEREUM)
      return { name, findings: reviewName({ name, isOfEthereum: false }, address, ETHEREUM, known) }
    },
  }
}
