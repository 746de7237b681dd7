/**
 * Tells whether a request over a loopback connection originates on this machine. A local proxy, or a web page in a
 * local browser, sends such requests on behalf of others.
 */
import ipaddr from 'ipaddr.js'
import { parseUrl } from '../../url.ts'

/** Header values by name in lower case. */
type Headers = ReadonlyMap<string, string>

/** Names of headers that proxies and content networks add, and clients do not. */
const FORWARDING: readonly RegExp[] = [
  /forward|proxy|^x-(?:original|rewrite|envoy|arr|amzn?|azure|varnish|haproxy|traefik|vercel|nf|cloud|https)\b/,
  /^(?:x-)?(?:ali|cf|cdn|fastly|fly|akamai|edge|incap|sucuri|tailscale|front-end|tls|ssl|client-cert|real|remote|auth-request|webauth|fd)(?:-|$)/,
  /^(?:early-data|surrogate-capability)$/,
  /(?:^|-)(?:client|real|remote|user|source|src|peer|origin)?-?(?:ipv?[46]?|addr|address|port)$/,
  /(?:^|-)via$|-(?:host|scheme|proto)(?:-|$)/,
]

/** Some proxies write `_` for `-`. */
const isForwarding = (name: string): boolean => FORWARDING.some(pattern => pattern.test(name.replaceAll('_', '-')))

const AUTHORITY = /^[^\s/?#@\\,]+$/

/** Returns the server's URL according to the Host header, or undefined if the header is invalid. */
const urlOfHost = (headers: Headers, protocol = 'http:'): URL | undefined => {
  const host = headers.get('host') ?? ''
  return AUTHORITY.test(host) ? parseUrl(`${protocol}//${host}`) : undefined
}

/**
 * Returns the Host header's name or address in lower case, without port, brackets and final
 * dot. Undefined if it is invalid.
 */
export const hostNamed = (headers: Headers): string | undefined =>
  urlOfHost(headers)?.hostname.replace(/^\[|\]$|\.$/g, '')

/** Names of this machine (RFC 6761 §6.3). */
const LOCAL_NAME = /^(?:.+\.)?localhost\.?$/

/** True for `localhost` and the names below it, in lower case. */
export const isLocalName = (name: string): boolean => LOCAL_NAME.test(name)

const isLoopbackHost = (host: string): boolean =>
  isLocalName(host) || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')

/**
 * Sec-Fetch-Site (Fetch Metadata) of requests by another origin's page. Browsers send it even without an Origin header.
 */
const FOREIGN_PAGE = /^(?:cross|same)-site$/

/** True for another origin than the server's own. */
const isForeign = (origin: string, headers: Headers): boolean => {
  const page = parseUrl(origin)
  if (page?.protocol !== 'http:' && page?.protocol !== 'https:') return true
  return urlOfHost(headers, page.protocol)?.origin !== page.origin
}

/** True unless a header shows that a request over a loopback connection comes from elsewhere. */
export const isMadeHere = (headers: Headers): boolean => {
  if (!isLoopbackHost(hostNamed(headers) ?? '')) return false
  const origin = headers.get('origin')
  if (origin !== undefined && isForeign(origin, headers)) return false
  if (FOREIGN_PAGE.test(headers.get('sec-fetch-site') ?? '')) return false
  for (const name of headers.keys()) if (isForwarding(name)) return false
  return true
}
