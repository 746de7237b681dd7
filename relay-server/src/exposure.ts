/**
 * Whether the world reaches a relay that accepts tokens made for any other. Such a relay says so in its log, once: a token
 * that a client gave to somebody else's relay opens its mailbox here (RFC 7519 §4.1.3, RFC 8725 §3.9).
 */
import { isIP } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import type { RequestHead } from '@heliograph/shared/server/http'
import type { Logger } from '@heliograph/shared/server/log'
import { isPublicAddress } from '@heliograph/shared/server/public-fetch'

/** Names that no public DNS has (RFC 6761, RFC 6762, RFC 8375, RFC 9476 and the reserved "internal"). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|test|example|invalid|internal|home\.arpa|alt)$/

const UNSPECIFIED: readonly string[] = ['0.0.0.0', '::']

const isPublicHost = (host: string): boolean => {
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !PRIVATE_NAME.test(host)
}

/** The host of a Host header, without its port; undefined for what is none. */
const hostNamed = ({ headers }: RequestHead): string | undefined => {
  const url = `http://${headers.get('host') ?? ''}`
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$|\.$/g, '') : undefined
}

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>

/** True if `host` is a public address, or stands for all addresses of a machine that has one. */
export const listensPublicly = (host: string, interfaces: () => Interfaces = networkInterfaces): boolean => {
  if (!UNSPECIFIED.includes(host)) return isPublicHost(host)
  return Object.values(interfaces()).some(addresses => addresses?.some(({ address }) => isPublicAddress(address)))
}

const WARNING =
  'RELAY_PUBLIC_URLS (--public-urls) is not set, so tokens that clients made for other relays are accepted. Set it to the URL that clients use, such as wss://relay.example.org.'

export type ExposureOptions = { host: string; publicUrls: readonly string[]; log: Logger }

/**
 * Warns at once if the relay listens at a public address without `publicUrls`. Returns a function that looks at each
 * request for a socket and warns at the first that names a public host, as behind a proxy. Warns once in all.
 */
export const watchExposure = ({ host, publicUrls, log }: ExposureOptions): ((request: RequestHead) => void) => {
  let isSettled = publicUrls.length > 0
  const warnOnce = (isExposed: boolean): void => {
    if (!isExposed) return
    isSettled = true
    log.warn(WARNING)
  }
  if (!isSettled) warnOnce(listensPublicly(host))
  return request => {
    if (!isSettled) warnOnce(isPublicHost(hostNamed(request) ?? ''))
  }
}
