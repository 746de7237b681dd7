import { beforeEach, expect, test, vi } from 'vitest'
import { type Admission, createAdmission } from './admission.ts'
import { parseRange } from './public-fetch.ts'

const refused = vi.fn()
const proxies = [parseRange('127.0.0.1')]
let admission: Admission
beforeEach(() => {
  refused.mockClear()
  admission = createAdmission({ connections: 3, addressConnections: 2, proxies }, refused)
})

const from = (...bytes: number[]) => ({ peer: Uint8Array.from(bytes).buffer, forwarded: '' })
const behind = (forwarded: string) => ({ ...from(127, 0, 0, 1), forwarded })

test('beyond the bound a connection is heard and refused, and far beyond it closed unheard', () => {
  for (let count = 0; count < 3; count++) expect(admission.arrive()).toBe(true)
  expect(admission.seatOf(from(1, 1, 1, 1)).sockets).toBe(0)
  expect(admission.arrive()).toBe(true)
  expect(() => admission.seatOf(from(1, 1, 1, 1))).toThrow('at most 3 connections (connections)')
  let heard = 4
  while (admission.arrive()) heard += 1
  expect(heard).toBe(103)
  expect(refused).toHaveBeenCalledWith('connections')
})

test('who leaves makes room', () => {
  for (let count = 0; count < 4; count++) admission.arrive()
  expect(() => admission.seatOf(from(1, 1, 1, 1))).toThrow(expect.objectContaining({ status: 503 }))
  admission.leave()
  expect(admission.seatOf(from(1, 1, 1, 1)).sockets).toBe(0)
})

test('an address has so many sockets, and each that goes makes room', () => {
  const seat = admission.seatOf(from(1, 1, 1, 1))
  admission.sit(seat)
  admission.sit(admission.seatOf(from(1, 1, 1, 1)))
  expect(() => admission.seatOf(from(1, 1, 1, 1))).toThrow(
    expect.objectContaining({
      status: 429,
      message: 'at most 2 connections from one address (address-connections)',
      headers: { 'Retry-After': '5' },
    }),
  )
  expect(refused).toHaveBeenCalledExactlyOnceWith('address-connections')
  expect(admission.seatOf(from(1, 1, 1, 2)).sockets).toBe(0)
  admission.rise(seat)
  expect(admission.seatOf(from(1, 1, 1, 1)).sockets).toBe(1)
})

test('behind a proxy it is the client that counts', () => {
  for (const forwarded of ['203.0.113.1', '203.0.113.1']) admission.sit(admission.seatOf(behind(forwarded)))
  expect(() => admission.seatOf(behind('203.0.113.1'))).toThrow('from one address')
  expect(() => admission.seatOf(behind('198.51.100.1, 203.0.113.1'))).toThrow('from one address')
  expect(admission.seatOf(behind('203.0.113.2')).sockets).toBe(0)
})
