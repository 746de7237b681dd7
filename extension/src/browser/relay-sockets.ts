/**
 * Relay sockets that outlive the worker. Chromium stops the worker and its sockets after 30 s, so an offscreen document
 * holds them and wakes the worker with each message. Firefox has no offscreen documents; its background is an event
 * page, which is kept running while it has sockets.
 */
import type { Runtime } from 'webextension-polyfill'
import type { SocketNews, SocketOrder } from '../messages.ts'
import type { SocketListener, Sockets } from '../wallet/session/relay-client.ts'
import { report } from '../wallet/text/errors.ts'
import browser from './api.ts'
import { keepAwake } from './keep-awake.ts'
import type { OffscreenDocument } from './offscreen-document.ts'
import { createWebSockets } from './web-sockets.ts'

const ABNORMAL = 1006
/** Maximum messages buffered for a socket until the woken worker has taken it over. */
const MAX_EARLY = 100

const isNews = (message: unknown): message is SocketNews =>
  typeof message === 'object' && message !== null && 'news' in message

const hear = (listener: SocketListener, news: SocketNews) => {
  if (news.news === 'opened') listener.opened()
  else if (news.news === 'received') listener.received(news.text)
  else listener.closed(news.code, news.reason)
}

const createOffscreenSockets = ({ inTurn, ...document }: OffscreenDocument): Sockets => {
  const listeners = new Map<string, SocketListener>()
  const early = new Map<string, SocketNews[]>()

  const closeIfNeedless = async () => {
    if (listeners.size === 0) await document.close()
  }

  const order = (given: SocketOrder) =>
    inTurn(async () => {
      // Chromium has no offscreen reason for sockets. WORKERS does not limit the document's lifetime.
      if (given.order === 'open') await document.open('WORKERS', 'Holds the connections to the relays that you chose')
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
      // If a close event is buffered, all buffered events belong to an earlier socket with this name, so they are
      // dropped.
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
      inTurn(document.close).catch(report)
    },
  }
}

/** `document` is null in a browser without offscreen documents. */
export const createRelaySockets = (document: OffscreenDocument | null): Sockets =>
  document ? createOffscreenSockets(document) : keepAwake(createWebSockets())
