/**
 * Parses settings that are URLs of the relay or origins of web pages. Returns each in the form in which it is compared.
 */
import { ConfigError } from '@heliograph/shared/server/process/config'
import { parseUrl } from '@heliograph/shared/url'
import { comparableUrl } from '@heliograph/shared/wire/relay-url'

const SOCKET_URL = /^wss?:/
/** Hosts that clients can connect to. URL parsers also accept quotes, `;`, `*`, `${` and empty labels in a host. */
const HOST = /^(?:\[[\da-f:]+\]|[\w-]{1,63}(?:\.[\w-]{1,63})*)$/

/** False if no client can reach the host or port, or if the URL has a second scheme: `wss://https://…`. */
const isReachable = ({ hostname, port, pathname }: URL): boolean =>
  HOST.test(hostname) && port !== '0' && !pathname.startsWith('//')

/** An optional scheme and any number of slashes. The `host:` of `host:8080` is not a scheme. */
const SCHEME = /^(?:(?<scheme>https?|wss?):|[a-z][a-z0-9+.-]*:(?=\/))?\/*/i
/** Quotes around a value, which Docker keeps when it reads an environment file. */
const QUOTES = /^["']+|["';]+$/g
const PLAIN_SCHEME = /^(?:http|ws)$/i

/** Returns the URL that the operator probably meant. */
const meantBy = (value: string): string => {
  const unquoted = value.replace(QUOTES, '')
  const scheme = SCHEME.exec(unquoted)?.groups?.scheme ?? ''
  const rest = unquoted.replace(SCHEME, '').replace(/^.*@|\*\.?|[?#].*$/g, '')
  const url = comparableUrl(`${PLAIN_SCHEME.test(scheme) ? 'ws' : 'wss'}://${rest}`)
  return (url && isReachable(new URL(url)) ? url : 'wss://relay.example.org').replace(/\/$/, '')
}

/**
 * Parses a URL of the relay, which clients put in the `aud` of their tokens. Throws ConfigError that suggests a valid
 * URL.
 */
export const publicUrl = (value: string): string => {
  const url = comparableUrl(value)
  const parsed = url === undefined || !SOCKET_URL.test(url) ? undefined : parseUrl(url)
  if (!parsed || !isReachable(parsed))
    throw new ConfigError(`must be URLs with ws:// or wss:// and a host, such as ${meantBy(value)}`)
  if (parsed.username !== '' || parsed.password !== '' || parsed.href.includes('#'))
    throw new ConfigError(`must be URLs without a user name, password or fragment, such as ${meantBy(value)}`)
  return parsed.href
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/\s?#@\\]+$/
const WEB_ORIGIN = /^https?:/

/** Parses an origin into the form that browsers send: scheme, host, and the port unless it is the default. */
export const origin = (value: string): string => {
  const lowered = value.toLowerCase()
  const url = ORIGIN.test(lowered) ? parseUrl(lowered) : undefined
  const isWeb = WEB_ORIGIN.test(lowered)
  if (!url || (isWeb && !isReachable(url)))
    throw new ConfigError('must be an origin such as https://app.example, without a path')
  return isWeb ? url.origin : lowered
}
