/**
 * Requests to addresses that strangers name, without lending them this machine's place in the network: an address must
 * be public unicast or in a network the operator allows. It is checked on what the name resolves to for the very
 * connection that is made, so a name cannot change its mind in between. Redirects are not followed.
 */
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { type ClientRequest, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ConfigError } from './config.ts'

/** A network in CIDR form. */
export type AddressRange = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number]

/** `10.0.0.0/8` or a single address. Throws ConfigError. */
export const parseRange = (text: string): AddressRange => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (isIP(text) === 0) throw new ConfigError('must be networks such as 10.0.0.0/8 or addresses, between commas')
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** An address that must not be called. */
export class BlockedTarget extends Error {
  override name = 'BlockedTarget'
}

/** `allow`: networks besides the public ones. Plain http is spoken to those only. */
export type TargetRules = { allow: readonly AddressRange[]; timeoutMs: number }

const isAllowed = (text: string, protocol: string, allow: readonly AddressRange[]): boolean => {
  const address = ipaddr.process(text)
  const listed = allow.some(([base, length]) => base.kind() === address.kind() && address.match(base, length))
  return listed || (protocol === 'https:' && address.range() === 'unicast')
}

/** The host as an address, if it is written as one; URL parsing has undone every odd spelling. */
const literalAddress = ({ hostname }: URL): string | undefined => {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? undefined : host
}

/**
 * Refuses what can be told from the URL alone: a literal address that is not allowed, and plain http where no network
 * is. Throws BlockedTarget.
 */
export const checkTarget = (url: URL, { allow }: TargetRules): void => {
  const literal = literalAddress(url)
  if (literal !== undefined && !isAllowed(literal, url.protocol, allow))
    throw new BlockedTarget('must be at a public address')
  if (url.protocol !== 'https:' && allow.length === 0) throw new BlockedTarget('must be https')
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** `dns.lookup` that fails unless every address of the name may be called. */
const guardedLookup =
  (protocol: string, allow: readonly AddressRange[]) =>
  (hostname: string, options: LookupOptions, callback: LookupCallback): void =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isAllowed(address, protocol, allow)))
        return callback(new BlockedTarget('resolves to an address that is not public'), [])
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
    })

const sent = (request: ClientRequest, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response: IncomingMessage) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    request.end(body)
  })

/**
 * Posts JSON and returns the status of the answer, whose body is dropped unread. Throws BlockedTarget, a network error,
 * or an AbortError when the whole takes longer than `timeoutMs` or `signal` says so.
 */
export const postPublic = async (url: URL, json: string, rules: TargetRules, signal: AbortSignal): Promise<number> => {
  checkTarget(url, rules)
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) },
    lookup: guardedLookup(url.protocol, rules.allow),
    signal: AbortSignal.any([signal, AbortSignal.timeout(rules.timeoutMs)]),
  }
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return sent(request(url, options), json)
}
