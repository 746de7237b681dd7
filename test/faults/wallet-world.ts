/**
 * A page, a simulated user and a wallet without a browser: the page's provider and the wallet's complete background,
 * with storage and windows in memory. Tests that use it replace the browser's API as described in
 * `stopping-browser.ts`, and can stop and restart the worker.
 */

import type { Network } from '@heliograph/shared/network'
import type { TestPort } from '../../extension/src/browser/browser.fixture.ts'
import { servePages } from '../../extension/src/browser/page-ports.ts'
import { createTending } from '../../extension/src/browser/tending.ts'
import { createWindows } from '../../extension/src/browser/windows.ts'
import type { RequestView } from '../../extension/src/messages.ts'
import { FROM_PAGE, FROM_WALLET, PING } from '../../extension/src/messages.ts'
import { announceProvider } from '../../extension/src/provider/announce.ts'
import { connectWallet } from '../../extension/src/provider/connection.ts'
import { openWindow } from '../../extension/src/provider/page.fixture.ts'
import { capturePage, type PageWindow } from '../../extension/src/provider/page.ts'
import { createProvider, type Provider } from '../../extension/src/provider/provider.ts'
import { testNetworks } from '../../extension/src/wallet/networks/networks.fixture.ts'
import type { Chain } from '../../extension/src/wallet/networks/node.ts'
import type { Ui } from '../../extension/src/wallet/pages/parts.ts'
import type { Stores } from '../../extension/src/wallet/storage/store.ts'
import {
  CHEAP_KDF,
  CHEAP_KEYSTORE,
  commonPasswords,
  drawPicture,
  listedNetworks,
  NOW,
  noSockets,
  SITE,
  wordLists,
} from '../../extension/src/wallet/wallet.fixture.ts'
import { createWallet } from '../../extension/src/wallet/wallet.ts'
import type { Wallet } from '../../extension/src/wallet/wallet-parts.ts'
import {
  type Browser,
  connectPage,
  createBrowser,
  createGate,
  type Outside,
  type Stop,
  storeBehind,
  within,
} from './stopping-browser.ts'

export type Kept = { local: ReadonlyMap<string, string>; session: ReadonlyMap<string, string> }

export type Decision = { approve: boolean; accounts?: readonly string[] }

export type WorldOptions = {
  chain: Chain
  /** Decides a request that the window shows, as the user would. */
  person(request: RequestView): Promise<Decision>
  networks?: readonly Network[]
  now?(): number
  /** The worker is stopped and restarted once for each stop. */
  stops?: readonly Stop[]
}

export type World = {
  /** The page's window, on which the provider is announced. */
  window: PageWindow
  provider: Provider
  /** The wallet's own pages. */
  ui: Ui
  outside: Outside
  /** Number of responses that the page received, by request id. */
  answers: ReadonlyMap<string, number>
  /** Returns the number of steps of the running worker. */
  steps(): number
  /** Resolves once the worker has been idle for a while. */
  quiet(): Promise<void>
  /** Stops the worker for good. */
  end(): void
}

/** Milliseconds without a step after which the worker counts as idle. */
const PAUSE = 60

/** Returns the stored data after `make` has set up a wallet in these stores. */
export const keptOf = async (make: (store: Stores) => Promise<unknown>): Promise<Kept> => {
  const open = createGate(undefined)
  const kept = { local: new Map<string, string>(), session: new Map<string, string>() }
  await make({ local: storeBehind(open, kept.local), session: storeBehind(open, kept.session) })
  return kept
}

/** True while a request cannot be approved because the node is slow. */
const isWaiting = (findings: RequestView['findings']): boolean => findings.some(({ name }) => name === 'waitingForNode')

type Worker = { browser: Browser; wallet: Wallet; steps(): number; end(): void; look(): Promise<void> }

/**
 * A short list of public suffixes, because each worker parses the list again and the real list has ten thousand rules.
 */
const publicSuffixes = async () => new Set(['example'])

/** Starts a wallet with this stored data. */
export const startWorld = (kept: Kept, options: WorldOptions): World => {
  const { person, networks = testNetworks, now = () => NOW, stops = [] } = options
  const answers = new Map<string, number>()
  const page = openWindow((data: unknown) => queueMicrotask(() => hear(data)))
  const toPage = (message: unknown) => page.post(page.window, { source: FROM_WALLET, message })
  const outside: Outside = {
    local: new Map(kept.local),
    session: new Map(kept.session),
    windows: new Set(),
    opened: 0,
    toPage: message => message === PING || toPage(structuredClone(message)),
  }

  /** The content script's port to the worker. */
  let port: TestPort | undefined
  const openPort = () => {
    const opened = connectPage(worker.browser, SITE)
    opened.postMessage = message => {
      if (port !== opened) return
      const { id } = message as { id: string }
      answers.set(id, (answers.get(id) ?? 0) + 1)
      toPage(structuredClone(message))
    }
    return opened
  }
  const hear = (data: unknown) => {
    const { source, message } = data as { source: string; message: unknown }
    if (source !== FROM_PAGE) return
    port ??= openPort()
    const { fromPage } = port
    within(worker.browser, () => void fromPage(structuredClone(message)))
  }

  const startWorker = (stop: Stop | undefined): Worker => {
    const gate = createGate(stop)
    const decided = new Set<string>()
    const browser = createBrowser(gate, outside, () => void look())
    const gated = (node: Chain): Chain => {
      const { all, until } = node
      const ask: Chain = (...call) => gate.step(() => node(...call))
      return Object.assign(ask, {
        ...(all && { all: (...call: Parameters<typeof all>) => gate.step(() => all(...call)) }),
        ...(until && { until: (signal: AbortSignal) => gated(until(signal)) }),
      })
    }
    const store = { local: storeBehind(gate, outside.local), session: storeBehind(gate, outside.session) }

    /** Lets the user read and decide the requests in the window, which closes after the last one. */
    const look = () =>
      within(browser, async () => {
        if (outside.windows.size === 0) return
        const { requests } = await wallet.ui.getState(null)
        for (const request of requests.filter(({ id, findings }) => !decided.has(id) && !isWaiting(findings))) {
          decided.add(request.id)
          const decision = await person(request)
          await wallet.ui.decide({ id: request.id, revision: request.revision, ...decision })
        }
        const left = await wallet.ui.getState(null)
        const isOver = decided.size > 0 && left.requests.length === 0 && left.waiting.length === 0
        for (const id of isOver ? outside.windows : []) {
          outside.windows.delete(id)
          browser.windows.onRemoved.fire(id)
        }
      })

    const wallet = within(browser, () => {
      const windows = createWindows(store.session, () => wallet.ui.rejectAll(null))
      const pages = servePages(() => wallet, store.session)
      const tendSoon = createTending(() => wallet.tend())
      const wallet: Wallet = createWallet({
        store,
        networks,
        chain: gated(options.chain),
        approvalWindow: windows,
        clock: { now },
        wordLists,
        commonPasswords,
        publicSuffixes,
        listedNetworks,
        drawPicture,
        sockets: noSockets,
        lockAt: () => undefined,
        version: '1.2.3',
        kdfCost: CHEAP_KDF,
        keystoreCost: CHEAP_KEYSTORE,
        isThere: pages.isThere,
        onSiteEvent: pages.announce,
      })
      wallet.observeState(() => void look())
      wallet.observeWork(tendSoon)
      void wallet.resume().finally(tendSoon)
      return wallet
    })

    void gate.stopped.then(() => isEnded || startAgain())
    return { browser, wallet, steps: gate.steps, end: gate.end, look }
  }

  let isEnded = false
  const left = [...stops]
  const startAgain = () => {
    worker = startWorker(left.shift())
    const lost = port
    port = undefined
    if (lost) toPage({ notice: 'resend' })
    // The window's own port closes as well. The window reconnects and shows the current requests.
    void worker.look()
  }
  let worker = startWorker(left.shift())

  const window = capturePage(page.window)
  const provider = createProvider(window, connectWallet(window))
  announceProvider(window, provider)
  const ui = new Proxy({} as Ui, {
    get: (_, name: keyof Ui) => (params: never) => within(worker.browser, () => worker.wallet.ui[name](params)),
  })
  const quiet = async () => {
    for (let [before, now] = [-1, 0]; before !== now; [before, now] = [now, worker.steps()])
      await new Promise(resolve => setTimeout(resolve, PAUSE))
  }
  const end = () => {
    isEnded = true
    worker.end()
  }
  return { window: page.window, provider, ui, outside, answers, steps: () => worker.steps(), quiet, end }
}
