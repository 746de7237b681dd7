/**
 * A simulated browser whose worker can be stopped at any step. It replaces the browser's API through
 * `vi.mock('../../extension/src/browser/api.ts', () => import('./stopping-browser.ts'))`. Each worker uses the browser
 * in which it was started. Calls of a stopped worker are not executed and get no response.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { portOf, type TestPort } from '../../extension/src/browser/browser.fixture.ts'
import type { Store } from '../../extension/src/wallet/storage/store.ts'

/** Stops the worker at its nth external call, before the call is executed or before its response. */
export type Stop = { step: number; moment: 'before' | 'after' }

/** State that survives a worker: the wallet's windows, its alarms, its stores, and the page. */
export type Outside = {
  local: Map<string, string>
  session: Map<string, string>
  windows: ReadonlySet<number>
  /** Number of windows opened so far. */
  opened: number
  /** Opens a window and returns its id. */
  openWindow(): number
  closeWindow(id: number): void
  /** Names of the alarms that are set. */
  alarms: Set<string>
  /** Receives the events that the only page gets. Throws if the page is closed. */
  toPage(message: unknown): void
}

export type Gate = {
  /** Executes a step, unless the worker is stopped. */
  step<T>(work: () => T | Promise<T>): Promise<T>
  /** Executes a step that changes something outside of the worker. */
  change<T>(work: () => T | Promise<T>): Promise<T>
  /** Number of steps so far. */
  steps(): number
  /** The steps that changed something. */
  changes(): readonly number[]
  /** Stops the worker. */
  end(): void
  stopped: Promise<void>
}

export const createGate = (stop: Stop | undefined): Gate => {
  let steps = 0
  let isStopped = false
  let end = () => {}
  const stopped = new Promise<void>(resolve => {
    end = () => {
      isStopped = true
      resolve()
    }
  })
  const never = new Promise<never>(() => {})
  const step: Gate['step'] = async work => {
    if (isStopped) return never
    const isLast = ++steps === stop?.step
    if (isLast && stop.moment === 'before') end()
    if (isStopped) return never
    try {
      return await work()
    } finally {
      if (isLast) end()
      // A stopped worker receives neither a result nor an error, so its call never settles.
      if (isStopped) await never
    }
  }
  const changes: number[] = []
  return {
    step,
    change: work => {
      const changed = step(work)
      changes.push(steps)
      return changed
    },
    steps: () => steps,
    changes: () => changes,
    end: () => end(),
    stopped,
  }
}

/** A store that survives its workers. Each call is a step. It stores JSON, as the browser's storage does. */
export const storeBehind = ({ step, change }: Gate, values: Map<string, string>): Store => ({
  get: name =>
    step(() => {
      const text = values.get(name)
      return text === undefined ? undefined : JSON.parse(text)
    }),
  set: (name, value) => change(() => void values.set(name, JSON.stringify(value))),
  remove: name => change(() => void values.delete(name)),
})

type Listener<Values extends unknown[]> = (...values: Values) => unknown

const eventOf = <Values extends unknown[]>() => {
  const listeners: Listener<Values>[] = []
  return {
    addListener: (listener: Listener<Values>) => void listeners.push(listener),
    /** Resolves when every listener has finished. */
    fire: async (...values: Values) => {
      await Promise.all(listeners.map(listener => listener(...values)))
    },
  }
}

const APPROVAL = 'chrome-extension://heliograph/approval.html'
const gone = () => Promise.reject(new Error('No window with that id.'))

export type Browser = ReturnType<typeof createBrowser>

/** Creates the browser of one worker. Calls `onShown` after a window was opened or brought to the front. */
export const createBrowser = (gate: Gate, outside: Outside, onShown: () => void) => {
  const reach = (id: number) => gate.step(() => (outside.windows.has(id) ? { id } : gone()))
  return {
    runtime: {
      id: 'heliograph',
      getURL: (path: string) => `chrome-extension://heliograph/${path}`,
      onConnect: eventOf<[TestPort]>(),
    },
    alarms: {
      onAlarm: eventOf<[{ name: string }]>(),
      create: (name: string) => void outside.alarms.add(name),
      clear: async (name: string) => outside.alarms.delete(name),
    },
    windows: {
      onRemoved: eventOf<[number]>(),
      create: () =>
        gate.change(() => {
          const id = outside.openWindow()
          onShown()
          return { id }
        }),
      get: reach,
      update: async (id: number) => {
        await reach(id)
        onShown()
      },
      remove: (id: number) => gate.change(() => outside.closeWindow(id)),
    },
    tabs: {
      query: ({ url }: { url: string }) =>
        gate.step(() => (url === APPROVAL ? [...outside.windows].map(windowId => ({ id: windowId, windowId })) : [])),
      // A window closes with its only tab.
      remove: (id: number) => gate.change(() => outside.closeWindow(id)),
      sendMessage: (_tab: number, message: unknown) => gate.change(() => outside.toPage(message)),
    },
  }
}

const current = new AsyncLocalStorage<Browser>()

/** Runs `work` in a worker's own browser. */
export const within = <T>(browser: Browser, work: () => T): T => current.run(browser, work)

/** Connects a page. Returns the browser's end of the page's port. */
export const connectPage = (browser: Browser, origin: string): TestPort => {
  const port = portOf('page', { url: `${origin}/`, origin, documentId: 'document', frameId: 0, tab: { id: 1 } })
  within(browser, () => void browser.runtime.onConnect.fire(port))
  return port
}

export default new Proxy({} as Browser, {
  get: (_, area: keyof Browser) => {
    const browser = current.getStore()
    if (!browser) throw new Error("the browser's API was called outside of within()")
    return browser[area]
  },
})
