/**
 * The service worker: connects the wallet to storage, ports, windows and alarms. All listeners are added synchronously
 * at the start. The browser delivers the event that woke the worker only to listeners that exist by then.
 */
import './hardening/first.ts'
import { defaultNetworks } from '@heliograph/shared/network'
import { createActionMenu } from './browser/action-menu.ts'
import { activeSite } from './browser/active-site.ts'
import { createAutoLock, createTending } from './browser/alarms.ts'
import { createBadge } from './browser/badge.ts'
import { createClipboard } from './browser/clipboard.ts'
import { drawPicture } from './browser/draw-picture.ts'
import { loadTexts } from './browser/load-texts.ts'
import { createNotifications } from './browser/notifications.ts'
import { createOffscreenDocument } from './browser/offscreen-document.ts'
import { openPanelOnCommand } from './browser/open-panel.ts'
import {
  commonPasswords,
  contractList,
  feedList,
  listedNetworks,
  publicSuffixes,
  tokenList,
  wordLists,
} from './browser/packaged-files.ts'
import { servePages } from './browser/page-ports.ts'
import { createPageScripts } from './browser/page-scripts.ts'
import { createPanels } from './browser/panels.ts'
import { createRelaySockets } from './browser/relay-sockets.ts'
import { browserStores } from './browser/storage.ts'
import { serveUi } from './browser/ui-ports.ts'
import { createUpdates, ownVersion } from './browser/updates.ts'
import { welcomeNewUser } from './browser/welcome.ts'
import { createWindows, isInFront } from './browser/windows.ts'
import { createWallet } from './wallet/wallet.ts'

loadTexts()

const store = browserStores()
welcomeNewUser(store.local)

const windows = createWindows(store.session, () => wallet.ui.rejectAll(null))
const panels = createPanels(() => wallet.panelClosed())
openPanelOnCommand()
const showNotice = createNotifications(() => wallet.ui.showRequests(null))
const pages = servePages(() => wallet, store.session)
const tendSoon = createTending(() => wallet.tend())
const lockAt = createAutoLock(() => wallet.ui.lock(null))
const offscreen = createOffscreenDocument()
const sockets = createRelaySockets(offscreen)
const uiPorts = serveUi(
  () => wallet.ui,
  () => wallet.used(),
  () => wallet.opened(),
)
const badge = createBadge()
createActionMenu({
  readState: () => wallet.ui.getState(null),
  copy: createClipboard(offscreen),
  onCopied: badge.copied,
})
const keepRunning = createUpdates(store.session, {
  isActing: async () => uiPorts.isOpen() || (await wallet.isActing()),
  isAsked: () => wallet.isAsked(),
})

const wallet = createWallet({
  store,
  networks: defaultNetworks,
  approvalWindow: windows,
  panels,
  showNotice,
  isInFront,
  clock: Date,
  wordLists,
  commonPasswords,
  publicSuffixes,
  listedNetworks,
  contractList,
  feedList,
  tokenList,
  drawPicture,
  sockets,
  lockAt,
  version: ownVersion(),
  isThere: pages.isThere,
  activeSite,
  onChoices: createPageScripts(),
  onSiteEvent: pages.announce,
})

wallet.observeState(uiPorts.push)
wallet.observeState(badge.show)
wallet.observeState(({ waiting }) => {
  if (waiting.length > 0) keepRunning()
})
wallet.observeWork(tendSoon)

globalThis.addEventListener('online', () => wallet.wake())

// Continues the work of a stopped worker: executes the requests that were already decided, then ends the requests of
// closed pages.
void wallet.resume().finally(tendSoon)
