/**
 * Logs one warning if a publicly reachable relay accepts tokens with any audience. A token that a client sent to
 * another relay would give access to the client's mailbox here (RFC 7519 §4.1.3, RFC 8725 §3.9).
 */
import { isIP } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { hostNamed } from '@heliograph/shared/server/limits/this-machine'
import type { Logger } from '@heliograph/shared/server/process/log'
import type { RequestHead } from '@heliograph/shared/server/transport/http'
import { isPublicAddress } from '@heliograph/shared/server/webhooks/public-fetch'

/** Host names reserved for private use (RFC 6761, RFC 6762, RFC 8375, RFC 9476, and "internal"). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|test|example|invalid|internal|home\.arpa|alt)$/

const UNSPECIFIED: readonly string[] = ['0.0.0.0', '::']

const isPublicHost = (host: string): boolean => {
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !PRIVATE_NAME.test(host)
}

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>

/** True if `host` is a public address, or the unspecified address on a machine with a public address. */
export const listensPublicly = (host: string, interfaces: () => Interfaces = networkInterfaces): boolean => {
  if (!UNSPECIFIED.includes(host)) return isPublicHost(host)
  return Object.values(interfaces()).some(addresses => addresses?.some(({ address }) => isPublicAddress(address)))
}

const WARNING =
  'RELAY_PUBLIC_URLS (--public-urls) is not set, so tokens that clients made for other relays are accepted. Set it to the URL that clients use, such as wss://relay.example.org.'

export type ExposureOptions = { host: string; publicUrls: readonly string[]; log: Logger }

/**
 * Warns if the relay listens on a public address without `publicUrls`. Returns a function that checks whether the Host
 * header of an upgrade request is public, because a proxy may forward public requests to a private address. Warns at
 * most once.
 */
export const watchExposure = ({ host, publicUrls, log }: ExposureOptions): ((request: RequestHead) => void) => {
  let isSettled = publicUrls.length > 0
  const warnOnce = (isExposed: boolean): void => {
    if (!isExposed) return
    isSettled = true
    log.warn(WARNING)
  }
  if (!isSettled) warnOnce(listensPublicly(host))
  return ({ headers }) => {
    if (!isSettled) warnOnce(isPublicHost(hostNamed(headers) ?? ''))
  }
}
