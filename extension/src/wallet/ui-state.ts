/** The state that the wallet's own pages draw, put together from the parts of the wallet. */

import { sameAddress } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import type { AccountView, NetworkView, PhraseView, RequestView, UiState, WaitingView } from '../messages.ts'
import type { AutoLock } from './auto-lock.ts'
import { accountsOf } from './keyring.ts'
import type { Networks } from './networks.ts'
import type { Requests, WalletRequest } from './requests.ts'
import type { Account, Phrase } from './secrets.ts'
import type { Sites } from './sites.ts'
import type { Cell } from './store.ts'
import type { Tasks } from './tasks.ts'
import type { Vault } from './vault.ts'

export type UiStateParts = {
  vault: Vault
  sites: Sites
  networks: Networks
  requests: Requests
  /** The address of the account that the person chose last. */
  selectedAccount: Cell<string | null>
  autoLock: AutoLock
  tasks: Tasks
}

export const accountView = ({ address, name, source }: Account): AccountView => ({
  address,
  name,
  kind: source.kind,
  phraseId: source.kind === 'phrase' ? source.phraseId : null,
})

const phraseView = ({ id, phrase, passphrase, path }: Phrase): PhraseView => ({
  id,
  words: phrase.split(' ').length,
  path,
  hasPassphrase: passphrase !== '',
})

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

const closedPhase = async (vault: Vault) => ((await vault.phase()) === 'empty' ? 'empty' : 'locked')

/** Reads the state. While the wallet is locked it tells who waits, on which network, and nothing else. */
export const readUiState = async (parts: UiStateParts): Promise<UiState> => {
  const secrets = await parts.vault.peek()
  const accounts = secrets ? accountsOf(secrets) : []
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
    phase: secrets ? 'unlocked' : await closedPhase(parts.vault),
    accounts: accounts.map(accountView),
    hiddenAccounts: secrets ? secrets.accounts.filter(({ hidden }) => hidden).map(accountView) : [],
    phrases: secrets ? secrets.phrases.map(phraseView) : [],
    selected: selectedOf(accounts, await parts.selectedAccount.read()),
    networks: (await parts.networks.list()).map(networkView),
    chainId: (await parts.networks.selected()).chainId,
    requests: secrets ? await Promise.all(open.map(view)) : [],
    waiting: await Promise.all(open.map(waiting)),
    autoLockMinutes: await parts.autoLock.minutes(),
    task: parts.tasks.current(),
  }
}
