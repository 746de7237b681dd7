/** What the wallet's own pages can do: one handler a method of UiMethods. No site reaches this table. */
import { rpcError } from '@heliograph/shared/errors'
import { toAddress } from '@heliograph/shared/evm/address'
import { fromQuantity } from '@heliograph/shared/evm/hex'
import type { UiMethod, UiMethods } from '../messages.ts'
import { type Approvals, REJECTED } from './approvals.ts'
import { askQuantity, type Chain } from './chain.ts'
import { accountsOf, checkPhrase, newPhrase, secretsOf, withNextAccount } from './keyring.ts'
import { type SiteEvent, siteAccounts } from './sites.ts'
import { accountView, readUiState, type UiStateParts } from './ui-state.ts'

export type Ui = { [M in UiMethod]: (params: UiMethods[M][0]) => Promise<UiMethods[M][1]> }

export type UiParts = UiStateParts & {
  approvals: Approvals
  /** Brings the open requests in front of the person. */
  show(): Promise<void>
  chain: Chain
  announce(event: SiteEvent): void
  /** Pushes the state to every open page of the wallet. */
  publish(): Promise<void>
}

const MAX_ACCOUNT_NAME = 32

/** An http or https URL without credentials, in its normal form. Throws -32602. */
const toRpcUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw rpcError('invalidParams', 'An RPC URL begins with http:// or https:// and carries no user name')
  return url.href
}

const toAccountName = (text: string): string => {
  const name = text.trim()
  if (name === '' || name.length > MAX_ACCOUNT_NAME)
    throw rpcError('invalidParams', `An account name has 1 to ${MAX_ACCOUNT_NAME} characters`)
  return name
}

export const createUi = (parts: UiParts): Ui => {
  const { vault, sites, networks, requests, selectedAccount, approvals, show, chain, announce, publish } = parts

  const announceAccounts = async () => {
    const unlocked = (await vault.phase()) === 'unlocked'
    for (const site of await sites.list())
      announce({ origin: site.origin, event: 'accountsChanged', data: unlocked ? siteAccounts(site) : [] })
  }

  return {
    getState: () => readUiState(parts),
    newPhrase: async ({ words }) => newPhrase(words),
    checkPhrase: async ({ phrase }) => checkPhrase(phrase),
    createVault: async ({ password, phrase }) => {
      await vault.create(password, secretsOf(phrase))
      await publish()
      return null
    },
    unlock: async ({ password }) => {
      await vault.unlock(password)
      await announceAccounts()
      await publish()
      return null
    },
    lock: async () => {
      if ((await vault.phase()) !== 'unlocked') return null
      await vault.lock()
      await announceAccounts()
      await publish()
      return null
    },
    addAccount: async ({ name }) => {
      const accounts = accountsOf(await vault.update(secrets => withNextAccount(secrets, toAccountName(name))))
      const added = accounts.at(-1)
      if (!added) throw rpcError('internal')
      await selectedAccount.update(() => added.address)
      await publish()
      return accountView(added)
    },
    selectAccount: async ({ address }) => {
      await selectedAccount.update(() => toAddress(address))
      await publish()
      return null
    },
    selectNetwork: async ({ chainId }) => {
      if ((await networks.selected()).chainId === chainId) return null
      await networks.select(chainId)
      announce({ event: 'chainChanged', data: fromQuantity(chainId) })
      await publish()
      return null
    },
    setRpcUrl: async ({ chainId, rpcUrl: text }) => {
      const rpcUrl = toRpcUrl(text)
      const network = await networks.get(chainId)
      const reported = await askQuantity(chain, { ...network, rpcUrl }, 'eth_chainId')
      if (reported !== BigInt(chainId))
        throw rpcError('invalidParams', `This server reports chain ${reported}, not ${chainId}. Nothing was saved.`)
      await networks.setRpcUrl(chainId, rpcUrl)
      await publish()
      return null
    },
    getBalance: async ({ address, chainId }) =>
      fromQuantity(
        await askQuantity(chain, await networks.get(chainId), 'eth_getBalance', [toAddress(address), 'latest']),
      ),
    decide: async ({ id, approve, accounts = [] }) => {
      if (approve && (await vault.phase()) !== 'unlocked') throw rpcError('unauthorized', 'The wallet is locked')
      await approvals.decide(id, { approve, accounts: accounts.map(account => toAddress(account)) })
      return null
    },
    rejectAll: async () => {
      const open = await requests.open()
      await Promise.all(open.map(({ key }) => approvals.decide(key, REJECTED)))
      return null
    },
    showRequests: async () => {
      await show()
      return null
    },
  }
}
