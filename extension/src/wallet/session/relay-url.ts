/** Normalizes relay URLs and derives other URLs from them. */
import { parseUrl } from '@heliograph/shared/url'

const SCHEMES: Readonly<Record<string, string>> = { 'ws:': 'ws:', 'wss:': 'wss:', 'http:': 'ws:', 'https:': 'wss:' }

/** Maximum characters of a URL. The query may contain the project id for a hosted relay. */
const MAX_LENGTH = 2000

/**
 * Normalizes a ws or wss URL: no credentials, no trailing slash. Returns undefined for anything else. Converts http and
 * https URLs, because users copy them from the relay's status page.
 */
export const toRelayUrl = (text: string): string | undefined => {
  const trimmed = text.trim()
  const url = trimmed.length <= MAX_LENGTH ? parseUrl(trimmed) : undefined
  const scheme = url && SCHEMES[url.protocol]
  if (!url || scheme === undefined || url.username !== '' || url.password !== '' || url.hostname === '')
    return undefined
  const path = url.pathname.replace(/\/+$/, '')
  return `${scheme}//${url.host}${path}${url.search}`
}

/** Returns the relay's URL for tokens, without the query, which only configures the connection. */
export const audienceOf = (url: string): string => url.replace(/\?.*$/, '')

/**
 * Returns the socket's URL. It asks the relay to report rejections as close codes, which browsers expose, instead of
 * HTTP statuses.
 */
export const socketUrlOf = (relay: string, token: string): string => {
  const url = new URL(relay)
  url.searchParams.set('auth', token)
  url.searchParams.set('useOnCloseEvent', 'true')
  return url.href
}
