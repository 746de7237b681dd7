/** Relay URLs. */
import { parseUrl } from '@heliograph/shared/url'

const SCHEMES: Readonly<Record<string, string>> = { 'ws:': 'ws:', 'wss:': 'wss:', 'http:': 'ws:', 'https:': 'wss:' }

/** Maximum characters of a URL. The query may hold the project id of a hosted relay. */
const MAX_LENGTH = 2000

/**
 * Normalizes a ws or wss URL: no credentials, no trailing slash. Returns undefined for anything else. http and https
 * are converted, because people copy them from the relay's status page.
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

/** The relay's URL in tokens. Without the query, which only configures the connection. */
export const audienceOf = (url: string): string => url.replace(/\?.*$/, '')

/** The socket's URL. The relay reports rejections by close codes, which browsers expose, instead of HTTP statuses. */
export const socketUrlOf = (relay: string, token: string): string => {
  const url = new URL(relay)
  url.searchParams.set('auth', token)
  url.searchParams.set('useOnCloseEvent', 'true')
  return url.href
}
