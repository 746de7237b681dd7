/** What a method of the provider is: either it answers at once, or it asks the person and acts on the decision. */
import { rpcError } from '@heliograph/shared/errors'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import type { Chain } from './chain.ts'
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

/** The account as the site was given it. Throws 4100 when the site may not use it. */
export const requireAccount = async ({ origin, sites }: Context, address: Address): Promise<Address> => {
  const site = await sites.get(origin)
  if (!site) throw rpcError('unauthorized', 'This site is not connected: ask for eth_requestAccounts first')
  const account = site.accounts.find(candidate => sameAddress(candidate, address))
  if (!account) throw rpcError('unauthorized', `This site was not given the account ${address}`)
  return account
}

/** The account of a request that names one. */
export const accountOf = ({ account }: WalletRequest): Address => {
  if (account === null) throw new Error('the request names no account')
  return account
}
