/** UI methods for contacts, and the check of a recipient's address. */
import { sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { accountsOf } from '../keys/keyring.ts'
import { isSameName, toContactName } from '../review/contacts.ts'
import { reviewAddress } from '../review/known.ts'
import { readKnown } from '../review/records.ts'
import { rpcError } from '../text/errors.ts'
import type { Ui, UiParts } from './parts.ts'

export const createContactsUi = (parts: UiParts): Pick<Ui, 'saveContact' | 'removeContact' | 'reviewAddress'> => {
  const { vault, contacts, refresh } = parts

  return {
    saveContact: async input => {
      const contact = { address: toAddress(input.address.trim()), name: toContactName(input.name) }
      const own = accountsOf(await vault.read()).find(
        ({ address, name }) => sameAddress(address, contact.address) || isSameName(name, contact.name),
      )
      if (own && sameAddress(own.address, contact.address))
        throw rpcError('invalidParams', 'ownContact', { name: own.name })
      if (own) throw rpcError('invalidParams', 'ownAccountName', { name: own.name })
      await contacts.save(contact)
      await refresh()
      return null
    },
    removeContact: async ({ address }) => {
      await contacts.remove(toAddress(address))
      await refresh()
      return null
    },
    reviewAddress: async ({ address: text, chainId }) => {
      await vault.read()
      const address = toAddress(text.trim())
      return { address, findings: reviewAddress(address, await readKnown(parts, chainId)) }
    },
  }
}
