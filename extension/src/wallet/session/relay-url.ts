/** Addresses of relays. */
const SCHEMES: Readonly<Record<string, string>> = { 'ws:': 'ws:', 'wss:': 'wss:', 'http:': 'ws:', 'https:': 'wss:' }

/** Characters of an address; a query may hold what a hosted relay asks for. */
const MAX_LENGTH = 2000

/**
 * A ws or wss URL without credentials, in its normal form and without a slash at the end; undefined for anything else.
 * http and https stand for the same host, as people copy it from the relay's status page.
 */
export const toRelayUrl = (text: string): string | undefined => {
  const trimmed = text.trim()
  const url = trimmed.length <= MAX_LENGTH && URL.canParse(trimmed) ? new URL(trimmed) : undefined
  const scheme = url && SCHEMES[url.protocol]
  if (!url || scheme === undefined || url.username !== '' || url.password !== '' || url.hostname === '')
    return undefined
  const path = url.pathname.replace(/\/+$/, '')
  return `${scheme}//${url.host}${path}${url.search}`
}

/** The relay as a token names it: without the query, which is for the relay's own use. */
export const audienceOf = (url: string): string => url.replace(/\?.*$/, '')

/** The address of a socket: refusals come as a close code, which browsers show, and not as an HTTP status. */
export const socketUrlOf = (relay: string, token: string): string => {
  const url = new URL(relay)
  url.searchParams.set('auth', token)
  url.searchParams.set('useOnCloseEvent', 'true')
  return url.href
}
