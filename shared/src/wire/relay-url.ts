/** Compares relay URLs as RFC 3986 §6.2 says: https://www.rfc-editor.org/rfc/rfc3986#section-6.2 */
import { parseUrl } from '../url.ts'

/** Stricter than URL parsers, which also accept blanks, backslashes, and a scheme without slashes. */
const RELAY_URL = /^(?:ws|http)s?:\/\/[^/\s\\][^\s\\]*$/i

const ESCAPE = /%[0-9a-f]{2}/gi
const UNRESERVED = /^[A-Za-z0-9._~-]$/

/** Decodes an escape if its character needs none (RFC 3986 §6.2.2.2); else returns the escape in upper case. */
const unescaped = (escaped: string): string => {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
  return UNRESERVED.test(character) ? character : escaped.toUpperCase()
}

/**
 * Returns the normal form of a ws, wss, http or https URL: scheme and host in lower case, no default port, no dot at
 * the end of the host, a path that ends with a slash. Returns undefined for any other text.
 */
export const comparableUrl = (text: string): string | undefined => {
  const url = RELAY_URL.test(text) ? parseUrl(text) : undefined
  if (!url) return undefined
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  url.pathname = url.pathname.replace(ESCAPE, unescaped)
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url.href
}
