/**
 * The wallet core: takes the requests of sites, has the person decide them and carries them out.
 * It imports nothing of a browser. What it needs from outside is passed in, so it runs headless in Node as it is.
 */
import { rpcError } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import type { UiState } from '../messages.ts'
import { createApprovals, REJECTED } from './approvals.ts'
import { type Chain, createChain } from './chain.ts'
import type { Context } from './method.ts'
import { findMethod } from './methods/index.ts'
import { createNetworks } from './networks.ts'
import { createRequests, keyOf, type WalletRequest } from './requests.ts'
import { createSites, type SiteEvent } from './sites.ts'
import { createCell, type Stores } from './store.ts'
import { createTurns } from './turns.ts'
import { createUi, type Ui } from './ui.ts'
import { createVault } from './vault.ts'
import type { KdfCost } from './vault-file.ts'

export type WalletParts = {
  store: Stores
  /** The networks of a fresh wallet; the first is selected. */
  networks: readonly Network[]
  chain?: Chain
  /** Shows the open requests to the person, takes them away when none is left, and sets up a wallet where there is none. */
  approvals: { show(): Promise<void>; hide(): Promise<void>; setUp(): Promise<void> }
  clock: { now(): number }
  /** What opening a new vault costs. */
  kdfCost?: KdfCost
  onState?(state: UiState): void
  onSiteEvent?(event: SiteEvent): void
}

/** A method name is quoted up to here in an error. */
const LONGEST_NAME = 60

export type SiteRequest = { id: string; method: string; params?: unknown }

export type Wallet = {
  /**
   * A request of a site, as EIP-1193 means it. `id` is the site's own name for it: the same origin and id is the same
   * request, however often it is sent. Resolves with the result; throws RpcError.
   */
  request(origin: string, request: SiteRequest): Promise<unknown>
  /** Rejects those of a site's requests that still wait: the page that sent them is gone. */
  abandon(origin: string, ids: readonly string[]): Promise<void>
  /** Carries out what was decided before the worker was stopped. */
  resume(): Promise<void>
  ui: Ui
}

export const createWallet = (parts: WalletParts): Wallet => {
  const { store, clock, onState = () => {}, onSiteEvent = () => {} } = parts
  const chain = parts.chain ?? createChain()
  const vault = createVault(store, parts.kdfCost)
  const sites = createSites(store.local)
  const networks = createNetworks(store.local, parts.networks)
  const requests = createRequests(store.session)
  const sendInTurn = createTurns()

  const contextOf = (origin: string, network: Network): Context => ({
    origin,
    network,
    chain,
    vault,
    sites,
    requests,
    sendInTurn,
    announce: onSiteEvent,
    now: clock.now,
  })

  const approvals = createApprovals({
    requests,
    show: parts.approvals.show,
    hide: parts.approvals.hide,
    carryOut: async request => {
      const network = await networks.get(request.chainId)
      const method = findMethod(request.method, network.prefixes)
      if (!method || !('act' in method)) throw rpcError('methodNotFound')
      return method.act(contextOf(request.origin, network), request)
    },
    onChange: () => publish(),
  })

  const publish = async () => onState(await ui.getState(null))
  const selectedAccount = createCell<string | null>(store.local, 'account', null)
  const views = { vault, sites, networks, requests, selectedAccount }
  const ui = createUi({ ...views, approvals, chain, announce: onSiteEvent, publish })

  const request = async (origin: string, { id, method, params }: SiteRequest) => {
    const network = await networks.selected()
    const found = findMethod(method, network.prefixes)
    if (!found) throw rpcError('methodNotFound', `The method ${method.slice(0, LONGEST_NAME)} does not exist here`)
    const context = contextOf(origin, network)
    if ('answer' in found) return found.answer(context, params)
    if ((await vault.phase()) === 'empty') {
      await parts.approvals.setUp()
      throw rpcError('unauthorized', 'There is no wallet yet. Set one up, then ask again.')
    }
    const key = keyOf(origin, id)
    return approvals.ask(key, async () => {
      const draft = await found.prepare(context, params)
      if ('answer' in draft) return draft
      const arrived = { key, origin, method, chainId: network.chainId, createdAt: clock.now() }
      return { ...draft, ...arrived, decision: null, signed: null, outcome: null } satisfies WalletRequest
    })
  }

  return {
    request,
    abandon: async (origin, ids) => {
      await Promise.all(ids.map(id => approvals.decide(keyOf(origin, id), REJECTED)))
    },
    resume: approvals.resume,
    ui,
  }
}
