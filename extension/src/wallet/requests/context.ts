/**
 * The two kinds of provider methods, their context, and the account that they may use and sign with. A method either
 * answers immediately, or asks the user and acts on the decision.
 */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import type { TransactionEdit } from '../../messages.ts'
import type { ActivityStore } from '../activity/activity.ts'
import type { Bundles } from '../activity/bundles.ts'
import type { ChainResets } from '../activity/chain-resets.ts'
import type { Descriptors } from '../descriptors/descriptors.ts'
import type { SeenPrices } from '../fees/seen-prices.ts'
import { findSigner, withKeyOf } from '../keys/keyring.ts'
import type { Safety } from '../keys/safety.ts'
import type { Vault } from '../keys/vault.ts'
import type { KnownContracts } from '../networks/known-contracts.ts'
import type { ListedNetworks, Networks } from '../networks/networks.ts'
import type { Chain } from '../networks/node.ts'
import type { Interfaces } from '../review/interfaces.ts'
import type { Filters } from '../sites/filters.ts'
import type { RegistrableDomain } from '../sites/registrable-domain.ts'
import type { Grants, Requester, SiteEvent, Sites } from '../sites/sites.ts'
import type { Subscriptions } from '../sites/subscriptions.ts'
import { rpcError } from '../text/errors.ts'
import type { Assets } from '../tokens/assets.ts'
import type { SerialQueue } from '../work/turns.ts'
import type { Draft, Requests, WalletRequest } from './store.ts'

/** Context of a method call: the site, its network, and parts of the wallet. */
export type Context = {
  requester: Requester
  /** The requester's name in stores. */
  origin: string
  /** The requesting page, which receives events. Null if it cannot be identified. */
  page: string | null
  network: Network
  networks: Networks
  chain: Chain
  vault: Vault
  sites: Sites
  grants: Grants
  assets: Assets
  interfaces: Interfaces
  descriptors: Descriptors
  bundles: Bundles
  activity: ActivityStore
  chainResets: ChainResets
  seenPrices: SeenPrices
  filters: Filters
  subscriptions: Subscriptions
  requests: Requests
  /** Serializes signing with a nonce, so no two transactions get the same nonce. */
  sendInTurn: SerialQueue
  announce(event: SiteEvent): void
  /** Revokes the requester's access, and rejects its pending requests. */
  disconnect(requester: Requester): Promise<void>
  safety: Safety
  /** Returns a function that computes a host's registrable domain. */
  registrableDomain(): Promise<RegistrableDomain>
  /** The catalogue of networks. */
  listedNetworks: ListedNetworks
  /** The catalogue of contracts. */
  knownContracts: KnownContracts
  now(): number
  /** The wallet's version. */
  version: string
}

export type Answering = {
  /**
   * Returns the network whose node the method queries. Set for methods that query a node even for sites that are not
   * connected. The context of `answer` and `prepare` then has this network.
   */
  readsNodeOf?(context: Context, params: unknown): Promise<Network>
  answer(context: Context, params: unknown): Promise<unknown>
}

export type Asking = Pick<Answering, 'readsNodeOf'> & {
  /**
   * Decodes, validates and reviews the request without signing. With `answer`, the request completes without asking the
   * user.
   */
  prepare(context: Context, params: unknown): Promise<Draft | { answer: unknown }>
  /** Prepares the request again with the user's changes. */
  edit?(context: Context, request: WalletRequest, edit: TransactionEdit): Promise<Draft>
  /** Returns the stored answer to an earlier request with this key, or undefined. */
  recall?(context: Context, key: string): Promise<{ answer: unknown } | undefined>
  /**
   * Executes an approved request. If the worker stops, it runs again, and `request.signed` then has the hashes of the
   * transactions that were signed. Throws ChangedSince if the request must be decided again.
   */
  act(context: Context, request: WalletRequest): Promise<unknown>
}

export type Method = Answering | Asking

/** Returns the site's network, for methods that query its node. */
export const siteNetwork = async ({ network }: Context): Promise<Network> => network

/**
 * Returns the site's account for signing. Throws 4100 if the site is not connected or lacks this account, or if the
 * account is watch-only.
 */
export const requireAccount = async (
  { requester, grants, vault }: Pick<Context, 'requester' | 'vault'> & { grants: Pick<Grants, 'siteOf'> },
  address: Address | null,
): Promise<Address> => {
  const site = await grants.siteOf(requester)
  if (!site || address === null) throw rpcError('unauthorized', 'notConnected')
  const account = site.accounts.find(candidate => sameAddress(candidate, address))
  if (!account) throw rpcError('unauthorized', 'accountNotGiven', { address })
  // While the wallet is locked, it is unknown whether the account can sign. Pending requests are checked again after
  // the unlock.
  const secrets = await vault.peek()
  if (secrets) findSigner(secrets, account)
  return account
}

/** Returns the site's first account, or null if it is not connected. */
export const mainAccount = async ({
  requester,
  grants,
}: Pick<Context, 'requester' | 'grants'>): Promise<Address | null> =>
  (await grants.siteOf(requester))?.accounts[0] ?? null

/** Returns the account of a request that has one. */
export const accountOf = ({ account }: Pick<WalletRequest, 'account'>): Address => {
  if (account === null) throw new Error('the request names no account')
  return account
}

/** Signs with the key of the request's account, then wipes the key. */
export const signWith = async <T>(
  { vault }: Pick<Context, 'vault'>,
  request: Pick<WalletRequest, 'account'>,
  sign: (key: Uint8Array) => T,
): Promise<T> => withKeyOf(await vault.read(), accountOf(request), sign)
