/** eth_requestAccounts: connects the site to accounts that the user selects (EIP-1102). */
import type { Asking } from '../requests/context.ts'
import { siteAccounts } from '../sites/sites.ts'
import { connectDraft, connectPicked } from './connect-site.ts'

/** A connected site gets its accounts without a prompt, or after an unlock if the wallet is locked. */
export const requestAccounts: Asking = {
  prepare: async ({ requester, grants, vault }) => {
    const site = await grants.siteOf(requester)
    if (!site) return connectDraft(null)
    if ((await vault.phase()) === 'unlocked') return { answer: siteAccounts(site) }
    return { account: null, payload: null, effect: { kind: 'unlock' }, findings: [] }
  },
  act: async (context, request) => {
    const site = await context.grants.siteOf(context.requester)
    if (site && request.effect.kind === 'unlock') return siteAccounts(site)
    return siteAccounts(await connectPicked(context, request))
  },
}
