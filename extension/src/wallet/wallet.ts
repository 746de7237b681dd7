/**
 * The wallet core: takes the requests of sites, has the person decide them and carries them out.
 * It imports nothing of a browser. What it needs from outside is passed in, so it runs headless in Node as it is.
 */
import { rpcError } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import type { UiState } from '../messages.ts'
import { APPROVED, type ApprovalsParts, createApprovals, REJECTED } from './approvals.ts'
import { createAutoLock } from './auto-lock.ts'
import { type Chain, createChain } from './chain.ts'
import { report, toRpcError } from './failures.ts'
import { KEYSTORE_COST, type ScryptCost } from './keystore.ts'
import { type Context, requireAccount } from './method.ts'
import { findMethod } from './methods/index.ts'
import { createNetworks } from './networks.ts'
import type { WordLists } from './phrase.ts'
import { createRequests, keyOf, type WalletRequest } from './requests.ts'
import { createSites, type SiteEvent } from './sites.ts'
import { createCell, type Stores } from './store.ts'
import { createTasks } from './tasks.ts'
import { createTurns } from './turns.ts'
import { createUi } from './ui.ts'
import type { Ui } from './ui-parts.ts'
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
  /** The words of BIP-39's other languages, which are too much to carry along. */
  wordLists: WordLists
  /** Has `ui.lock` called at this time, ms since 1970, and no longer at the time that was named before. */
  lockAt(time: number): void
  /** What opening a new vault costs, and a keystore. */
  kdfCost?: KdfCost
  keystoreCost?: ScryptCost
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
  /** Carries out what was decided before the worker was stopped, and locks if that is overdue. */
  resume(): Promise<void>
  /** The person does something: the time until the wallet locks itself begins anew. */
  used(): Promise<void>
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

  /** Judges again what waits: the password answers some of it, and some can no longer be, or never could. */
  const settle = async ({ key, origin, effect, account }: WalletRequest) => {
    if (effect.kind === 'unlock') return approvals.decide(key, APPROVED)
    if (account === null) return
    await requireAccount({ origin, sites, vault }, account).catch(error =>
      approvals.decide(key, { ...REJECTED, reason: toRpcError(error).toJSON() }),
    )
  }

  const settleUnlocked = async () => {
    if ((await vault.phase()) === 'unlocked') await Promise.all((await requests.open()).map(settle))
  }

  const publish = async () => {
    await settleUnlocked()
    onState(await ui.getState(null))
  }

  const selectedAccount = createCell<string | null>(store.local, 'account', null)
  const autoLock = createAutoLock({ store, now: clock.now, lockAt: parts.lockAt })
  const tasks = createTasks(() => void publish().catch(report))
  const ui = createUi({
    vault,
    sites,
    networks,
    requests,
    selectedAccount,
    autoLock,
    tasks,
    approvals,
    show: parts.approvals.show,
    chain,
    wordLists: parts.wordLists,
    keystoreCost: parts.keystoreCost ?? KEYSTORE_COST,
    now: clock.now,
    announce: onSiteEvent,
    publish,
  })

  /** An alarm may come late, or be lost: the time counts. */
  const lockIfOverdue = async () => {
    if (await autoLock.isOverdue()) await ui.lock(null)
  }

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
    resume: async () => {
      await lockIfOverdue()
      await approvals.resume()
    },
    used: async () => {
      await lockIfOverdue()
      await autoLock.used()
    },
    ui,
  }
}
