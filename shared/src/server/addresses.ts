/** Addresses of clients: whose they are behind proxies, and under what they are counted. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A network in CIDR form. */
export type AddressRange = readonly [address: Address, prefixLength: number]

/** True if the address is in one of the networks. */
export const isWithin = (address: Address, ranges: readonly AddressRange[]): boolean =>
  ranges.some(([base, length]) => base.kind() === address.kind() && address.match(base, length))

/** An IPv4 address that came over IPv6 is the IPv4 address. */
const plain = (address: Address): Address =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address

/** The address of 4 or 16 bytes; undefined for a connection that has gone and has none. */
export const addressOf = (bytes: ArrayBuffer): Address | undefined =>
  bytes.byteLength === 0 ? undefined : plain(ipaddr.fromByteArray([...new Uint8Array(bytes)]))

/** `1.2.3.4` and `1.2.3.4:567`, `::1`, `[::1]` and `[::1]:567`. */
const HOP = /^(?:\[(?<bracketed>[^\]]+)\](?::\d+)?|(?<dotted>[\d.]+)(?::\d+)?|(?<bare>.+))$/

const parseHop = (text: string): Address | undefined => {
  const { bracketed, dotted, bare } = HOP.exec(text.trim())?.groups ?? {}
  const host = bracketed ?? dotted ?? bare ?? ''
  return isIP(host) === 0 ? undefined : ipaddr.process(host)
}

/**
 * The client behind a connection from `peer`. A proxy adds, at the end of X-Forwarded-For, whom it speaks for; so the list
 * is read from its end, and believed as far as each step is the word of one of the proxies.
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

/** What one client has: an IPv4 address, or the /64 of an IPv6 address, in which it can take any. */
export const countedAs = (address: Address): string =>
  address instanceof ipaddr.IPv6
    ? address.parts
        .slice(0, PARTS_OF_NETWORK)
        .map(part => part.toString(16))
        .join(':')
    : address.toString()

/** Whom connections come from. Networks are those of the configuration. */
export type CallerRules = { proxies: readonly AddressRange[]; exemptAddresses: readonly AddressRange[] }

/**
 * Who asks. `key` is what it is counted under; undefined for an exempt address, and for a connection that has gone.
 * `isLocal` tells that it is on this machine and came through no proxy.
 */
export type Caller = { key: string | undefined; isLocal: boolean }

/** Who asks over a connection from `peer`, the bytes of its address, with that X-Forwarded-For. */
export const callerOf = (peer: ArrayBuffer, forwarded: string, rules: CallerRules): Caller => {
  const from = addressOf(peer)
  if (from === undefined) return { key: undefined, isLocal: false }
  const client = clientBehind(from, forwarded, rules.proxies)
  return {
    key: isWithin(client, rules.exemptAddresses) ? undefined : countedAs(client),
    isLocal: client.range() === 'loopback' && forwarded === '',
  }
}

/** What a connection is counted under before it has said anything; undefined for an exempt address and for a proxy. */
export const peerOf = (peer: ArrayBuffer, rules: CallerRules): string | undefined => {
  const from = addressOf(peer)
  if (from === undefined || isWithin(from, rules.proxies)) return undefined
  return callerOf(peer, '', rules).key
}
