/** Serves the pages of the web: their requests over ports, and events to the documents that asked before. */
import { rpcError } from '@heliograph/shared/errors'
import * as v from 'valibot'
import browser, { type Runtime } from 'webextension-polyfill'
import { PAGE_PORT, type PageEvent, type ToPage } from '../messages.ts'
import { toRpcError } from '../wallet/failures.ts'
import type { SiteEvent } from '../wallet/sites.ts'
import { createCell, type Store } from '../wallet/store.ts'
import type { Wallet } from '../wallet/wallet.ts'

/** A document that has asked for something, and so gets events. It is gone when its page navigates. */
type Page = { tabId: number; documentId: string; origin: string }

/** The newest documents are kept; one that fell out gets events again after its next request. */
const MAX_PAGES = 500

/** What Chromium says of a sender beyond the polyfill's types. */
type Sender = Runtime.MessageSender & { origin?: string; documentId?: string }

const Message = v.object({
  id: v.pipe(v.string(), v.maxLength(64)),
  method: v.string(),
  params: v.optional(v.unknown()),
})

/** The origin as the browser reports it. A frame of no origin, sandboxed or of a file, gets nothing: many sites share it. */
const originOf = ({ sender }: Runtime.Port): string | undefined => {
  const { origin } = (sender ?? {}) as Sender
  return origin !== undefined && /^https?:\/\//.test(origin) ? origin : undefined
}

export type PagePorts = { announce(event: SiteEvent): Promise<void> }

export const servePages = (wallet: () => Wallet, session: Store): PagePorts => {
  const pages = createCell<readonly Page[]>(session, 'pages', [])

  const remember = async ({ sender }: Runtime.Port, origin: string) => {
    const { tab, documentId } = (sender ?? {}) as Sender
    const tabId = tab?.id
    if (tabId === undefined || documentId === undefined) return
    await pages.update(known => [
      ...known.filter(page => page.documentId !== documentId).slice(-MAX_PAGES + 1),
      { tabId, documentId, origin },
    ])
  }

  const forget = (gone: Page) => pages.update(known => known.filter(({ documentId }) => documentId !== gone.documentId))

  const answer = async (origin: string | undefined, message: v.InferOutput<typeof Message>): Promise<ToPage> => {
    const { id } = message
    try {
      if (origin === undefined)
        throw rpcError('unauthorized', 'A page without an origin of its own cannot use the wallet')
      return { id, result: await wallet().request(origin, message) }
    } catch (error) {
      return { id, error: toRpcError(error).toJSON() }
    }
  }

  const serve = (port: Runtime.Port) => {
    const origin = originOf(port)
    const open = new Set<string>()
    let connected = true
    if (origin !== undefined) void remember(port, origin)

    port.onMessage.addListener(async message => {
      const parsed = v.safeParse(Message, message)
      if (!parsed.success) return
      const { id } = parsed.output
      open.add(id)
      const reply = await answer(origin, parsed.output)
      open.delete(id)
      if (connected) port.postMessage(reply)
    })
    port.onDisconnect.addListener(() => {
      connected = false
      if (origin !== undefined) void wallet().abandon(origin, [...open])
    })
  }

  browser.runtime.onConnect.addListener(port => {
    if (port.name === PAGE_PORT) serve(port)
  })

  return {
    announce: async happened => {
      const { event, data } = happened
      const message: PageEvent = { event, data }
      const concerned = (await pages.read()).filter(
        ({ origin }) => happened.event === 'chainChanged' || happened.origin === origin,
      )
      // Addressed to the document, not the tab: after a navigation it reaches nobody instead of the next site.
      const sendTo = (page: Page) => {
        const options: { documentId: string } = { documentId: page.documentId }
        return browser.tabs.sendMessage(page.tabId, message, options).catch(() => forget(page))
      }
      await Promise.all(concerned.map(sendTo))
    },
  }
}
