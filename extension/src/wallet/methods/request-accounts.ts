/** eth_requestAccounts: connects the site to accounts that the person picks. EIP-1102. */
import type { Asking, Context } from '../method.ts'
import type { Draft, WalletRequest } from '../requests.ts'
import { siteAccounts } from '../sites.ts'
import { connectDraft, connectPicked } from './connect-site.ts'

/** Marks the request of a site that may turn out to be connected once the wallet is unlocked. */
const UNLESS_CONNECTED = 'unlessConnected'

const unlockDraft: Draft = { account: null, payload: null, effect: { kind: 'unlock' }, findings: [] }

/**
 * The draft that an unlocked wallet needs no further decision on, or null. The list of sites may be sealed until the first
 * unlock, so a request to connect can turn out to come from a site that is connected.
 */
export const answeredByUnlock = async (
  { origin, effect, payload }: WalletRequest,
  sites: Context['sites'],
): Promise<Draft | null> => {
  if (effect.kind === 'unlock') return unlockDraft
  return payload === UNLESS_CONNECTED && (await sites.get(origin)) ? unlockDraft : null
}

/** A connected site is answered at once; while the wallet is locked, the password is all that is asked for. */
export const requestAccounts: Asking = {
  prepare: async ({ origin, sites, vault }) => {
    const site = await sites.get(origin)
    if (!site) return { ...connectDraft(null), payload: UNLESS_CONNECTED }
    return (await vault.phase()) === 'unlocked' ? { answer: siteAccounts(site) } : unlockDraft
  },
  act: async (context, request) => {
    const site = await context.sites.get(context.origin)
    if (site && request.effect.kind === 'unlock') return siteAccounts(site)
    return siteAccounts(await connectPicked(context, request))
  },
}
