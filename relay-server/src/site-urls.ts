/** Settings that are URLs of the relay, or origins of web pages. Each is kept in the spelling in which it is compared. */
import { ConfigError } from '@heliograph/shared/server/process/config'
import { parseUrl } from '@heliograph/shared/url'
import { comparableUrl } from '@heliograph/shared/wire/relay-url'

/** No token names a pattern of hosts. */
const SOCKET_URL = /^wss?:\/\/[^/*]+\//
/** A scheme, and slashes of whatever number. `host:8080` has none. */
const SCHEME = /^(?:(?<scheme>https?|wss?):|[a-z][a-z0-9+.-]*:(?=\/))?\/*/i
const PLAIN_SCHEME = /^(?:http|ws)$/i

/** The URL that the operator probably meant. */
const meantBy = (value: string): string => {
  const scheme = SCHEME.exec(value)?.groups?.scheme ?? ''
  const rest = value.replace(SCHEME, '').replace(/^[^/]*@|\*\.?|[?#].*$/g, '')
  const url = comparableUrl(`${PLAIN_SCHEME.test(scheme) ? 'ws' : 'wss'}://${rest}`)
  return (url ?? 'wss://relay.example.org').replace(/\/$/, '')
}

/** Parses a URL of the relay, as clients name it in their tokens. Throws ConfigError with the probable right one. */
export const publicUrl = (value: string): string => {
  const url = comparableUrl(value)
  const parsed = url === undefined || !SOCKET_URL.test(url) ? undefined : parseUrl(url)
  if (!parsed) throw new ConfigError(`must be URLs with ws:// or wss:// and a host, such as ${meantBy(value)}`)
  if (parsed.username !== '' || parsed.password !== '' || parsed.hash !== '')
    throw new ConfigError(`must be URLs without a user name, password or fragment, such as ${meantBy(value)}`)
  return parsed.href
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/\s?#@\\]+$/
const WEB_ORIGIN = /^https?:/

/** Parses an origin into the form that browsers send: scheme, host, and the port unless it is the default. */
export const origin = (value: string): string => {
  const lowered = value.toLowerCase()
  const url = ORIGIN.test(lowered) ? parseUrl(lowered) : undefined
  if (!url) throw new ConfigError('must be an origin such as https://app.example, without a path')
  return WEB_ORIGIN.test(lowered) ? url.origin : lowered
}
