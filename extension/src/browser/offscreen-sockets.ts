/** The offscreen document's end of the relay sockets: opens and closes them for the background and forwards messages. */
import type { Runtime } from 'webextension-polyfill'
import type { SocketNews, SocketOrder } from '../messages.ts'
import type { Socket } from '../wallet/session/relay-client.ts'
import browser from './api.ts'
import { createWebSockets } from './web-sockets.ts'

const isOrder = (message: unknown): message is SocketOrder =>
  typeof message === 'object' && message !== null && 'order' in message

export const serveSockets = (): void => {
  const sockets = createWebSockets()
  const open = new Map<string, Socket>()

  /** Wakes the worker with a message. If that message is lost, the relay resends unacknowledged messages. */
  const tell = (news: SocketNews) => void browser.runtime.sendMessage(news).catch(() => undefined)

  const carryOut = (order: SocketOrder) => {
    const { name } = order
    if (order.order === 'open')
      open.set(
        name,
        sockets.open(name, order.url, {
          opened: () => tell({ news: 'opened', name }),
          received: text => tell({ news: 'received', name, text }),
          closed: (code, reason) => tell({ news: 'closed', name, code, reason }),
        }),
      )
    if (order.order === 'send') open.get(name)?.send(order.text)
    if (order.order === 'close') {
      open.get(name)?.close()
      open.delete(name)
    }
  }

  browser.runtime.onMessage.addListener((message: unknown, sender: Runtime.MessageSender) => {
    // Content scripts are not trusted, because they share a process with a page.
    if (sender.id !== browser.runtime.id || sender.tab || !isOrder(message)) return undefined
    carryOut(message)
    return Promise.resolve(true)
  })
}
