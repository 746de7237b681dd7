/** What a method of the provider is: either it answers at once, or it asks the person and acts on the decision. */
import { rpcError } from '@heliograph/shared/errors'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import type { Chain } from './chain.ts'
import { findSigner, withKeyOf } from './keyring.ts'
import type { Draft, Requests, WalletRequest } from './requests.ts'
import type { SiteEvent, Sites } from './sites.ts'
import type { Turns } from './turns.ts'
import type { Vault } from './vault.ts'

/** What a method works with: the site that asks, its network, and the parts of the wallet. */
export type Context = {
  origin: string
  network: Network
  chain: Chain
  vault: Vault
  sites: Sites
  requests: Requests
  /** Signing that takes a nonce goes one at a time, so that no two take the same. */
  sendInTurn: Turns
  announce(event: SiteEvent): void
  now(): number
}

export type Answering = { answer(context: Context, params: unknown): Promise<unknown> }

export type Asking = {
  /** Decodes, validates and reviews; nothing is signed. An `answer` ends the matter without asking. */
  prepare(context: Context, params: unknown): Promise<Draft | { answer: unknown }>
  /** Carries out an approved request. After a stopped worker it runs again, with `request.signed` as it was kept. */
  act(context: Context, request: WalletRequest): Promise<unknown>
}

export type Method = Answering | Asking

/** The account as the site was given it, to sign with. Throws 4100 when the site may not use it, or it is watch-only. */
export const requireAccount = async (
  { origin, sites, vault }: Pick<Context, 'origin' | 'sites' | 'vault'>,
  address: Address,
): Promise<Address> => {
  const site = await sites.get(origin)
  if (!site) throw rpcError('unauthorized', 'This site is not connected: ask for eth_requestAccounts first')
  const account = site.accounts.find(candidate => sameAddress(candidate, address))
  if (!account) throw rpcError('unauthorized', `This site was not given the account ${address}`)
  // While the wallet is locked, nobody can tell: what waits is judged again once it is unlocked.
  const secrets = await vault.peek()
  if (secrets) findSigner(secrets, account)
  return account
}

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
