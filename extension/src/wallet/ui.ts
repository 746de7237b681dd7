/** What the wallet's own pages can do: one handler a method of UiMethods. No site reaches this table. */
import { rpcError } from '@heliograph/shared/errors'
import { toAddress } from '@heliograph/shared/evm/address'
import { fromQuantity } from '@heliograph/shared/evm/hex'
import { REJECTED } from './approvals.ts'
import { askQuantity } from './chain.ts'
import { createAccountsUi } from './ui-accounts.ts'
import type { Ui, UiParts } from './ui-parts.ts'
import { createSecretsUi } from './ui-secrets.ts'
import { readUiState } from './ui-state.ts'
import { createVaultUi } from './ui-vault.ts'

/** An http or https URL without credentials, in its normal form. Throws -32602. */
const toRpcUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw rpcError('invalidParams', 'An RPC URL begins with http:// or https:// and carries no user name')
  return url.href
}

export const createUi = (parts: UiParts): Ui => {
  const { vault, networks, requests, tasks, approvals, show, chain, announce, publish } = parts

  return {
    ...createVaultUi(parts),
    ...createAccountsUi(parts),
    ...createSecretsUi(parts),
    getState: () => readUiState(parts),
    cancelTask: async () => {
      tasks.cancel()
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
