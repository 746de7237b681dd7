import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { ConfigError } from '../process/config.ts'
import { addressOf, clientBehind, countedAs, parseRange, peerOf, rememberPeers } from './addresses.ts'

const bytesOf = (text: string): ArrayBuffer => Uint8Array.from(ipaddr.parse(text).toByteArray()).buffer
const address = (text: string) => {
  const found = addressOf(bytesOf(text))
  if (!found) throw new Error('no address')
  return found
}

test('decodes addresses from bytes, IPv4-mapped ones as IPv4, and returns undefined for no bytes', () => {
  expect(address('192.0.2.7').toString()).toBe('192.0.2.7')
  expect(address('::ffff:192.0.2.7').toString()).toBe('192.0.2.7')
  expect(address('2001:db8::1').toString()).toBe('2001:db8::1')
  expect(addressOf(new ArrayBuffer(0))).toBeUndefined()
})

test('counts an IPv6 /64 as one address, and each IPv4 address by itself', () => {
  expect(countedAs(address('2001:db8:1:2::1'))).toBe(countedAs(address('2001:db8:1:2:ffff::9')))
  expect(countedAs(address('2001:db8:1:2::1'))).not.toBe(countedAs(address('2001:db8:1:3::1')))
  expect(countedAs(address('192.0.2.7'))).not.toBe(countedAs(address('192.0.2.8')))
})

const proxies = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'].map(parseRange)

test.each([
  ['198.51.100.1', '203.0.113.9', '198.51.100.1', 'a peer that is no proxy is the client'],
  ['127.0.0.1', '', '127.0.0.1', 'a proxy that names no client is the client'],
  ['127.0.0.1', '203.0.113.9', '203.0.113.9', 'a proxy names its client'],
  ['127.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9', 'an address that the client itself sends does not count'],
  ['127.0.0.1', '1.1.1.1,203.0.113.9 , 10.1.2.3', '203.0.113.9', 'a proxy behind a proxy is skipped'],
  ['127.0.0.1', '10.1.2.3, 10.3.2.1', '10.1.2.3', 'if all are proxies, the first one is the client'],
  ['fd00::1', '2001:db8::5', '2001:db8::5', 'over IPv6'],
  ['127.0.0.1', '[2001:db8::5]:443', '2001:db8::5', 'with brackets and a port'],
  ['127.0.0.1', '203.0.113.9:5123', '203.0.113.9', 'with a port'],
  ['127.0.0.1', '::ffff:203.0.113.9', '203.0.113.9', 'IPv4-mapped'],
  ['127.0.0.1', '203.0.113.9, unknown', '127.0.0.1', 'reading stops at an entry that is no address'],
  ['127.0.0.1', '203.0.113.9, 0x7f.1', '127.0.0.1', 'reading stops at an odd spelling of an address'],
  ['127.0.0.1', ',,,', '127.0.0.1', 'an empty list'],
])('from %s, forwarded for "%s", the client is %s: %s', (peer, forwarded, client) => {
  expect(clientBehind(address(peer), forwarded, proxies).toString()).toBe(client)
})

test('ignores X-Forwarded-For unless the peer is a trusted proxy', () => {
  expect(clientBehind(address('127.0.0.1'), '203.0.113.9', []).toString()).toBe('127.0.0.1')
})

test('remembered keys equal newly found keys, however many addresses there are', () => {
  const rules = { proxies, exemptAddresses: [parseRange('192.0.2.0/24')] }
  const keyOf = rememberPeers(rules)
  const others = Array.from({ length: 1500 }, (_, index) => `198.51.${index >> 8}.${index & 255}`)
  const peers = [...others, '192.0.2.7', '10.0.0.1', '2001:db8::1', '::ffff:198.51.0.1', ...others].map(bytesOf)
  for (const peer of [...peers, new ArrayBuffer(0)]) {
    expect(keyOf(peer)).toBe(peerOf(peer, rules))
    expect(keyOf(peer)).toBe(peerOf(peer, rules))
  }
})

test('parses networks in CIDR form and single addresses', () => {
  expect(parseRange('10.0.0.0/8')[1]).toBe(8)
  expect(parseRange('192.168.1.7')[1]).toBe(32)
  expect(parseRange('fd00::/8')[1]).toBe(8)
  for (const wrong of ['10', '10.0.0.0/33', 'localhost', '']) expect(() => parseRange(wrong)).toThrow(ConfigError)
})
