/** Methods that return accounts: eth_accounts, eth_coinbase and eth_requestAccounts. */
import { type Answering, type Asking, mainAccount } from '../requests/context.ts'
import { siteAccounts } from '../sites/sites.ts'
import { connectDraft, connectPicked } from './connect-site.ts'

/**
 * eth_accounts: returns the site's accounts, even while the wallet is locked. Libraries treat an empty list as a
 * disconnect, so locking must not produce one.
 */
export const accounts: Answering = {
  answer: async ({ requester, grants }) => {
    const site = await grants.siteOf(requester)
    return site ? siteAccounts(site) : []
  },
}

/** eth_coinbase: the site's main account, for old pages. Null if eth_accounts is empty. */
export const coinbase: Answering = {
  answer: async context => {
    const account = await mainAccount(context)
    return account?.toLowerCase() ?? null
  },
}

/**
 * eth_requestAccounts: connects the site to accounts that the user selects (EIP-1102). A connected site gets its accounts
 * without a prompt, or after an unlock if the wallet is locked.
 */
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
