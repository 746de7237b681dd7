/**
 * The wallet core: takes the requests of sites, has the person decide them and carries them out.
 * It imports nothing of a browser. What it needs from outside is passed in, so it runs headless in Node as it is.
 */
import { rpcError } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import type { UiState } from '../messages.ts'
import { APPROVED, type ApprovalsParts, createApprovals } from './approvals.ts'
import { type Chain, createChain } from './chain.ts'
import { toRpcError } from './failures.ts'
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
  /** `show`, `showAgain` and `hide` are those of ApprovalsParts; `setUp` makes a wallet where there is none. */
  approvals: Pick<ApprovalsParts, 'show' | 'showAgain' | 'hide'> & { setUp(): Promise<void> }
  clock: { now(): number }
  /** What opening a new vault costs. */
  kdfCost?: KdfCost
  onState?(state: UiState): void
  onSiteEvent?(event: SiteEvent): void
}

/** Characters of the params of a request as JSON: more than any block takes, less than what chokes the worker. */
export const MAX_PARAMS = 4 << 20
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
    ...parts.approvals,
    requests,
    carryOut: async request => {
      const network = await networks.get(request.chainId)
      const method = findMethod(request.method, network.prefixes)
      if (!method || !('act' in method)) throw rpcError('methodNotFound')
      return method.act(contextOf(request.origin, network), request)
    },
    onChange: () => publish(),
  })

  /** A request that only waits for the password is answered by it, in whatever order the two came. */
  const answerUnlocked = async () => {
    if ((await vault.phase()) !== 'unlocked') return
    const waiting = (await requests.open()).filter(({ effect }) => effect.kind === 'unlock')
    await Promise.all(waiting.map(({ key }) => approvals.decide(key, APPROVED)))
  }

  const publish = async () => {
    await answerUnlocked()
    onState(await ui.getState(null))
  }

  const selectedAccount = createCell<string | null>(store.local, 'account', null)
  const views = { vault, sites, networks, requests, selectedAccount }
  const { show } = parts.approvals
  const ui = createUi({ ...views, approvals, show, chain, announce: onSiteEvent, publish })

  const handle = async (origin: string, { id, method, params }: SiteRequest) => {
    if ((JSON.stringify(params)?.length ?? 0) > MAX_PARAMS)
      throw rpcError('limitExceeded', `params: longer than ${MAX_PARAMS} characters`)
    const network = await networks.selected()
    const found = findMethod(method, network.prefixes)
    const context = contextOf(origin, network)
    if (found && 'answer' in found) return found.answer(context, params)
    const key = keyOf(origin, id)
    // A request that is known is joined, whatever has become of the network since it came.
    return approvals.ask(key, async () => {
      if (!found) throw rpcError('methodNotFound', `The method ${method.slice(0, LONGEST_NAME)} does not exist here`)
      if ((await vault.phase()) === 'empty') {
        await parts.approvals.setUp()
        throw rpcError('unauthorized', 'There is no wallet yet. Set one up, then ask again.')
      }
      const draft = await found.prepare(context, params)
      if ('answer' in draft) return draft
      const arrived = { key, origin, method, chainId: network.chainId, createdAt: clock.now() }
      return { ...draft, ...arrived, decision: null, signed: null } satisfies WalletRequest
    })
  }

  return {
    request: async (origin, request) => {
      try {
        return await handle(origin, request)
      } catch (error) {
        throw toRpcError(error)
      }
    },
    abandon: async (origin, ids) => {
      await Promise.all(ids.map(id => approvals.withdraw(keyOf(origin, id))))
    },
    resume: approvals.resume,
    ui,
  }
}
