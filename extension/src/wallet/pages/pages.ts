/** Handlers for all UI methods. Sites cannot reach them. */
import { toAddress } from '@heliograph/shared/evm/address'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { askQuantity } from '../networks/node.ts'
import { report, rpcError } from '../text/errors.ts'
import { createAccountsUi } from './accounts.ts'
import { createAllowancesUi } from './allowances.ts'
import { createBackupUi } from './backup.ts'
import { createCollectiblesUi } from './collectibles.ts'
import { createContactsUi } from './contacts.ts'
import { createDescriptorsUi } from './descriptors.ts'
import { createInterfacesUi } from './interfaces.ts'
import { createImportUi, createSecretsUi } from './keys.ts'
import { createNetworksUi } from './networks.ts'
import { createNoticesUi } from './notices.ts'
import { createOtherWalletsUi } from './other-wallets.ts'
import { createOverviewUi } from './overview.ts'
import type { Ui, UiParts } from './parts.ts'
import { createPasskeysUi } from './passkeys.ts'
import { createRequestsUi } from './requests.ts'
import { createSessionsUi } from './sessions.ts'
import { createSitesUi } from './sites.ts'
import { readUiState } from './state.ts'
import { createTokensUi } from './tokens.ts'
import { createTransactionsUi } from './transactions.ts'
import { createValuesUi } from './values.ts'
import { createVaultUi } from './vault.ts'

/** Wraps the methods: a call that changes the state resolves only once the pages have the new state. */
const withState = <M extends object>(methods: M, after: UiParts['after']): M => {
  const followed = ([name, method]: [string, (params: never) => Promise<unknown>]) => [
    name,
    (params: never) => after(() => method(params)),
  ]
  return Object.fromEntries(Object.entries(methods).map(followed)) as M
}

export const createUi = (parts: UiParts): Ui => {
  const { vault, drafts, networks, kept, tasks, chain, announce, safety, now } = parts

  /** Requires the password for a method that spends, if the user has set this. */
  const behindPassword =
    <P extends { password?: string }, R>(act: (params: Omit<P, 'password'>) => Promise<R>) =>
    async ({ password, ...params }: P): Promise<R> => {
      await safety.assertPassword(password)
      return act(params)
    }

  const transactions = createTransactionsUi(parts)
  const allowances = createAllowancesUi(parts)

  const methods: Omit<Ui, 'getState'> = {
    ...createVaultUi(parts),
    ...createPasskeysUi(parts),
    ...createAccountsUi(parts),
    ...createSecretsUi(parts),
    ...createImportUi(parts),
    ...createOtherWalletsUi(parts),
    ...createBackupUi(parts),
    ...createContactsUi(parts),
    ...allowances,
    ...createNetworksUi(parts),
    ...createNoticesUi(parts),
    ...createInterfacesUi(parts),
    ...createDescriptorsUi(parts),
    ...createTokensUi(parts),
    ...createOverviewUi(parts),
    ...createValuesUi(parts),
    ...createCollectiblesUi(parts),
    ...createRequestsUi(parts),
    ...createSitesUi(parts),
    ...createSessionsUi(parts),
    ...transactions,
    sendOwn: behindPassword(transactions.sendOwn),
    speedUp: behindPassword(transactions.speedUp),
    cancelTransaction: behindPassword(transactions.cancelTransaction),
    removeDelegation: behindPassword(transactions.removeDelegation),
    revokeAllowance: behindPassword(allowances.revokeAllowance),
    getVersion: async () => parts.version,
    getDraft: async ({ form }) => {
      if ((await vault.phase()) !== 'unlocked') throw rpcError('unauthorized', 'locked')
      return drafts.get(form)
    },
    keepDraft: async ({ form, draft }) => {
      await drafts.keep(form, draft)
      return null
    },
    cancelTask: async () => {
      tasks.cancel()
      return null
    },
    selectNetwork: async ({ chainId }) => {
      if ((await networks.selected()).chainId === chainId) return null
      await networks.select(chainId)
      announce({ event: 'chainChanged', except: await networks.sitesApart(), data: encodeQuantity(chainId) })
      return null
    },
    getBalance: async ({ address, chainId }) => {
      const account = toAddress(address)
      const wei = encodeQuantity(
        await askQuantity(chain, await networks.get(chainId), 'eth_getBalance', [account, 'latest']),
      )
      await kept.note({ chainId, account }, { wei, at: now() }).catch(report)
      return wei
    },
    getKept: ({ address, chainId }) => kept.of({ chainId, account: toAddress(address) }),
  }
  // `getState` is not wrapped in `withState`: it reads the pages' state, so it cannot wait for the pages to have it.
  return { ...withState(methods, parts.after), getState: () => readUiState(parts) }
}
