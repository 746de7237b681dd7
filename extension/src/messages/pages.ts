/** The port of a site's page, and what goes over it. */
import type { RpcErrorObject } from '@heliograph/shared/errors'

/** The port's name. A port is served by the table of its name and by no other. */
export const PAGE_PORT = 'page'

/** The types of documents that are pages of sites. XML, JSON, images and plain text get no provider. */
export const WEB_PAGE_TYPES: readonly string[] = ['text/html', 'application/xhtml+xml']

/** `source` of the two directions of window.postMessage between the page script and the content script. */
export const FROM_PAGE = 'heliograph:page'
export const FROM_WALLET = 'heliograph:wallet'

/** page → background. `id` is random and made in the page; a repeat with the same id is the same request. */
export type PageRequest = { id: string; method: string; params?: unknown }

/**
 * background → page: an answer or an event. content script → page: the notice that the worker went away and open requests
 * must be sent again, or that the extension itself is gone.
 */
export type PageAnswer = { id: string; result: unknown } | { id: string; error: RpcErrorObject }
export type PageEvent = { event: 'chainChanged' | 'accountsChanged' | 'message'; data: unknown }
export type PageNotice = { notice: 'resend' }
export type PageClose = { closed: { code: number; reason: string } }
export type ToPage = PageAnswer | PageEvent | PageNotice | PageClose

/** `code` is the one with which a WebSocket closes for good, RFC 6455. */
export const GONE: PageClose = { closed: { code: 1011, reason: 'The wallet was updated. Reload this page.' } }

/** background → content script: asks whether the document is still there, which it says by not failing. */
export const PING = 'ping'
