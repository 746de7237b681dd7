/**
 * A page, a simulated user and a wallet without a browser: the page's provider and the wallet's complete background,
 * with storage and windows in memory. Tests that use it replace the browser's API as described in
 * `stopping-browser.ts`, and can stop and restart the worker.
 */

import type { Network } from '@heliograph/shared/network'
import { createTending } from '../../extension/src/browser/alarms.ts'
import type { TestPort } from '../../extension/src/browser/browser.fixture.ts'
import { servePages } from '../../extension/src/browser/page-ports.ts'
import { createWindows } from '../../extension/src/browser/windows.ts'
import {
  FROM_PAGE,
  FROM_WALLET,
  type PageRequest,
  PING,
  REPEATABLE,
  type RequestView,
  type UiMethod,
  type WaitingView,
} from '../../extension/src/messages.ts'
import { announceProvider } from '../../extension/src/provider/announce.ts'
import { capturePage, type PageWindow } from '../../extension/src/provider/captured.ts'
import { connectWallet } from '../../extension/src/provider/connection.ts'
import { openWindow } from '../../extension/src/provider/page.fixture.ts'
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
import { createSignal } from '../../extension/src/wallet/work/turns.ts'
import {
  type Browser,
  connectPage,
  createBrowser,
  createGate,
  type Gate,
  type Outside,
  type Stop,
  storeBehind,
  within,
} from './stopping-browser.ts'
import { type Call, type Deciding, emptyWindow, isDone, isWaiting, itemsOf, sightOf } from './wallet-window.ts'

export type Kept = { local: ReadonlyMap<string, string>; session: ReadonlyMap<string, string> }

export type Decision = { approve: boolean; accounts?: readonly string[] }

export type WorldOptions = {
  chain: Chain
  /**
   * Decides a request that the window shows, as the user would. Resolves with null if the user does something else
   * instead. Called again for each new revision, and by the next worker if the request is still undecided.
   */
  person(request: RequestView): Promise<Decision | null>
  /**
   * Rejects the first request at the lock, as the user would. Resolves with null if the user does something else
   * instead, which is the default.
   */
  atLock?(waiting: WaitingView): Promise<{ approve: false } | null>
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
  /** Responses that the page received, by request id. */
  answers: ReadonlyMap<string, readonly unknown[]>
  /** Sends the page's request with this method again, with its id. Resolves with all responses to it, in order. */
  repeat(method: string): Promise<readonly unknown[]>
  /** Closes the page, as the user or a navigation does. */
  closePage(): void
  /** Resolves once the page is closed. */
  pageClosed: Promise<void>
  /** Closes the wallet's window, as the user does. */
  closeWindow(): void
  /** Number of windows that `closeWindow` has closed. */
  closings(): number
  /** Resolves once a window was opened. */
  opened: Promise<void>
  /** Resolves once no window is open. */
  allClosed(): Promise<void>
  /** Lets the browser's alarms ring. Resolves once the worker has done its work. */
  ring(): Promise<void>
  /**
   * `steps` returns the number of steps of the running worker. `changes` returns the steps that changed something
   * outside of it.
   */
  steps(): number
  changes(): readonly number[]
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

type FromPage = { source: string; message: PageRequest }

type Worker = {
  browser: Browser
  wallet: Wallet
  gate: Gate
  /** Lets the user see the window. */
  look(): Promise<void>
}

/**
 * A short list of public suffixes, because each worker parses the list again and the real list has ten thousand rules.
 */
const publicSuffixes = async () => new Set(['example'])

/** Starts a wallet with this stored data. */
export const startWorld = (kept: Kept, options: WorldOptions): World => {
  const { person, atLock = async () => null, networks = testNetworks, now = () => NOW, stops = [] } = options
  const answers = new Map<string, unknown[]>()
  /** Requests that the page sent, by request id. */
  const asked = new Map<string, FromPage>()
  /** Called once a repeated request has a response, by request id. */
  const repeats = new Map<string, () => void>()
  const page = openWindow((data: unknown) => queueMicrotask(() => hear(data)))
  const toPage = (message: unknown) => page.post(page.window, { source: FROM_WALLET, message })
  const windows = new Set<number>()
  const { observe: onWindows, notify: windowsChanged } = createSignal()
  const outside: Outside = {
    local: new Map(kept.local),
    session: new Map(kept.session),
    windows,
    opened: 0,
    openWindow: () => {
      windows.add(++outside.opened)
      inWindow = emptyWindow()
      windowsChanged()
      return outside.opened
    },
    closeWindow: id => {
      windows.delete(id)
      if (id === outside.opened) inWindow = emptyWindow()
      windowsChanged()
    },
    alarms: new Set(),
    toPage: message => {
      if (!isPageOpen) throw new Error('Could not establish connection.')
      if (message !== PING) toPage(structuredClone(message))
    },
  }
  const when = (isTrue: () => boolean) =>
    new Promise<void>(resolve => {
      const check = () => isTrue() && resolve()
      onWindows(check)
      check()
    })

  /** State of the newest window's page, in which the user acts. It outlives workers, and the windows below it. */
  let inWindow = emptyWindow()
  /** Repeatable calls of the wallet's other pages without a response. These pages stay open when the window closes. */
  const sentElsewhere = new Set<Call>()
  const callsOf = (method: UiMethod) => (method === 'decide' ? inWindow.sent : sentElsewhere)
  let isPageOpen = true
  let closings = 0
  let tellClosed = () => {}
  const pageClosed = new Promise<void>(resolve => {
    tellClosed = resolve
  })

  /** The content script's port to the worker. */
  let port: TestPort | undefined
  const openPort = () => {
    const opened = connectPage(worker.browser, SITE)
    opened.postMessage = message => {
      if (port !== opened) return
      const { id } = message as { id: string }
      answers.set(id, [...(answers.get(id) ?? []), message])
      toPage(structuredClone(message))
      repeats.get(id)?.()
      repeats.delete(id)
    }
    return opened
  }
  const hear = (data: unknown) => {
    const { source, message } = data as FromPage
    if (source !== FROM_PAGE || !isPageOpen) return
    asked.set(message.id, data as FromPage)
    port ??= openPort()
    const { fromPage } = port
    within(worker.browser, () => void fromPage(structuredClone(message)))
  }

  const startWorker = (stop: Stop | undefined): Worker => {
    const gate = createGate(stop)
    const browser = createBrowser(gate, outside, () => void look())
    /** Revisions on which the user has acted, including calls that a stopped worker did not answer. */
    const seen = new Set([...inWindow.sent].map(({ params }) => sightOf(params as Deciding)))
    const isNew = (sight: string) => !seen.has(sight) && seen.add(sight)
    const gated = (node: Chain): Chain => {
      const { all, until } = node
      const ask: Chain = (network, method, params) => {
        const step = method === 'eth_sendRawTransaction' ? gate.change : gate.step
        return step(() => node(network, method, params))
      }
      return Object.assign(ask, {
        ...(all && { all: (...call: Parameters<typeof all>) => gate.step(() => all(...call)) }),
        ...(until && { until: (signal: AbortSignal) => gated(until(signal)) }),
      })
    }
    const store = { local: storeBehind(gate, outside.local), session: storeBehind(gate, outside.session) }

    const decide = async (decision: Deciding) => {
      // The next worker asks the user again.
      if (worker.browser !== browser) return
      inWindow.decided.add(decision.id)
      try {
        await ui.decide(decision)
      } catch (error) {
        // The window says that the request has changed since, and the user decides about its new revision.
        if ((error as { reason?: unknown }).reason !== 'requestChanged') throw error
        inWindow.decided.delete(decision.id)
      }
    }

    /** Lets the user read and decide the requests in the window, which closes after the last one. */
    const look = () =>
      within(browser, async () => {
        const open = [...windows]
        if (open.length === 0) return
        const state = await wallet.ui.getState(null)
        const [first] = state.phase === 'locked' ? state.waiting : []
        if (first) inWindow.wasLocked = true
        const rejection = first && isNew('lock') ? await atLock(first) : null
        if (first && rejection) await decide({ id: first.id, ...rejection })
        for (const { id } of itemsOf(state)) inWindow.shown.add(id)
        const readable = itemsOf(state).filter(request => !isWaiting(request.findings) && isNew(sightOf(request)))
        for (const request of readable) {
          const decision = await person(request)
          if (decision) await decide({ id: request.id, revision: request.revision, ...decision })
        }
        const left = await wallet.ui.getState(null)
        if (left.waiting.length === 0 && isDone(inWindow)) closeWindows(browser, open)
      })

    const wallet = within(browser, () => {
      const approvalWindow = createWindows(store.session, () => wallet.ui.rejectAll(null))
      const pages = servePages(() => wallet, store.session)
      const tendSoon = createTending(() => wallet.tend())
      const wallet: Wallet = createWallet({
        store,
        networks,
        chain: gated(options.chain),
        approvalWindow,
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
    return { browser, wallet, gate, look }
  }

  const send = (call: Call) => {
    const { browser, wallet } = worker
    within(browser, () => wallet.ui[call.method](call.params as never))
      .finally(() => callsOf(call.method).delete(call))
      .then(call.resolve, call.reject)
  }
  /** The wallet's pages. Like them, it sends a repeatable call again if the worker stops before the response. */
  const ui = new Proxy({} as Ui, {
    get: (_, method: UiMethod) => (params: unknown) =>
      new Promise((resolve, reject) => {
        const call = { method, params, resolve, reject }
        if (REPEATABLE.has(method)) callsOf(method).add(call)
        send(call)
      }),
  })

  let isEnded = false
  const left = [...stops]
  const closeWindows = (browser: Browser, open: readonly number[]) => {
    for (const id of open.filter(one => windows.has(one))) {
      outside.closeWindow(id)
      within(browser, () => void browser.windows.onRemoved.fire(id))
    }
  }
  const startAgain = () => {
    worker = startWorker(left.shift())
    const lost = port
    port = undefined
    if (lost) toPage({ notice: 'resend' })
    for (const id of repeats.keys()) hear(asked.get(id))
    // The ports of the wallet's pages close as well. The pages reconnect, and the window shows the current requests.
    for (const call of [...inWindow.sent, ...sentElsewhere]) send(call)
    void worker.look()
  }
  let worker = startWorker(left.shift())

  const window = capturePage(page.window)
  const provider = createProvider(window, connectWallet(window))
  announceProvider(window, provider)
  const quiet = async () => {
    for (let [before, now] = [-1, 0]; before !== now; [before, now] = [now, worker.gate.steps()])
      await new Promise(resolve => setTimeout(resolve, PAUSE))
  }
  const end = () => {
    isEnded = true
    worker.gate.end()
  }
  return {
    window: page.window,
    provider,
    ui,
    outside,
    answers,
    repeat: async method => {
      const [id, data] = [...asked].find(([, { message }]) => message.method === method) ?? []
      if (id === undefined || !data) throw new Error(`the page has not called ${method}`)
      const repeated = new Promise<void>(resolve => repeats.set(id, resolve))
      hear(data)
      await repeated
      return answers.get(id) ?? []
    },
    pageClosed,
    closePage: () => {
      isPageOpen = false
      tellClosed()
      const left = port
      port = undefined
      within(worker.browser, () => void left?.leave())
    },
    closeWindow: () => {
      closings += windows.size
      closeWindows(worker.browser, [...windows])
    },
    closings: () => closings,
    opened: when(() => outside.opened > 0),
    allClosed: () => when(() => windows.size === 0),
    ring: () =>
      within(worker.browser, async () => {
        for (const name of outside.alarms) await worker.browser.alarms.onAlarm.fire({ name })
      }),
    steps: () => worker.gate.steps(),
    changes: () => worker.gate.changes(),
    quiet,
    end,
  }
}
