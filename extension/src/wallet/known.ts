/** The records of the wallet against which a request is held. */

import type { Contacts } from './contacts.ts'
import type { Vault } from './keys/vault.ts'
import type { Known } from './review/known.ts'
import { usedAddresses } from './review/used.ts'
import type { Sites } from './sites.ts'
import type { ActivityStore } from './transactions/activity.ts'

/** While the wallet is locked, no account is known, and no contact. */
export const readKnown = async (
  parts: { vault: Vault; contacts: Contacts; sites: Sites; activity: ActivityStore },
  chainId: number,
): Promise<Known> => ({
  accounts: (await parts.vault.peek())?.accounts ?? [],
  contacts: await parts.contacts.list(),
  sites: await parts.sites.list(),
  used: usedAddresses(await parts.activity.list(), chainId),
})
