/** Finds a client's address, also behind proxies, and the key under which limits count the client. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ConfigError } from '../process/config.ts'
import { isMadeHere } from './this-machine.ts'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A network in CIDR form. */
export type AddressRange = readonly [address: Address, prefixLength: number]

/** Parses `10.0.0.0/8` or a single address. Throws ConfigError. */
export const parseRange = (text: string): AddressRange => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (isIP(text) === 0) throw new ConfigError('must be networks such as 10.0.0.0/8 or addresses, separated by commas')
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

export const isWithin = (address: Address, ranges: readonly AddressRange[]): boolean =>
  ranges.some(([base, length]) => base.kind() === address.kind() && address.match(base, length))

/** Converts an IPv4-mapped IPv6 address to IPv4. */
const plain = (address: Address): Address =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address

/** Decodes an address of 4 or 16 bytes. Returns undefined for 0 bytes, the address of a closed connection. */
export const addressOf = (bytes: ArrayBuffer): Address | undefined =>
  bytes.byteLength === 0 ? undefined : plain(ipaddr.fromByteArray([...new Uint8Array(bytes)]))

/** An X-Forwarded-For entry: `1.2.3.4`, `1.2.3.4:567`, `::1`, `[::1]` or `[::1]:567`. */
const HOP = /^(?:\[(?<bracketed>[^\]]+)\](?::\d+)?|(?<dotted>[\d.]+)(?::\d+)?|(?<bare>.+))$/

const parseHop = (text: string): Address | undefined => {
  const { bracketed, dotted, bare } = HOP.exec(text.trim())?.groups ?? {}
  const host = bracketed ?? dotted ?? bare ?? ''
  return isIP(host) === 0 ? undefined : ipaddr.process(host)
}

/**
 * Returns the client behind a connection from `peer`. Each proxy appends the address it received the request from, so
 * the list is read from its end, for as long as the entries come from trusted proxies.
 */
export const clientBehind = (peer: Address, forwarded: string, proxies: readonly AddressRange[]): Address => {
  let client = peer
  for (const hop of forwarded.split(',').reverse()) {
    const next = isWithin(client, proxies) ? parseHop(hop) : undefined
    if (next === undefined) break
    client = next
  }
  return client
}

const PARTS_OF_NETWORK = 4

/** Returns the key under which limits count an address. An IPv6 client can use all of its /64, so a /64 has one key. */
export const countedAs = (address: Address): string =>
  address instanceof ipaddr.IPv6
    ? address.parts
        .slice(0, PARTS_OF_NETWORK)
        .map(part => part.toString(16))
        .join(':')
    : address.toString()

/** Networks from the settings: trusted proxies, and addresses without limits. */
export type CallerRules = { proxies: readonly AddressRange[]; exemptAddresses: readonly AddressRange[] }

/**
 * The origin of a request. `key` identifies the address for limits; undefined for exempt addresses and closed connections.
 * `isLocal` is true for clients on this machine, except web pages and clients behind a proxy.
 */
export type Caller = { key: string | undefined; isLocal: boolean }

const keyOf = (client: Address, { exemptAddresses }: CallerRules): string | undefined =>
  isWithin(client, exemptAddresses) ? undefined : countedAs(client)

/** Returns the caller of a request with these headers, over a connection from `peer` (its address in bytes). */
export const callerOf = (peer: ArrayBuffer, headers: ReadonlyMap<string, string>, rules: CallerRules): Caller => {
  const from = addressOf(peer)
  if (from === undefined) return { key: undefined, isLocal: false }
  const client = clientBehind(from, headers.get('x-forwarded-for') ?? '', rules.proxies)
  const isLoopback = client === from && client.range() === 'loopback'
  const isLocal = isLoopback && isMadeHere(headers)
  return { key: isLoopback && !isLocal ? countedAs(client) : keyOf(client, rules), isLocal }
}

/** Returns the key of a connection before its first request, or undefined for exempt addresses and for proxies. */
export const peerOf = (peer: ArrayBuffer, rules: CallerRules): string | undefined => {
  const from = addressOf(peer)
  return from === undefined || isWithin(from, rules.proxies) ? undefined : keyOf(from, rules)
}

/** Maximum number of addresses whose keys are remembered. */
const MOST_REMEMBERED = 1000

/** Returns a `peerOf` that remembers keys: in a connection storm, finding the key is most of the work of a refusal. */
export const rememberPeers = (rules: CallerRules): ((peer: ArrayBuffer) => string | undefined) => {
  const keys = new Map<string, string | undefined>()
  return peer => {
    const bytes = Buffer.from(peer).toString('latin1')
    if (keys.has(bytes)) return keys.get(bytes)
    if (keys.size >= MOST_REMEMBERED) keys.clear()
    const key = peerOf(peer, rules)
    keys.set(bytes, key)
    return key
  }
}
