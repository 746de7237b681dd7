/** What a method of the provider is: either it answers at once, or it asks the person and acts on the decision. */
import { rpcError } from '@heliograph/shared/errors'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import type { TransactionEdit } from '../messages.ts'
import type { Assets } from './assets.ts'
import type { Chain } from './chain.ts'
import type { Filters } from './filters.ts'
import type { Interfaces } from './interfaces.ts'
import { findSigner, withKeyOf } from './keys/keyring.ts'
import type { Vault } from './keys/vault.ts'
import type { Networks } from './networks.ts'
import type { RegistrableDomain } from './registrable-domain.ts'
import type { Draft, Requests, WalletRequest } from './requests.ts'
import type { Safety } from './safety.ts'
import type { SiteEvent, Sites } from './sites.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { ActivityStore } from './transactions/activity.ts'
import type { Bundles } from './transactions/bundles.ts'
import type { Restarts } from './transactions/restarts.ts'
import type { SeenPrices } from './transactions/seen-prices.ts'
import type { Turns } from './turns.ts'

/** What a method works with: the site that asks, its network, and the parts of the wallet. */
export type Context = {
  origin: string
  /** The page that asks, by which it can be told of events; null where it cannot. */
  page: string | null
  network: Network
  networks: Networks
  chain: Chain
  vault: Vault
  sites: Sites
  assets: Assets
  interfaces: Interfaces
  bundles: Bundles
  activity: ActivityStore
  restarts: Restarts
  seenPrices: SeenPrices
  filters: Filters
  subscriptions: Subscriptions
  requests: Requests
  /** Signing that takes a nonce goes one at a time, so that no two take the same. */
  sendInTurn: Turns
  announce(event: SiteEvent): void
  /** Takes back what a site was given, with the requests of it that wait. */
  disconnect(origin: string): Promise<void>
  safety: Safety
  /** Which part of a host its owner registered. */
  registrableDomain(): Promise<RegistrableDomain>
  now(): number
  /** The wallet's own version. */
  version: string
}

export type Answering = {
  /** Set where a request reaches the network's node before the person has agreed to anything. */
  readsNode?: true
  answer(context: Context, params: unknown): Promise<unknown>
}

export type Asking = Pick<Answering, 'readsNode'> & {
  /** Decodes, validates and reviews; nothing is signed. An `answer` ends the matter without asking. */
  prepare(context: Context, params: unknown): Promise<Draft | { answer: unknown }>
  /** The request anew, with what the person settled of it before deciding. */
  edit?(context: Context, request: WalletRequest, edit: TransactionEdit): Promise<Draft>
  /** The answer to a request of this key that was carried out before, as the disk has it; undefined where there is none. */
  recall?(context: Context, key: string): Promise<{ answer: unknown } | undefined>
  /** Carries out an approved request. After a stopped worker it runs again, with `request.signed` as it was kept. */
  act(context: Context, request: WalletRequest): Promise<unknown>
}

export type Method = Answering | Asking

/** The account as the site was given it, to sign with. Throws 4100 when the site has none, or not this one, or it is watch-only. */
export const requireAccount = async (
  { origin, sites, vault }: Pick<Context, 'origin' | 'sites' | 'vault'>,
  address: Address | null,
): Promise<Address> => {
  const site = await sites.get(origin)
  if (!site || address === null)
    throw rpcError('unauthorized', 'This site is not connected: ask for eth_requestAccounts first')
  const account = site.accounts.find(candidate => sameAddress(candidate, address))
  if (!account) throw rpcError('unauthorized', `This site was not given the account ${address}`)
  // While the wallet is locked, nobody can tell: what waits is judged again once it is unlocked.
  const secrets = await vault.peek()
  if (secrets) findSigner(secrets, account)
  return account
}

/** The account that the site knows as its main one; null where it is not connected. */
export const mainAccount = async ({ origin, sites }: Pick<Context, 'origin' | 'sites'>): Promise<Address | null> =>
  (await sites.get(origin))?.accounts[0] ?? null

/** The account of a request that names one. */
export const accountOf = ({ account }: Pick<WalletRequest, 'account'>): Address => {
  if (account === null) throw new Error('the request names no account')
  return account
}

/** Signs with the key of the account that a request names. The key is wiped afterwards. */
export const signWith = async <T>(
  { vault }: Pick<Context, 'vault'>,
  request: Pick<WalletRequest, 'account'>,
  sign: (key: Uint8Array) => T,
): Promise<T> => withKeyOf(await vault.read(), accountOf(request), sign)
