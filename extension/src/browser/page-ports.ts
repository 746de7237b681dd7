/** Serves web pages: requests over ports, and events to documents that have sent a request. */
import { parseUrl } from '@heliograph/shared/url'
import * as v from 'valibot'
import type { Runtime } from 'webextension-polyfill'
import { PAGE_PORT, type PageEvent, PING, type ToPage } from '../messages.ts'
import type { SiteEvent } from '../wallet/sites/sites.ts'
import { createCell, type Store } from '../wallet/storage/store.ts'
import { rpcError, toRpcError } from '../wallet/text/errors.ts'
import type { Wallet } from '../wallet/wallet-parts.ts'
import browser from './api.ts'

/** A document that has sent a request and therefore gets events. It no longer exists once its page navigates. */
type Page = { tabId: number; documentId: string; origin: string }

/**
 * Maximum documents per tab and overall. The oldest is dropped, and gets events again once it reconnects.
 * A page can create frames but not tabs, so it cannot displace documents of other sites.
 */
const MAX_PAGES_PER_TAB = 50
const MAX_PAGES = 500

const withNewest = (known: readonly Page[], page: Page): Page[] => {
  const others = known.filter(({ documentId }) => documentId !== page.documentId)
  const dropped = others.filter(({ tabId }) => tabId === page.tabId).slice(0, -MAX_PAGES_PER_TAB + 1)
  return [...others.filter(other => !dropped.includes(other)).slice(-MAX_PAGES + 1), page]
}

/** Identifies the page in the wallet. */
const nameOf = ({ tabId, documentId }: Pick<Page, 'tabId' | 'documentId'>): string => `${tabId} ${documentId}`

const concerns = (happened: SiteEvent, page: Page): boolean => {
  if ('page' in happened) return happened.page === nameOf(page)
  return 'except' in happened ? !happened.except.includes(page.origin) : happened.origin === page.origin
}

/** Sender properties of Chromium that the polyfill's types lack. */
type Sender = Runtime.MessageSender & { origin?: string; documentId?: string }

const Message = v.object({
  id: v.pipe(v.string(), v.maxLength(64)),
  method: v.string(),
  params: v.optional(v.unknown()),
})

/**
 * Returns the origin that the browser reports. Frames with an opaque origin (sandboxed, file:) are not served, because
 * many sites share it.
 */
const originOf = ({ sender }: Runtime.Port): string | undefined => {
  const { origin } = (sender ?? {}) as Sender
  return origin !== undefined && /^https?:\/\//.test(origin) ? origin : undefined
}

/** Identifies the sending document, if the browser reports it. */
const documentOf = ({ sender }: Runtime.Port): Pick<Page, 'tabId' | 'documentId'> | undefined => {
  const { tab, documentId } = (sender ?? {}) as Sender
  return tab?.id === undefined || documentId === undefined ? undefined : { tabId: tab.id, documentId }
}

/** Returns the origin of the top-level page if the sender is a cross-site frame in it, otherwise null. */
const topOf = ({ sender }: Runtime.Port, origin: string): string | null => {
  const url = sender?.tab?.url
  if (!sender?.frameId || url === undefined) return null
  const top = parseUrl(url)?.origin ?? origin
  return top === origin ? null : top
}

export type PagePorts = {
  announce(event: SiteEvent): Promise<void>
  /** True if the page is still open and not in the back/forward cache. */
  isThere(page: string): Promise<boolean>
}

export const servePages = (wallet: () => Wallet, session: Store): PagePorts => {
  const pages = createCell<readonly Page[]>(session, 'pages', [])

  const remember = async (port: Runtime.Port, origin: string) => {
    const sender = documentOf(port)
    if (!sender) return
    await pages.update(known => withNewest(known, { ...sender, origin }))
  }

  const forget = (gone: Page) => pages.update(known => known.filter(({ documentId }) => documentId !== gone.documentId))

  const answer = async (port: Runtime.Port, message: v.InferOutput<typeof Message>): Promise<ToPage> => {
    const { id } = message
    const [origin, sender] = [originOf(port), documentOf(port)]
    try {
      if (origin === undefined) throw rpcError('unauthorized', 'opaqueOrigin')
      const tab = port.sender?.tab?.id ?? null
      const from = { page: sender ? nameOf(sender) : null, tab, top: topOf(port, origin) }
      return { id, result: await wallet().request(origin, { ...message, ...from }) }
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
      // A request sent between the loss of a port and the resend arrives twice on the new port. Answer it only once.
      if (open.has(id)) return
      open.add(id)
      const reply = await answer(port, parsed.output)
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
      const concerned = (await pages.read()).filter(page => concerns(happened, page))
      // Addresses the document, not the tab, so that a message after a navigation does not reach the next site.
      const sendTo = (page: Page) => {
        const options: { documentId: string } = { documentId: page.documentId }
        return browser.tabs.sendMessage(page.tabId, message, options).catch(() => forget(page))
      }
      await Promise.all(concerned.map(sendTo))
    },
    isThere: async name => {
      const space = name.indexOf(' ')
      const options: { documentId: string } = { documentId: name.slice(space + 1) }
      return browser.tabs.sendMessage(Number(name.slice(0, space)), PING, options).then(
        () => true,
        () => false,
      )
    },
  }
}
