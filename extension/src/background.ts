/** The service worker: wires the wallet to storage, ports, windows and alarms. All listeners stand in the first turn. */
import { defaultNetworks } from '@heliograph/shared/network'
import { createAutoLock } from './browser/auto-lock.ts'
import { servePages } from './browser/page-ports.ts'
import { browserStores } from './browser/storage.ts'
import { serveUi } from './browser/ui-ports.ts'
import { createWindows } from './browser/windows.ts'
import { wordLists } from './browser/word-lists.ts'
import { createWallet } from './wallet/wallet.ts'

const store = browserStores()

const windows = createWindows(store.session, () => wallet.ui.rejectAll(null))
const pages = servePages(() => wallet, store.session)
const lockAt = createAutoLock(() => wallet.ui.lock(null))
const uiPorts = serveUi(
  () => wallet.ui,
  () => wallet.used(),
)

const wallet = createWallet({
  store,
  networks: defaultNetworks,
  approvals: windows,
  clock: Date,
  wordLists,
  lockAt,
  onState: uiPorts.push,
  onSiteEvent: pages.announce,
})

void wallet.resume()
