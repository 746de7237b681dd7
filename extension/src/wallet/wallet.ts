/**
 * The wallet core: takes the requests of sites, has the person decide them and carries them out.
 * It imports nothing of a browser. What it needs from outside is passed in, so it runs headless in Node as it is.
 */
import { rpcError } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import type { TransactionEdit, UiState } from '../messages.ts'
import { APPROVED, createApprovals, REJECTED, REVOKED } from './approvals.ts'
import { createAssets } from './assets.ts'
import { type ApprovalWindow, createAttention } from './attention.ts'
import { type Chain, chainUntil, createChain, isUnreachable } from './chain.ts'
import { createCompleting } from './completing.ts'
import { createContacts } from './contacts.ts'
import { createDrafts } from './drafts.ts'
import { report, toRpcError } from './failures.ts'
import { createFilters } from './filters.ts'
import { createFound } from './holdings/found.ts'
import { createKept } from './holdings/kept.ts'
import { createIntake, type SiteRequest } from './intake.ts'
import { createInterfaces } from './interfaces.ts'
import { createAutoLock } from './keys/auto-lock.ts'
import { accountsOf } from './keys/keyring.ts'
import { KEYSTORE_COST, type ScryptCost } from './keys/keystore.ts'
import type { CommonPasswords } from './keys/password.ts'
import type { WordLists } from './keys/phrase.ts'
import type { Sealing } from './keys/sealed-cell.ts'
import { createTrustedStore } from './keys/trusted-store.ts'
import { createVault } from './keys/vault.ts'
import type { KdfCost } from './keys/vault-file.ts'
import { type Context, requireAccount } from './method.ts'
import { findMethod } from './methods/index.ts'
import { createNetworks } from './networks.ts'
import { createNodeReads } from './node-reads.ts'
import { createReadRate } from './read-rate.ts'
import { loadRegistrableDomain, type PublicSuffixes } from './registrable-domain.ts'
import { eraseAll, REMOVING, registered } from './registry.ts'
import { createRejections } from './rejections.ts'
import { assertRevision, ChangedSince, createRequests, isDecided, keyOf, type WalletRequest } from './requests.ts'
import { unreachable } from './review/transaction.ts'
import { createSafety } from './safety.ts'
import { withSessionChains, withSessions } from './session/as-site.ts'
import { createSessions, isRemotePage } from './session/engine.ts'
import { proposalKey } from './session/pairing.ts'
import type { Sockets } from './session/relay-client.ts'
import { createSiteChoices, type SiteChoice } from './site-choices.ts'
import { createSites, type SiteEvent } from './sites.ts'
import { createCell, remembering, type Stores } from './store.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createTasks } from './tasks.ts'
import { createTending, type Tend } from './tending.ts'
import { createActivity } from './transactions/activity.ts'
import { createBundles } from './transactions/bundles.ts'
import { createRestarts } from './transactions/restarts.ts'
import { createSeenPrices } from './transactions/seen-prices.ts'
import { createWatching } from './transactions/watching.ts'
import { createTurns } from './turns.ts'
import { createUi } from './ui.ts'
import type { Ui } from './ui-parts.ts'
import { createOpening, type Deferred, deferredOf } from './verified.ts'

export type WalletParts = {
  store: Stores
  /** The networks of a fresh wallet; the first is selected. */
  networks: readonly Network[]
  chain?: Chain
  approvals: ApprovalWindow
  clock: { now(): number }
  /** The words of BIP-39, which are too much to carry along. */
  wordLists: WordLists
  /** The passwords that are refused, which are as many. */
  commonPasswords: CommonPasswords
  /** The Public Suffix List. */
  publicSuffixes: PublicSuffixes
  /** The sockets to relays. */
  sockets: Sockets
  /** The relays of a fresh wallet; the first is taken where nothing else is said. */
  relays?: readonly string[]
  /** Has `ui.lock` called at this time, ms since 1970, and no longer at the time that was named before; null: never. */
  lockAt(time: number | null): void
  /** The wallet's own version. */
  version: string
  /** What opening a new vault costs, and a keystore. */
  kdfCost?: KdfCost
  keystoreCost?: ScryptCost
  /** Whether a page that asked is still there. */
  isThere?(page: string): Promise<boolean>
  /** The origin of the site in front of the person; null where there is none. */
  activeSite?(): Promise<string | null>
  /** Called with all that the person chose for sites, after one has changed. */
  onChoices?(choices: readonly SiteChoice[]): void
  onState?(state: UiState): void
  onSiteEvent?(event: SiteEvent): void
  /** Called when there is something new to look after: `tend` should be called soon, and as often as it says. */
  onTending?(): void
}

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
  /** The person opened the wallet: requests may take the focus again. */
  opened(): Promise<void>
  /** The browser is back from sleep, or has a network again: relays that were lost are tried at once. */
  wake(): void
  tend: Tend
  ui: Ui
}

export const createWallet = (parts: WalletParts): Wallet => {
  const { clock, version, onState = () => {}, onSiteEvent = () => {}, onTending = () => {} } = parts
  const { isThere = async () => true, activeSite = async () => null, onChoices = () => {} } = parts
  // All but the vault, which looks at its file and its key each time: what is wrong with them shows at once.
  const stores = registered(parts.store)
  const vault = createVault(stores, parts.commonPasswords, parts.kdfCost)
  const trusted = createTrustedStore(stores, vault)
  const store: Stores = { local: remembering(stores.local), session: remembering(stores.session) }
  const sealing: Sealing = { store: store.local, vault, reset: trusted.reset }
  const chain = parts.chain ?? createChain()
  const sites = withSessions(createSites(trusted), () => sessions)
  const networks = withSessionChains(createNetworks(trusted, parts.networks), () => sessions)
  const assets = createAssets(trusted)
  const contacts = createContacts(sealing)
  const interfaces = createInterfaces(trusted)
  const found = createFound(sealing)
  const kept = createKept(sealing)
  const bundles = createBundles(trusted)
  const publishSoon = () => void publish().catch(report)
  const activity = createActivity(trusted, publishSoon, onTending)
  const restarts = createRestarts({ store: trusted, chain, activity, onChange: publishSoon })
  const seenPrices = createSeenPrices(trusted, clock.now)
  const choices = createSiteChoices(trusted)
  const nodeReads = createNodeReads({ sites, choices, rate: createReadRate() })
  const requests = createRequests(store.session)
  const selectedAccount = createCell<string | null>(trusted, 'account', null)
  const sessions = createSessions({
    sealing,
    sockets: parts.sockets,
    relays: parts.relays ?? [],
    now: clock.now,
    request: (origin, asked) => request(origin, asked),
    abandon: (origin, ids) => abandon(origin, ids),
    isDecided: async (origin, id) => {
      const key = keyOf(origin, id)
      const kept = await requests.get(key)
      return kept ? isDecided(kept) : (await activity.ofKey(key)).some(({ status }) => status !== 'dropped')
    },
    networks: networks.list,
    selectedNetwork: networks.selected,
    holdings: async () => ({
      accounts: accountsOf((await vault.peek()) ?? { version: 2, phrases: [], accounts: [] }).map(
        ({ address }) => address,
      ),
      selected: await selectedAccount.read(),
      chainIds: (await networks.list()).map(({ chainId }) => chainId),
    }),
    onChange: publishSoon,
    onAwake: onTending,
  })
  const isWaiting = (page: string) => (isRemotePage(page) ? sessions.isWaiting(page) : isThere(page))
  const announce = (event: SiteEvent) => {
    if ('except' in event) sessions.moved(Number(event.data)).catch(report)
    onSiteEvent(event)
  }
  const filters = createFilters(store.session)
  const subscriptions = createSubscriptions({
    session: store.session,
    chain,
    networks,
    announce: onSiteEvent,
    isThere,
    isConnected: async origin => (await sites.get(origin)) !== undefined,
    mayRead: nodeReads.mayRead,
    onAdded: onTending,
  })
  const rejections = createRejections(store.session, clock.now, publishSoon)
  const sendInTurn = createTurns()
  const watching = createWatching({ activity, restarts, networks, chain, sendInTurn, now: clock.now })

  const safety = createSafety(trusted, vault)
  const registrableDomain = loadRegistrableDomain(parts.publicSuffixes)

  const contextOf = (origin: string, page: string | null, network: Network): Context => ({
    origin,
    page,
    network,
    networks,
    chain,
    vault,
    sites,
    assets,
    interfaces,
    bundles,
    activity,
    restarts,
    seenPrices,
    filters,
    subscriptions,
    requests,
    sendInTurn,
    announce,
    disconnect,
    safety,
    registrableDomain,
    now: clock.now,
    version,
  })

  const attention = createAttention({
    window: parts.approvals,
    session: store.session,
    hasRequests: async () => (await requests.open()).length > 0,
    proposals: async () => (await sessions.read())?.proposals.map(proposalKey) ?? [],
    shown: createCell<readonly string[]>(store.session, 'shown-proposals', []),
    now: clock.now,
  })

  /** Reviews a request that came before the settings were known. Throws ChangedSince with what the person must decide. */
  const review = async ({ key, origin, page, method: name }: WalletRequest, { params, chainId }: Deferred) => {
    const network = chainId === undefined ? await networks.of(origin) : await networks.get(chainId)
    const method = findMethod(name, network.prefixes)
    if (!method || !('act' in method)) throw rpcError('methodNotFound')
    const preparing = () => method.prepare(contextOf(origin, page, network), params)
    const isWanted = () => approvals.isWanted(key)
    const draft = await (method.readsNode ? nodeReads.read(origin, network, isWanted, preparing) : preparing())
    if ('answer' in draft) return draft.answer
    throw new ChangedSince({ chainId: network.chainId, ...draft })
  }

  const approvals = createApprovals({
    ...attention,
    requests,
    carryOut: async request => {
      const deferred = deferredOf(request)
      if (deferred) return review(request, deferred)
      const network = await networks.get(request.chainId)
      const method = findMethod(request.method, network.prefixes)
      if (!method || !('act' in method)) throw rpcError('methodNotFound')
      const result = await method.act(contextOf(request.origin, request.page, network), request)
      // What was done may show in the wallet's pages; whether they can be told changes nothing of it.
      publishSoon()
      return result
    },
    onChange: () => publish(),
  })

  /** Reviews an open request anew with what the person settled. Throws -32602 for one that is decided or has nothing to settle. */
  const reviewAnew = async (key: string, edit: TransactionEdit, signal: AbortSignal) => {
    const request = (await requests.open()).find(open => open.key === key)
    const network = request && (await networks.get(request.chainId))
    const method = network && findMethod(request.method, network.prefixes)
    if (!method || !('act' in method) || !method.edit)
      throw rpcError('invalidParams', 'There is no open request of this id with anything to settle')
    const context = { ...contextOf(request.origin, request.page, network), chain: chainUntil(chain, signal) }
    const draft = await method.edit(context, request, edit)
    // What another edit settled meanwhile would be lost.
    const revised = await requests.revise(key, current => {
      assertRevision(current, request.revision)
      return draft
    })
    if (!revised) throw rpcError('invalidParams', 'The request is decided already')
  }

  const editRequest = (key: string, edit: TransactionEdit) =>
    completing.run(key, signal => reviewAnew(key, edit, signal))

  const completing = createCompleting({
    open: async () => ((await vault.phase()) === 'unlocked' ? requests.open() : []),
    review: async key => {
      await editRequest(key, {})
      await publish()
    },
    giveUp: async (key, error) => {
      if (!isUnreachable(error)) {
        await approvals.decide(key, { ...REJECTED, reason: toRpcError(error).toJSON() })
        return
      }
      const request = (await requests.open()).find(open => open.key === key)
      const network = request && (await networks.get(request.chainId))
      if (!network) return
      await requests.revise(key, current => ({
        ...current,
        findings: current.findings.map(found => (found.name === 'waitingForNode' ? unreachable(network) : found)),
      }))
      await publish()
    },
  })

  const disconnect = async (origin: string) => {
    if (!(await sites.disconnect(origin))) return
    onSiteEvent({ origin, event: 'accountsChanged', data: [] })
    const needless = (await requests.open()).filter(request => request.origin === origin && request.account !== null)
    await Promise.all(needless.map(({ key }) => approvals.withdraw(key, REVOKED)))
    await publish()
  }

  /** Judges again what waits: the password answers some of it, and some can no longer be, or never could. */
  const settle = async (request: WalletRequest) => {
    const { key, origin, effect, account } = request
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
    await sessions.reconcile().catch(report)
    await attention.onProposals().catch(report)
    const state = await ui.getState(null)
    onState(state)
    if (state.waiting.length > 0) onTending()
    completing.look().catch(report)
  }

  const autoLock = createAutoLock({ settings: trusted, session: store.session, now: clock.now, lockAt: parts.lockAt })
  const erase = async () => {
    await trusted.forget(() => eraseAll(store))
    autoLock.stop()
    onChoices([])
  }
  const opening = createOpening({
    isOpen: trusted.isOpen,
    networks,
    choices,
    announce: onSiteEvent,
    onChoices,
    used: () => autoLock.used(),
  })
  const tasks = createTasks(publishSoon)
  const ui = createUi({
    vault,
    sites,
    networks,
    assets,
    contacts,
    interfaces,
    found,
    kept,
    choices,
    requests,
    activity,
    restarts,
    seenPrices,
    watching,
    sendInTurn,
    editRequest,
    selectedAccount,
    reset: createCell<readonly string[]>(trusted, 'reset', []),
    opening,
    erase,
    forgetSettings: () => trusted.forget(),
    drafts: createDrafts(store.session, vault),
    autoLock,
    safety,
    registrableDomain,
    tasks,
    sessions,
    openSocket: parts.sockets.open,
    approvals,
    rejections,
    open: attention.open,
    acted: attention.acted,
    chain,
    wordLists: parts.wordLists,
    commonPasswords: parts.commonPasswords,
    keystoreCost: parts.keystoreCost ?? KEYSTORE_COST,
    now: clock.now,
    version,
    announce,
    disconnect,
    activeSite,
    onChoices,
    publish,
  })

  /** An alarm may come late, or be lost: the time counts. */
  const lockIfOverdue = async () => {
    if (await autoLock.isOverdue()) await ui.lock(null)
  }

  const tend = createTending({
    requests,
    approvals,
    subscriptions,
    watching,
    isThere: isWaiting,
    tendSessions: sessions.tend,
    now: clock.now,
  })

  const request = createIntake({
    vault,
    networks,
    sites,
    rejections,
    approvals,
    nodeReads,
    isVerified: trusted.isOpen,
    setUp: attention.setUp,
    contextOf,
    now: clock.now,
  })
  const abandon: Wallet['abandon'] = async (origin, ids) => {
    await approvals.abandon(ids.map(id => keyOf(origin, id)))
  }

  return {
    request,
    abandon,
    resume: async () => {
      if (await store.session.get(REMOVING)) await erase()
      await lockIfOverdue()
      await approvals.resume()
      completing.look().catch(report)
      await sessions.reconcile()
    },
    wake: sessions.wake,
    used: async () => {
      await lockIfOverdue()
      await autoLock.used()
    },
    opened: attention.acted,
    tend,
    ui,
  }
}
