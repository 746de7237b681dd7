/** Addresses of Redis servers: `redis://[user:password@]host[:port][/database]`, or `rediss:` for TLS (RFC 3986). */
import { ConfigError } from '../process/config.ts'

const SCHEME = /^rediss?:\/\//i
const USER_INFO = /^(?:[\w.~!$&'()*+;=:-]|%[\da-f]{2})*$/i
const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)$/i
const PORT = /^\d{1,5}$/
const DATABASE = /^\d{1,5}$/
const MOST_PORT = 65_535

const FORM = 'must be URLs such as redis://127.0.0.1:6379, or rediss://… for TLS'
const ENCODE =
  'must have a percent-encoded user name and password: # as %23, / as %2F, ? as %3F, @ as %40, % as %25, a comma as %2C'

/** True if the user name and password of a URL are in percent-encoded UTF-8. */
const isEncoded = (part: string): boolean => {
  try {
    decodeURIComponent(part)
    return USER_INFO.test(part)
  } catch {
    return false
  }
}

/** Checks a server's URL. Error texts quote no part of it, because any part may belong to a password. */
export const parseRedisUrl = (value: string): string => {
  const scheme = SCHEME.exec(value)?.[0]
  if (scheme === undefined) throw new ConfigError(FORM)
  const rest = value.slice(scheme.length)
  // An unescaped password can contain any delimiter, so the host begins after the last @, if there is one.
  const at = rest.lastIndexOf('@')
  if (!isEncoded(rest.slice(0, Math.max(at, 0)))) throw new ConfigError(ENCODE)
  const [, place = '', tail = ''] = /^([^/?#]*)(.*)$/s.exec(rest.slice(at + 1)) ?? []
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(place) ?? []
  if (/[?#]/.test(tail))
    throw new ConfigError(
      'must have no query and no fragment. The number of a database follows a slash: redis://127.0.0.1:6379/2',
    )
  // A comma in a password splits the list of URLs after `:password`.
  if (host === '' && port !== undefined) throw new ConfigError(ENCODE)
  if (!HOST.test(host) || !URL.parse(`redis://${host}`)) throw new ConfigError(FORM)
  if (port !== undefined && port !== '' && !(PORT.test(port) && Number(port) > 0 && Number(port) <= MOST_PORT))
    throw new ConfigError(`must have a port from 1 to ${MOST_PORT} after the host`)
  if (tail !== '' && tail !== '/' && !DATABASE.test(tail.slice(1)))
    throw new ConfigError('must have a database number after the slash: redis://127.0.0.1:6379/2')
  return value
}

/** Returns host and port, without user and password. */
export const placeOf = (url: string): string => {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || '6379'}`
}

/** Returns the database number; 0 if the URL has none. */
export const databaseOf = (url: string): number => Number(new URL(url).pathname.slice(1))
