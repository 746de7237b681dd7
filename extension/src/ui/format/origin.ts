/** Splits a site's origin so that its registrable domain can be emphasised. */
import { parseUrl } from '@heliograph/shared/url'

/** `owner` is the registrable domain, or the whole host if there is none. `sub` ends with a dot. */
export type OriginParts = { scheme: string; sub: string; owner: string; port: string }

/**
 * Longest subdomain shown, in characters. Longer ones are elided at the start, because look-alikes try to push the end
 * out of view.
 */
const LONGEST_SUB = 24

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
const IP = /^(\d+(\.\d+){3}|\[[\da-f:.]+\])$/

const elide = (sub: string): string => {
  if (sub.length <= LONGEST_SUB) return sub
  const labels = sub.slice(-LONGEST_SUB)
  return `…${labels.includes('.', 0) ? labels.slice(labels.indexOf('.') + 1) || labels : labels}`
}

/**
 * Returns the parts of a web origin; undefined for anything else ("null"). Hosts stay in punycode, as the browser
 * reports them. There is no public suffix list here: the owner is the last two labels of the host.
 */
export const splitOrigin = (origin: string): OriginParts | undefined => {
  const url = parseUrl(origin)
  if (!url || url.hostname === '') return undefined
  const { protocol, hostname, port } = url
  const scheme = protocol === 'https:' ? '' : `${protocol}//`
  const suffix = port === '' ? '' : `:${port}`
  if (IP.test(hostname)) return { scheme, sub: '', owner: hostname, port: suffix }
  const labels = hostname.split('.')
  const owner = labels.slice(-2).join('.')
  const sub = labels.slice(0, -2).map(label => `${label}.`)
  return { scheme, sub: elide(sub.join('')), owner, port: suffix }
}

/** True if the site runs on this computer. */
export const isLoopback = (origin: string): boolean => {
  const hostname = parseUrl(origin)?.hostname ?? ''
  return LOOPBACK.test(hostname) || hostname.endsWith('.localhost')
}

/** Returns the origin in one short line, for lists and sentences. */
export const originLabel = (origin: string): string => {
  const parts = splitOrigin(origin)
  return parts ? `${parts.scheme}${parts.sub}${parts.owner}${parts.port}` : origin
}

/** Returns host and port of a URL, or the text itself if it is not a URL. */
export const hostOf = (url: string): string => parseUrl(url)?.host ?? url
