/**
 * A WebSocket proxy between Playwright and Firefox, which speak WebDriver BiDi. Firefox serves only one session, so
 * commands that Playwright has no method for (install an extension, run code with the browser's own rights) use
 * the same connection. The proxy also works around what released versions of Firefox do not do yet:
 *
 * - Playwright sends `emulation.setMediaFeaturesOverride`, which Firefox 153 does not know. The proxy answers it and
 *   overrides nothing.
 * - When a tab opens a page of the extension, Firefox moves it to the extension's process, and then does not send
 *   `browsingContext.domContentLoaded` and `browsingContext.load` for that page.
 * - Firefox does not send `browsingContext.contextDestroyed` for pages of extensions (bug 1755014).
 * - Firefox does not report some windows of extensions; see unreported-windows.ts.
 * - Download events lack `download`, which Playwright uses as the id of a download. Downloads that a link starts also
 *   lack `navigation`.
 * - Firefox writes a message in pieces with Nagle's algorithm enabled, so the second piece waits 40 ms for the delayed
 *   TCP acknowledgement of the first. The proxy sends a pong at once, which carries the acknowledgement.
 *
 * https://w3c.github.io/webdriver-bidi/
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'
import { type Answer, type Command, type Event, isNoSuchFrame, type Send } from './bidi-messages.ts'
import { watchWindows } from './unreported-windows.ts'

export type BidiProxy = {
  /** URL that Playwright connects to, after appending `/<port of Firefox>/session`. */
  url: string
  /** Sends a command in Playwright's session. Resolves with its result; rejects with the browser's error. */
  send: Send
  close(): Promise<void>
}

/** Commands that Firefox does not know. The proxy answers them. */
const UNKNOWN: ReadonlySet<string> = new Set(['emulation.setMediaFeaturesOverride'])
/** Download events. Each download has its own URL, because each blob has one; the URL serves as its id. */
const DOWNLOADS: ReadonlySet<string> = new Set(['browsingContext.downloadWillBegin', 'browsingContext.downloadEnd'])
/** Events that the proxy itself sends for windows that Firefox does not report. */
const MADE_UP: ReadonlySet<string> = new Set(['browsingContext.contextCreated', 'script.realmCreated'])
/** Ids of the proxy's own commands are above this number. Playwright's ids count from 1. */
const OWN_IDS = 2 ** 40
/** Milliseconds between two checks of an extension page. */
const INTERVAL = 100

type Commands = { send: Send; settle(answer: Answer): void; rejectAll(): void }

/** Sends the proxy's own commands, and matches the responses to them. */
const createCommands = (write: (text: string) => void): Commands => {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let id = OWN_IDS
  return {
    send: (method, params) =>
      new Promise((resolve, reject) => {
        waiting.set(++id, { resolve, reject })
        write(JSON.stringify({ id, method, params }))
      }),
    settle: answer => {
      const command = waiting.get(answer.id)
      waiting.delete(answer.id)
      if (answer.type === 'success') command?.resolve(answer.result)
      else command?.reject(new Error(answer.error))
    },
    rejectAll: () => {
      for (const { reject } of waiting.values()) reject(new Error('Firefox has closed the connection'))
      waiting.clear()
    },
  }
}

/** An extension page: the parameters of its event `browsingContext.navigationCommitted`. */
type Page = { context: string; url: string }

/**
 * Watches the extension's pages, and emits the events that Firefox does not send for them. A page that never answers a
 * script does not delay the checks of other pages.
 */
const createPageWatch = (send: Send, emit: (event: Event) => void) => {
  /** The newest page, by context. */
  const pages = new Map<string, Page>()

  const isLoaded = async ({ context, url }: Page) => {
    const expression = 'document.readyState === "complete" && location.href'
    const answer = await send('script.evaluate', { expression, target: { context }, awaitPromise: false })
    const { result } = answer as { result?: { value?: unknown } }
    return result?.value === url
  }

  const isGone = ({ context }: Page) =>
    send('browsingContext.getTree', { root: context, maxDepth: 0 }).then(() => false, isNoSuchFrame)

  /** Resolves with true once `check` does, or with false once the context shows another page or none. */
  const becomes = async (page: Page, check: (page: Page) => Promise<boolean>): Promise<boolean> => {
    while (pages.get(page.context) === page) {
      if (await check(page)) return pages.get(page.context) === page
      await pause(INTERVAL)
    }
    return false
  }

  const reportLoad = async (page: Page): Promise<void> => {
    if (!(await becomes(page, one => isLoaded(one).catch(() => false)))) return
    for (const method of ['browsingContext.domContentLoaded', 'browsingContext.load'])
      emit({ type: 'event', method, params: { ...page, timestamp: Date.now() } })
  }

  const reportEnd = async (page: Page): Promise<void> => {
    if (!(await becomes(page, isGone))) return
    const { context, url } = page
    pages.delete(context)
    const params = { context, url, children: [], parent: null, userContext: 'default' }
    emit({ type: 'event', method: 'browsingContext.contextDestroyed', params })
  }

  return {
    committed: (page: Page) => {
      if (!page.url.startsWith('moz-extension:')) {
        pages.delete(page.context)
        return
      }
      pages.set(page.context, page)
      void reportLoad(page)
      void reportEnd(page)
    },
    stop: () => pages.clear(),
  }
}

/** Connects Playwright to the Firefox that listens at `port`. */
const connect = (playwright: WebSocket, port: string) => {
  const firefox = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false })
  const opened = once(firefox, 'open')
  const commands = createCommands(text => firefox.send(text))
  const watch = createPageWatch(commands.send, event => playwright.send(JSON.stringify(event)))
  const pass = (event: Event): void => {
    playwright.send(JSON.stringify(event))
    if (event.method === 'browsingContext.navigationCommitted') watch.committed(event.params as Page)
  }
  const windows = watchWindows(commands.send, pass)

  playwright.on('message', async data => {
    const text = String(data)
    const { id, method }: Command = JSON.parse(text)
    await opened
    if (UNKNOWN.has(method)) playwright.send(JSON.stringify({ type: 'success', id, result: {} }))
    else firefox.send(text)
  })
  firefox.on('message', data => {
    const text = String(data)
    const message: Answer | Event = JSON.parse(text)
    if (message.type !== 'event') {
      if (message.id > OWN_IDS) commands.settle(message)
      else playwright.send(text)
      return
    }
    const { method, params } = message
    if (MADE_UP.has(method) && windows.isMadeUp(params.context)) return
    if (method === 'browsingContext.contextCreated') windows.reported(String(params.context))
    if (DOWNLOADS.has(method)) params.download ??= params.url
    pass(message)
  })
  firefox.on('upgrade', ({ socket }) => firefox.on('open', () => socket.on('data', () => firefox.pong())))
  firefox.on('close', () => {
    watch.stop()
    windows.stop()
    commands.rejectAll()
    playwright.close()
  })
  firefox.on('error', () => playwright.terminate())
  playwright.on('close', () => firefox.close())
  return commands.send
}

export const openBidiProxy = async (): Promise<BidiProxy> => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const session = new Promise<Send>(resolve => {
    server.on('connection', (playwright, { url = '' }) => resolve(connect(playwright, url.slice(1))))
  })
  return {
    url: `ws://127.0.0.1:${port}`,
    send: async (method, params) => (await session)(method, params),
    close: async () => {
      for (const client of server.clients) client.terminate()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
