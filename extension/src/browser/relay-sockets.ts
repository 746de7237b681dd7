/**
 * The sockets to relays, where they outlive what uses them. Chromium stops the worker after 30 s, and with it its sockets:
 * they are held by an offscreen document, which wakes the worker with all that comes. Firefox has no such document: there the
 * background is an event page, which is kept running while it has sockets.
 */
import type { Runtime } from 'webextension-polyfill'
import type { SocketNews, SocketOrder } from '../messages.ts'
import { report } from '../wallet/failures.ts'
import type { SocketListener, Sockets } from '../wallet/session/relay-client.ts'
import { createTurns } from '../wallet/turns.ts'
import browser from './api.ts'
import { keepAwake } from './keep-awake.ts'
import { createWebSockets } from './web-sockets.ts'

const PAGE = 'offscreen.html'
const ABNORMAL = 1006
/** What comes for a socket before the worker that it woke has taken it up. */
const MAX_EARLY = 100

/** What Chromium has beyond the polyfill's types. */
type Chromium = {
  offscreen?: {
    createDocument(options: { url: string; reasons: string[]; justification: string }): Promise<void>
    closeDocument(): Promise<void>
  }
  runtime: { getContexts(filter: { contextTypes: string[] }): Promise<unknown[]> }
}

const isNews = (message: unknown): message is SocketNews =>
  typeof message === 'object' && message !== null && 'news' in message

const hear = (listener: SocketListener, news: SocketNews) => {
  if (news.news === 'opened') listener.opened()
  else if (news.news === 'received') listener.received(news.text)
  else listener.closed(news.code, news.reason)
}

const createOffscreenSockets = (offscreen: NonNullable<Chromium['offscreen']>): Sockets => {
  const { runtime } = browser as unknown as Chromium
  const listeners = new Map<string, SocketListener>()
  const early = new Map<string, SocketNews[]>()
  const inTurn = createTurns()

  const isThere = async () => (await runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] })).length > 0
  const ensureDocument = async () => {
    if (await isThere()) return
    // None of the reasons that Chromium knows names a socket; this one sets no limit to its life.
    const justification = 'Holds the connections to the relays that you chose'
    await offscreen.createDocument({ url: PAGE, reasons: ['WORKERS'], justification })
  }
  const closeDocument = async () => {
    if (await isThere()) await offscreen.closeDocument()
  }

  const closeIfNeedless = async () => {
    if (listeners.size === 0) await closeDocument()
  }

  const order = (given: SocketOrder) =>
    inTurn(async () => {
      if (given.order === 'open') await ensureDocument()
      await browser.runtime.sendMessage(given)
    })

  browser.runtime.onMessage.addListener((message: unknown, sender: Runtime.MessageSender) => {
    if (sender.id !== browser.runtime.id || sender.tab || !isNews(message)) return undefined
    const listener = listeners.get(message.name)
    if (listener) hear(listener, message)
    else early.set(message.name, [...(early.get(message.name) ?? []), message].slice(-MAX_EARLY))
    return Promise.resolve(true)
  })

  return {
    open: (name, url, listener) => {
      listeners.set(name, listener)
      const before = early.get(name) ?? []
      early.delete(name)
      const isMine = () => listeners.get(name) === listener
      // The socket that has closed meanwhile is not the one that is opened now.
      const heard = before.some(({ news }) => news === 'closed') ? [] : before.filter(({ news }) => news === 'received')
      const opened = order({ order: 'open', name, url })
      opened.then(
        () => {
          for (const news of heard) if (isMine()) hear(listener, news)
        },
        () => isMine() && listener.closed(ABNORMAL, 'the browser does not hold connections'),
      )
      return {
        send: text => {
          if (isMine()) order({ order: 'send', name, text }).catch(report)
        },
        close: () => {
          if (!isMine()) return
          listeners.delete(name)
          order({ order: 'close', name }).catch(() => undefined)
          inTurn(closeIfNeedless).catch(report)
        },
      }
    },
    closeAll: () => {
      listeners.clear()
      early.clear()
      inTurn(closeDocument).catch(report)
    },
  }
}

export const createRelaySockets = (): Sockets => {
  const { offscreen } = browser as unknown as Chromium
  return offscreen ? createOffscreenSockets(offscreen) : keepAwake(createWebSockets())
}
