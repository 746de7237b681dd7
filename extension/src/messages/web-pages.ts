/** Messages between a web page and the background. */
import type { RpcErrorObject } from '@heliograph/shared/errors'

/** Port name of web pages. A port's name determines which methods it can call. */
export const PAGE_PORT = 'page'

/** Document types that get the provider. XML, JSON, images and plain text do not. */
export const WEB_PAGE_TYPES: readonly string[] = ['text/html', 'application/xhtml+xml']

/** Values of `source` in window.postMessage between page script and content script, by direction. */
export const FROM_PAGE = 'heliograph:page'
export const FROM_WALLET = 'heliograph:wallet'

/** Page → background. `id` is random and chosen by the page; repeating an id repeats the same request. */
export type PageRequest = { id: string; method: string; params?: unknown }

/**
 * Background → page: a response or an event. Content script → page: a notice that the worker has stopped and open
 * requests must be repeated, or that the extension was removed or updated.
 */
export type PageAnswer = { id: string; result: unknown } | { id: string; error: RpcErrorObject }
export type PageEvent = { event: 'chainChanged' | 'accountsChanged' | 'message'; data: unknown }
export type PageNotice = { notice: 'resend' }
export type PageClose = { closed: { code: number; reason: string } }
export type ToPage = PageAnswer | PageEvent | PageNotice | PageClose

/** `code` is a WebSocket close code (RFC 6455). */
export const GONE: PageClose = { closed: { code: 1011, reason: 'The wallet was updated. Reload this page.' } }

/** Background → content script: checks that the document still exists. Sending fails otherwise. */
export const PING = 'ping'
