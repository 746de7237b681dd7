/**
 * Requests to addresses that strangers name, without lending them this machine's place in the network: an address must
 * be public unicast or in a network the operator allows. A name is resolved once for each request, every address it has
 * is judged, and the connection goes to the very address that was judged. Redirects are not followed.
 */
import type { LookupOptions } from 'node:dns'
import { type ClientRequest, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Address, type AddressRange, isWithin } from './addresses.ts'
import { ConfigError } from './config.ts'
import type { Resolve } from './resolve.ts'

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
export type TargetRules = { allow: readonly AddressRange[] }

/** All that is handed out of IPv6 (RFC 4291 §2.4): the rest holds old forms of IPv4 addresses. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6))

/** True for an address in text that the whole Internet reaches. */
export const isPublicAddress = (text: string): boolean => isIP(text) !== 0 && isPublic(ipaddr.process(text))

const isAllowed = (text: string, protocol: string, allow: readonly AddressRange[]): boolean => {
  const address = ipaddr.process(text)
  return isWithin(address, allow) || (protocol === 'https:' && isPublic(address))
}

/** This machine by name (RFC 6761 §6.3). */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/
const LOOPBACK = ['127.0.0.1', '::1']

/** The addresses of a host that needs no look-up; URL parsing has undone every odd spelling of an address. */
const knownAddresses = ({ hostname }: URL): readonly string[] | undefined => {
  if (LOCALHOST.test(hostname)) return LOOPBACK
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? undefined : [host]
}

/**
 * Refuses what can be told from the URL alone: an address that is not allowed, and plain http where no network is.
 * Throws BlockedTarget.
 */
export const checkTarget = (url: URL, { allow }: TargetRules): void => {
  if (url.protocol !== 'https:' && allow.length === 0) throw new BlockedTarget('must be https')
  const known = knownAddresses(url)
  if (known && !known.some(address => isAllowed(address, url.protocol, allow)))
    throw new BlockedTarget('must be at a public address')
}

/**
 * The addresses at which a URL may be called now. A name that has one that may not is not called at all. Throws
 * BlockedTarget, or what `resolve` throws.
 */
export const targetAddresses = async (url: URL, rules: TargetRules, resolve: Resolve): Promise<readonly string[]> => {
  checkTarget(url, rules)
  const mayCall = (address: string) => isAllowed(address, url.protocol, rules.allow)
  const known = knownAddresses(url)
  if (known) return known.filter(mayCall)
  const addresses = await resolve(url.hostname)
  if (!addresses.every(mayCall)) throw new BlockedTarget('resolves to an address that is not public')
  return addresses
}

type LookupCallback = (error: null, address: string | { address: string; family: number }[], family?: number) => void

/** A look-up that knows one address. */
const pinned =
  (address: string) =>
  (_: string, { all }: LookupOptions, callback: LookupCallback): void => {
    const family = isIP(address)
    if (all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }

/** What a target says: the status, and the head of the body as far as it was asked for. */
export type Answered = { status: number; body: string }

/** Reads at most so many bytes of a body. One that is cut off counts as far as it came. */
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

/** `answerBytes` of the answer's body are read; mostly none. */
export type Post = {
  url: URL
  address: string
  headers: Readonly<Record<string, string>>
  body: string
  answerBytes?: number
}

/**
 * Posts JSON to the URL at that address and returns the status of the answer with as much of its body as was asked for. Throws a
 * network error, or an AbortError when `signal` says so.
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
