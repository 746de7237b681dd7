import { beforeEach, expect, test, vi } from 'vitest'
import { parseRange } from '../limits/addresses.ts'
import { sharesOf } from '../limits/shares.fixture.ts'
import { type Admission, type AdmissionRules, createAdmission } from './admission.ts'
import { createPeers } from './peers.ts'

const refused = vi.fn()
const rules = {
  connections: 3,
  proxies: [parseRange('127.0.0.1')],
  exemptAddresses: [parseRange('9.9.9.0/24')],
  addressRate: 10,
  addressBurst: 1000,
}
const open = (changed: Partial<AdmissionRules> = {}): Admission =>
  createAdmission({
    rules: { ...rules, ...changed },
    shares: sharesOf({ connections: 2 }),
    peers: createPeers({ most: 4, look: async () => undefined }),
    refused,
    now: () => 0,
  })
let admission: Admission
beforeEach(() => {
  refused.mockClear()
  admission = open()
})

const peer = (...bytes: number[]) => Uint8Array.from(bytes).buffer
const caller = (...bytes: number[]) => admission.callerOf(peer(...bytes), new Map())
const behind = (forwarded: string) => admission.callerOf(peer(127, 0, 0, 1), new Map([['x-forwarded-for', forwarded]]))
const HOST = [1, 1, 1, 1] as const

test('over the limit a connection is refused with a response, and far over the limit it is closed at once', () => {
  for (let count = 1; count <= 3; count++) expect(admission.arrive(peer(1, 1, 1, count))).toBe(true)
  admission.seatOf(caller(...HOST))
  expect(admission.arrive(peer(1, 1, 1, 4))).toBe(true)
  expect(() => admission.seatOf(caller(...HOST))).toThrow('at most 3 connections (connections)')
  let heard = 4
  while (admission.arrive(peer(1, 1, 2, heard))) heard += 1
  expect(heard).toBe(103)
  expect(refused).toHaveBeenCalledWith('connections')
})

test('a closed connection frees its slot', () => {
  for (let count = 0; count < 4; count++) admission.arrive(peer(...HOST))
  expect(() => admission.seatOf(caller(...HOST))).toThrow(expect.objectContaining({ status: 503 }))
  admission.leave()
  expect(() => admission.seatOf(caller(...HOST))).not.toThrow()
})

test('an address has a share of the sockets, and a closed socket frees its slot', () => {
  const seat = admission.seatOf(caller(...HOST))
  admission.sit(seat)
  admission.sit(admission.seatOf(caller(...HOST)))
  expect(() => admission.seatOf(caller(...HOST))).toThrow(
    expect.objectContaining({
      status: 429,
      message: 'the share of your address is used up: 2 connections (address-connections)',
      headers: { 'Retry-After': '5' },
    }),
  )
  expect(refused).toHaveBeenCalledExactlyOnceWith('address-connections')
  expect(() => admission.seatOf(caller(1, 1, 1, 2))).not.toThrow()
  admission.rise(seat)
  expect(() => admission.seatOf(caller(...HOST))).not.toThrow()
})

test('an address has a share of the idle connections', () => {
  const many = open({ connections: 100 })
  for (let count = 0; count < 4; count++) expect(many.arrive(peer(...HOST))).toBe(true)
  expect(many.arrive(peer(1, 1, 1, 2))).toBe(true)
  const crowded = createAdmission({
    rules: { ...rules, connections: 100 },
    shares: sharesOf(),
    peers: createPeers({ most: 4, look: async () => new Map([['1.1.1.1', 4]]) }),
    refused,
    now: () => 0,
  })
  for (let count = 0; count < 4; count++) crowded.arrive(peer(...HOST))
  expect(crowded.arrive(peer(...HOST))).toBe(false)
  expect(crowded.arrive(peer(1, 1, 1, 2))).toBe(true)
})

test('behind a proxy, the client is counted', () => {
  for (const forwarded of ['203.0.113.1', '203.0.113.1']) admission.sit(admission.seatOf(behind(forwarded)))
  expect(() => admission.seatOf(behind('203.0.113.1'))).toThrow('the share of your address')
  expect(() => admission.seatOf(behind('198.51.100.1, 203.0.113.1'))).toThrow('the share of your address')
  expect(() => admission.seatOf(behind('203.0.113.2'))).not.toThrow()
})

test('an IPv6 /64 counts as one address', () => {
  const site = (last: string) => admission.seatOf(behind(`2001:db8:1:2::${last}`))
  for (const last of ['1', 'ffff']) admission.sit(site(last))
  expect(() => site('2')).toThrow('the share of your address')
})

test('an exempt address has no share and no rate', () => {
  for (let count = 0; count < 200; count++) {
    const seat = admission.seatOf(caller(9, 9, 9, 9))
    admission.sit(seat)
    admission.spend(seat, 1000)
    expect(admission.allows(seat)).toBe(true)
  }
})

test('an address without tokens is refused on all its sockets and over HTTP, others are not', () => {
  const [first, second] = [admission.seatOf(caller(...HOST)), admission.seatOf(caller(...HOST))]
  const other = admission.seatOf(caller(1, 1, 1, 2))
  admission.spend(first, 1000)
  expect([first, second, other].map(admission.allows)).toEqual([false, false, true])
  expect(() => admission.request(caller(...HOST))).toThrow('too many requests from your address (address-rate)')
  expect(() => admission.seatOf(caller(...HOST))).toThrow(expect.objectContaining({ status: 429 }))
  expect(admission.isOverdrawn(second)).toBe(false)
  admission.spend(second, 1000)
  expect(admission.isOverdrawn(first)).toBe(true)
  expect(admission.arrive(peer(...HOST))).toBe(false)
  expect(admission.arrive(peer(1, 1, 1, 2))).toBe(true)
})

test('only callers on this machine that do not come through a proxy are local', () => {
  const direct = open({ proxies: [] })
  const isLocal = (from: ArrayBuffer, headers: Record<string, string> = {}) =>
    direct.callerOf(from, new Map(Object.entries({ host: 'localhost', ...headers }))).isLocal
  expect(isLocal(peer(127, 0, 0, 1))).toBe(true)
  expect(isLocal(peer(127, 0, 0, 1), { 'x-forwarded-for': '203.0.113.1' })).toBe(false)
  expect(isLocal(peer(127, 0, 0, 1), { host: 'relay.example.org' })).toBe(false)
  expect(isLocal(peer(1, 1, 1, 1))).toBe(false)
  expect(behind('127.0.0.1').isLocal).toBe(false)
})
