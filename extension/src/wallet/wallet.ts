/**
 * The wallet core: accepts requests of sites, asks the user and carries out approved ones.
 * It has no browser dependencies; everything external is passed in, so it also runs in Node.
 */
import type { Network } from '@heliograph/shared/network'
import { createOpening } from './intake/first-unlock.ts'
import { createIntake } from './intake/intake.ts'
import { createNodeReads } from './intake/node-reads.ts'
import { createRequestWork } from './intake/request-work.ts'
import { createAutoLock } from './keys/auto-lock.ts'
import { KEYSTORE_COST } from './keys/keystore.ts'
import type { Sealing } from './keys/sealed-cell.ts'
import { createTrustedStore } from './keys/trusted-store.ts'
import { createVault } from './keys/vault.ts'
import { createChain } from './networks/node.ts'
import { createReadRate } from './networks/read-rate.ts'
import { createDrafts } from './pages/drafts.ts'
import { createUi } from './pages/pages.ts'
import { createRecords } from './records.ts'
import { createApprovals, REVOKED } from './requests/approvals.ts'
import { createAttention, type WaitingProposal } from './requests/attention.ts'
import type { Context } from './requests/context.ts'
import { createInProgress } from './requests/in-progress.ts'
import { createRejections } from './requests/rejections.ts'
import { keyOf } from './requests/requests.ts'
import { isRemotePage } from './session/engine.ts'
import { proposalKey } from './session/pairing.ts'
import { loadRegistrableDomain } from './sites/registrable-domain.ts'
import type { SiteEvent } from './sites/sites.ts'
import { createSubscriptions } from './sites/subscriptions.ts'
import { eraseAll, REMOVING, registered } from './storage/registry.ts'
import { createCell, remembering, type Stores } from './storage/store.ts'
import { createTending } from './tending.ts'
import { createWatching } from './transactions/watching.ts'
import type { Wallet, WalletParts } from './wallet-parts.ts'
import { createWalletSessions } from './wallet-sessions.ts'
import { report } from './work/failures.ts'
import { createSerialQueue } from './work/serial-queue.ts'
import { createTasks } from './work/tasks.ts'

export const createWallet = (parts: WalletParts): Wallet => {
  const { clock, version, onState = () => {}, onSiteEvent = () => {}, onTending = () => {} } = parts
  const { isThere = async () => true, activeSite = async () => null, onChoices = () => {} } = parts
  // Not cached for the vault, which reads its file and key each time, so that damage is noticed at once.
  const stores = registered(parts.store)
  const vault = createVault(stores, parts.commonPasswords, parts.kdfCost)
  const trusted = createTrustedStore(stores, vault)
  const store: Stores = { local: remembering(stores.local), session: remembering(stores.session) }
  const sealing: Sealing = { store: store.local, vault, reset: trusted.reset }
  const chain = parts.chain ?? createChain()
  const publishSoon = () => void publish().catch(report)
  const records = createRecords({
    trusted,
    sealing,
    session: store.session,
    vault,
    chain,
    networks: parts.networks,
    sessions: () => sessions,
    now: clock.now,
    onChange: publishSoon,
    onTending,
  })
  const { sites, networks, activity, chainResets, choices, requests } = records
  const nodeReads = createNodeReads({ sites, choices, rate: createReadRate() })
  const sessions = createWalletSessions({
    vault,
    records,
    sealing,
    sockets: parts.sockets,
    relays: parts.relays ?? [],
    now: clock.now,
    request: (origin, asked) => request(origin, asked),
    abandon: (origin, id) => abandon(origin, [id]),
    expireRequest: (origin, id) => approvals.expire(keyOf(origin, id)),
    onChange: publishSoon,
    onAwake: onTending,
  })
  const isWaiting = (page: string) => (isRemotePage(page) ? sessions.isWaiting(page) : isThere(page))
  const announce = (event: SiteEvent) => {
    if ('except' in event) sessions.moved(Number(event.data)).catch(report)
    onSiteEvent(event)
  }
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
  const sendInTurn = createSerialQueue()
  const watching = createWatching({ activity, chainResets, networks, chain, sendInTurn, now: clock.now })
  const registrableDomain = loadRegistrableDomain(parts.publicSuffixes)

  const contextOf = (origin: string, page: string | null, network: Network): Context => ({
    origin,
    page,
    network,
    ...records,
    chain,
    vault,
    subscriptions,
    sendInTurn,
    announce,
    disconnect,
    registrableDomain,
    listedNetworks: parts.listedNetworks,
    now: clock.now,
    version,
  })

  const attention = createAttention({
    window: parts.approvals,
    session: store.session,
    hasRequests: async () => (await requests.open()).length > 0,
    proposals: async () =>
      (await sessions.read())?.proposals.map(one => ({ id: proposalKey(one), expiresAt: one.expiresAt })) ?? [],
    shown: createCell<readonly WaitingProposal[]>(store.session, 'shown-proposals', []),
    now: clock.now,
  })

  const inProgress = createInProgress()
  const work = createRequestWork({
    records,
    vault,
    chain,
    nodeReads,
    contextOf,
    inProgress,
    decide: (key, decision) => approvals.decide(key, decision),
    publish: () => publish(),
  })
  const approvals = createApprovals({
    ...attention,
    requests,
    inProgress,
    carryOut: work.carryOut,
    onChange: () => publish(),
  })

  const disconnect = async (origin: string) => {
    if (!(await sites.disconnect(origin))) return
    onSiteEvent({ origin, event: 'accountsChanged', data: [] })
    const needless = (await requests.open()).filter(request => request.origin === origin && request.account !== null)
    await Promise.all(needless.map(({ key }) => approvals.withdraw(key, REVOKED)))
    await publish()
  }

  const publish = async () => {
    await work.settleUnlocked()
    await sessions.reconcile().catch(report)
    await attention.onProposals().catch(report)
    const state = await ui.getState(null)
    onState(state)
    if (state.waiting.length > 0) onTending()
    work.lookForWaiting().catch(report)
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
    ...records,
    watching,
    sendInTurn,
    editRequest: work.edit,
    reset: createCell<readonly string[]>(trusted, 'reset', []),
    opening,
    erase,
    forgetSettings: () => trusted.forget(),
    drafts: createDrafts(store.session, vault),
    autoLock,
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

  /** Locks by time, because an alarm may be late or lost. */
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
    inProgress,
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
      work.lookForWaiting().catch(report)
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
