/** Addresses of Redis servers. */
import { ConfigError } from '../process/config.ts'

const SCHEMES = ['redis:', 'rediss:']

/** Parses `redis://[user:password@]host[:port][/database]`, or `rediss:` for TLS. The text of the error has no password. */
export const parseRedisUrl = (value: string): string => {
  const url = URL.parse(value)
  if (!url || !SCHEMES.includes(url.protocol) || url.hostname === '')
    throw new ConfigError('must be URLs such as redis://127.0.0.1:6379, or rediss://… for TLS')
  return value
}

/** Host and port, without user and password. */
export const placeOf = (url: string): string => {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || '6379'}`
}
