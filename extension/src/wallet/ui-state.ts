/** The state that the wallet's own pages draw, put together from the parts of the wallet. */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import type { AccountView, NetworkView, RequestView, UiState, WaitingView } from '../messages.ts'
import { type Account, accountsOf } from './keyring.ts'
import type { Networks } from './networks.ts'
import type { Requests, WalletRequest } from './requests.ts'
import type { Sites } from './sites.ts'
import type { Cell } from './store.ts'
import type { Vault } from './vault.ts'

export type UiStateParts = {
  vault: Vault
  sites: Sites
  networks: Networks
  requests: Requests
  /** The address of the account that the person chose last. */
  selectedAccount: Cell<string | null>
}

export const accountView = ({ address, name }: Account): AccountView => ({ address, name })

const networkView = ({ chainId, title, currency, testnet = false, rpcUrl }: Network): NetworkView => ({
  chainId,
  title,
  symbol: currency.symbol,
  decimals: currency.decimals,
  testnet,
  rpcUrl: rpcUrl ?? null,
})

/** The chosen account, or the first. */
const selectedOf = (accounts: readonly Account[], chosen: string | null) =>
  (accounts.find(({ address }) => chosen !== null && sameAddress(address, chosen)) ?? accounts[0])?.address ?? null

/** Reads the state. While the wallet is locked it tells who waits, on which network, and nothing else. */
export const readUiState = async (parts: UiStateParts): Promise<UiState> => {
  const phase = await parts.vault.phase()
  const accounts = phase === 'unlocked' ? accountsOf(await parts.vault.read()) : []
  const open = await parts.requests.open()

  const waiting = async ({ key, origin, chainId }: WalletRequest): Promise<WaitingView> => ({
    id: key,
    origin,
    since: (await parts.sites.get(origin))?.since ?? null,
    network: networkView(await parts.networks.get(chainId)),
  })

  const view = async (request: WalletRequest): Promise<RequestView> => {
    const { method, createdAt, effect, findings, account } = request
    const named = accounts.find(({ address }) => account !== null && sameAddress(address, account))
    return {
      ...(await waiting(request)),
      method,
      createdAt,
      account: named ? accountView(named) : null,
      effect: effect.kind === 'connect' ? { kind: 'connect', accounts: accounts.map(accountView) } : effect,
      findings,
    }
  }

  return {
    phase,
    accounts: accounts.map(accountView),
    selected: selectedOf(accounts, await parts.selectedAccount.read()),
    networks: (await parts.networks.list()).map(networkView),
    chainId: (await parts.networks.selected()).chainId,
    requests: phase === 'unlocked' ? await Promise.all(open.map(view)) : [],
    waiting: await Promise.all(open.map(waiting)),
  }
}
