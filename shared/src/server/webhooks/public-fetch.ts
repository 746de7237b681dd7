/**
 * Requests to URLs from untrusted clients, protected against server-side request forgery: an address must be public
 * unicast or in a network that the operator allows. A name is resolved once per request, all its addresses are checked,
 * and the connection is made to a checked address. Redirects are not followed.
 */
import type { LookupOptions } from 'node:dns'
import { type ClientRequest, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Address, type AddressRange, isWithin } from '../limits/addresses.ts'
import { isLocalName } from '../limits/this-machine.ts'
import type { Resolve } from './resolve.ts'

/** The target's address may not be called. */
export class BlockedTarget extends Error {
  override name = 'BlockedTarget'
  readonly reason: 'targetNotHttps' | 'targetNotPublic' | 'targetNameNotPublic'

  constructor(reason: BlockedTarget['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** `allow`: additional networks, the only ones for which plain http is allowed. */
export type TargetRules = { allow: readonly AddressRange[] }

/** Global unicast IPv6 (RFC 4291 §2.4). The rest includes ranges that embed IPv4 addresses. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6))

/** True for a globally reachable address in text form. */
export const isPublicAddress = (text: string): boolean => isIP(text) !== 0 && isPublic(ipaddr.process(text))

const isAllowed = (text: string, protocol: string, allow: readonly AddressRange[]): boolean => {
  const address = ipaddr.process(text)
  return isWithin(address, allow) || (protocol === 'https:' && isPublic(address))
}

const LOOPBACK = ['127.0.0.1', '::1']

/**
 * Returns the addresses of a host that needs no DNS lookup. URL parsing has normalized
 * unusual spellings of IP addresses.
 */
const knownAddresses = ({ hostname }: URL): readonly string[] | undefined => {
  if (isLocalName(hostname)) return LOOPBACK
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? undefined : [host]
}

/**
 * Checks what the URL alone shows: throws BlockedTarget for an IP address that is not allowed, and for plain http if no
 * additional network is allowed.
 */
export const checkTarget = (url: URL, { allow }: TargetRules): void => {
  if (url.protocol !== 'https:' && allow.length === 0) throw new BlockedTarget('targetNotHttps')
  const known = knownAddresses(url)
  if (known && !known.some(address => isAllowed(address, url.protocol, allow)))
    throw new BlockedTarget('targetNotPublic')
}

/**
 * Resolves the addresses at which a URL may be called. If one address of a name is not allowed, none is. Throws
 * BlockedTarget, or the error of `resolve`.
 */
export const targetAddresses = async (url: URL, rules: TargetRules, resolve: Resolve): Promise<readonly string[]> => {
  checkTarget(url, rules)
  const mayCall = (address: string) => isAllowed(address, url.protocol, rules.allow)
  const known = knownAddresses(url)
  if (known) return known.filter(mayCall)
  const addresses = await resolve(url.hostname)
  if (!addresses.every(mayCall)) throw new BlockedTarget('targetNameNotPublic')
  return addresses
}

type LookupCallback = (error: null, address: string | { address: string; family: number }[], family?: number) => void

/** Returns a lookup function that always returns this address. */
const pinned =
  (address: string) =>
  (_: string, { all }: LookupOptions, callback: LookupCallback): void => {
    const family = isIP(address)
    if (all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }

/** `body` holds the requested part of the response body. */
export type Answered = { status: number; body: string }

/** Reads at most `most` bytes of a body. If the connection breaks, returns the bytes received until then. */
const headOf = (response: IncomingMessage, most: number): Promise<string> =>
  new Promise(resolve => {
    const chunks: Buffer[] = []
    let length = 0
    const end = (): void => {
      response.destroy()
      resolve(Buffer.concat(chunks).subarray(0, most).toString())
    }
    if (most === 0) return end()
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length >= most) end()
    })
    response.on('close', end)
  })

const sent = (request: ClientRequest, body: string, bytes: number): Promise<Answered> =>
  new Promise((resolve, reject) => {
    request.on('error', reject)
    let hasAnswered = false
    request.on('close', () => {
      if (!hasAnswered) reject(new Error('the connection was closed'))
    })
    request.on('response', (response: IncomingMessage) => {
      hasAnswered = true
      response.on('error', () => undefined)
      headOf(response, bytes).then(text => resolve({ status: response.statusCode ?? 0, body: text }), reject)
    })
    request.end(body)
  })

/** `answerBytes` is how much of the response body to read, usually nothing. */
export type Post = {
  url: URL
  address: string
  headers: Readonly<Record<string, string>>
  body: string
  answerBytes?: number
}

/**
 * Posts JSON to the URL at that address. Returns the status and the requested part of the response body. Throws a
 * network error, or an AbortError when `signal` aborts.
 */
export const postTo = (
  { url, address, headers, body, answerBytes = 0 }: Post,
  signal: AbortSignal,
): Promise<Answered> => {
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    lookup: pinned(address),
    signal,
  }
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return sent(request(url, options), body, answerBytes)
}
