/**
 * The wallet core: accepts sites' requests, asks the user, and executes approved requests. It has no browser
 * dependencies; everything external is passed in, so it also runs in Node.
 */
import { createCollectibles } from './collectibles/collectibles.ts'
import { downloadWithin, GATEWAY_TIMEOUT } from './collectibles/download.ts'
import { createFollowing } from './following.ts'
import { KEYSTORE_COST } from './keys/keystore.ts'
import { createAutoLock } from './keys/safety.ts'
import type { Sealing } from './keys/sealed-cell.ts'
import { createTrustedStore } from './keys/trusted-store.ts'
import { createVault } from './keys/vault.ts'
import { KDF_COST } from './keys/vault-file.ts'
import { createNames } from './names/names.ts'
import { createKnownContracts } from './networks/known-contracts.ts'
import { createChain } from './networks/node.ts'
import { createReadRate } from './networks/read-rate.ts'
import { createNotices } from './notices/notices.ts'
import { createDrafts } from './pages/drafts.ts'
import { createOpening } from './pages/opening.ts'
import { createUi } from './pages/pages.ts'
import { createRecords } from './records.ts'
import { createRequestFlow, type SharedContext } from './request-flow.ts'
import { createNodeReads } from './requests/gate.ts'
import { closedPanels, NO_PANELS } from './requests/panels.ts'
import { createIsDecided, keyOf } from './requests/store.ts'
import { createSessions } from './session/engine.ts'
import { createHoldings } from './session/fit.ts'
import { proposalKey } from './session/pairing.ts'
import { createSessionRecords } from './session/session-grants.ts'
import { createSessionStore } from './session/session-store.ts'
import { loadRegistrableDomain } from './sites/registrable-domain.ts'
import { createGrants, type SiteEvent, siteRequester } from './sites/sites.ts'
import { createSubscriptions } from './sites/subscriptions.ts'
import { eraseAll, inFormat, REMOVING, registered, UNOBSERVED } from './storage/registry.ts'
import { createCell, noting, observing, remembering, type Stores } from './storage/store.ts'
import { createTending } from './tending.ts'
import { report } from './text/errors.ts'
import { createListedTokens } from './tokens/listed-tokens.ts'
import { createLooking, NO_LOOKING } from './tokens/looking.ts'
import { createWatching } from './transactions/watching.ts'
import { createPriceFeeds } from './values/feeds.ts'
import { createPrices } from './values/prices.ts'
import type { Wallet, WalletParts } from './wallet-parts.ts'
import { createTasks } from './work/tasks.ts'
import { createFollower, createSerialQueue } from './work/turns.ts'

export const createWallet = (parts: WalletParts): Wallet => {
  const { clock, version, panels = NO_PANELS, onSiteEvent = () => {} } = parts
  const { showNotice = async () => {}, isInFront = async () => true } = parts
  const { isThere = async () => true, activeSite = async () => null, onChoices = async () => {} } = parts
  const inBrowser = registered(parts.store)
  const onDisk = inFormat(inBrowser.local, version)
  const noted = noting(onDisk)
  // The vault's stores are not cached: the vault reads its file and key each time, so that damage is noticed at once.
  const stores = { local: observing(noted, UNOBSERVED), session: observing(inBrowser.session, UNOBSERVED) }
  const vault = createVault(stores, parts.commonPasswords, parts.kdfCost)
  const trusted = createTrustedStore(stores, vault)
  const store: Stores = { local: remembering(stores.local), session: remembering(stores.session) }
  const sealing: Sealing = { store: store.local, vault, trusted }
  const chain = parts.chain ?? createChain()
  const records = createRecords({
    trusted,
    sealing,
    session: store.session,
    vault,
    chain,
    networks: parts.networks,
    now: clock.now,
  })
  const { sites, networks, activity, chainResets, choices, requests } = records
  const notices = createNotices({ isOn: records.notifies, networks, showNotice })
  const sessionStore = createSessionStore({ sealing, session: store.session, relays: parts.relays ?? [] })
  const sessionRecords = createSessionRecords(sessionStore, clock.now)
  const grants = createGrants({ sites, networks, sessions: sessionRecords })
  const nodeReads = createNodeReads({ grants, choices, rate: createReadRate() })
  const announce = (event: SiteEvent) => {
    if ('except' in event) sessionRecords.moved(Number(event.data)).catch(report)
    onSiteEvent(event)
  }
  const subscriptions = createSubscriptions({
    session: store.session,
    chain,
    networks,
    announce: onSiteEvent,
    isThere,
    accountsOf: async origin => (await sites.get(origin))?.accounts,
    mayRead: (origin, network) => nodeReads.mayRead(siteRequester(origin), network),
  })
  const sendInTurn = createSerialQueue()
  const watching = createWatching({
    activity,
    chainResets,
    networks,
    chain,
    sendInTurn,
    onSettled: notices.settled,
    now: clock.now,
  })

  const shared: SharedContext = {
    ...records,
    grants,
    chain,
    vault,
    subscriptions,
    sendInTurn,
    announce,
    registrableDomain: loadRegistrableDomain(parts.publicSuffixes),
    listedNetworks: parts.listedNetworks,
    knownContracts: createKnownContracts(parts.contractList ?? (async () => ({}))),
    now: clock.now,
    version,
  }
  const { desk, disconnect, attention, rejections } = createRequestFlow({
    window: parts.approvalWindow,
    panels,
    isInFront,
    onUnseen: notices.unseen,
    session: store.session,
    shared,
    nodeReads,
    isVerified: trusted.isVerified,
    proposals: async () =>
      (await sessionStore.read())?.proposals.map(one => ({ id: proposalKey(one), expiresAt: one.expiresAt })) ?? [],
    onSiteEvent,
  })
  const sessions = createSessions({
    store: sessionStore,
    requests: {
      request: desk.handle,
      abandon: key => desk.abandon([key]),
      expire: desk.expire,
      isDecided: createIsDecided(records),
    },
    sockets: parts.sockets,
    networks,
    holdings: createHoldings({ vault, ...records }),
    now: clock.now,
  })

  const autoLock = createAutoLock({ settings: trusted, session: store.session, now: clock.now, lockAt: parts.lockAt })
  const erase = async () => {
    await trusted.forget(() => eraseAll(store))
    autoLock.stop()
    await onChoices([])
  }
  const opening = createOpening({
    isVerified: trusted.isVerified,
    networks,
    choices,
    announce: onSiteEvent,
    onChoices,
    used: () => autoLock.used(),
  })
  const tasks = createTasks()
  const listedTokens = createListedTokens(parts.tokenList ?? (async () => ({})))
  const looking = parts.tokenList
    ? createLooking({ ...records, isOn: records.looksByItself, vault, chain, listedTokens, tasks, now: clock.now })
    : NO_LOOKING
  const download = parts.download ?? downloadWithin(GATEWAY_TIMEOUT)
  const follower = createFollower(() => following.follow())
  const ui = createUi({
    ...records,
    ...shared,
    watching,
    names: createNames({
      chain,
      networks,
      readsOffchain: async () => (await records.safety.read()).readsOffchainNames,
      now: clock.now,
    }),
    reset: createCell<readonly string[]>(trusted, 'reset', []),
    unreadable: noted.unreadable,
    opening,
    erase,
    forgetSettings: () => trusted.forget(),
    drafts: createDrafts(store.session, vault),
    autoLock,
    listedNetworks: parts.listedNetworks,
    listedTokens,
    looking,
    tasks,
    download,
    collectibles: createCollectibles(download, parts.drawPicture),
    prices: createPrices({
      chain,
      networks,
      feeds: createPriceFeeds(parts.feedList ?? (async () => ({ networks: {} }))),
      currency: records.currency,
      now: clock.now,
    }),
    sessions,
    peer: sessionRecords.peer,
    openSocket: parts.sockets.open,
    desk,
    rejections,
    showWindow: attention.open,
    acted: attention.acted,
    wordLists: parts.wordLists,
    commonPasswords: parts.commonPasswords,
    kdfCost: parts.kdfCost ?? KDF_COST,
    keystoreCost: parts.keystoreCost ?? KEYSTORE_COST,
    disconnect: origin => disconnect(siteRequester(origin)),
    activeSite,
    onChoices,
    after: follower.after,
  })

  /** Locks if the time has passed, because the alarm may be late or lost. */
  const lockIfOverdue = async () => {
    if (await autoLock.isOverdue()) await ui.lock(null)
  }

  const tending = createTending({
    requests,
    desk,
    subscriptions,
    watching,
    isWaiting: async ({ key, requester, page, panel }) => {
      if (requester.kind === 'session') return sessionRecords.isWaiting(key)
      if (panel !== undefined && !(await panels.isOpen(panel))) return false
      return page === null || isThere(page)
    },
    sessions,
    looking,
    now: clock.now,
  })
  const following = createFollowing({
    desk,
    sessions,
    attention,
    readState: () => ui.getState(null),
    work: tending.work,
  })
  for (const source of [stores.local, stores.session, tasks, sessions, looking]) source.observe(follower.changed)

  return {
    request: (origin, asked) => desk.handle(siteRequester(origin), asked),
    abandon: (origin, ids) => desk.abandon(ids.map(id => keyOf(origin, id))),
    resume: () =>
      follower.after(async () => {
        if (await onDisk.isNewer()) return
        if (await store.session.get(REMOVING)) await erase()
        await lockIfOverdue()
        await desk.resume()
        // The worker may have stopped between a change, such as an unlock, and the work that follows it.
        follower.changed()
      }),
    wake: sessions.wake,
    used: async () => {
      await lockIfOverdue()
      await autoLock.used()
    },
    panelClosed: async () => {
      for (const panel of await closedPanels({ requests, panels })) await ui.rejectAll({ panel })
    },
    opened: attention.acted,
    isActing: async () => tasks.current() !== null || desk.isActing(),
    isAsked: async () => (await requests.open()).length > 0,
    tend: async () => ((await onDisk.isNewer()) ? null : tending.tend()),
    observeState: following.observeState,
    observeWork: following.observeWork,
    ui,
  }
}
