import { expect, test } from 'vitest'
import { createPeers, readPeers } from './peers.ts'

const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1
   1: 0100007F:1F90 0200007F:A1B2 01 00000000:00000000 00:00000000 00000000  1000        0 2
   2: 0100007F:1F90 0200007F:A1B3 01 00000000:00000000 00:00000000 00000000  1000        0 3
   3: 0100007F:1F90 0200007F:A1B4 05 00000000:00000000 00:00000000 00000000  1000        0 4
   4: 0100007F:1F90 0300007F:A1B3 06 00000000:00000000 00:00000000 00000000  1000        0 0
   5: 0100007F:1F90 0300007F:A1B4 05 00000000:00000000 00:00000000 00000000  1000        0 0
   6: 0100007F:1F90 0300007F:A1B5 01 00000000:00000000 00:00000000 00000000  1000        0 0
   7: 0100007F:1F91 0300007F:A1B3 01 00000000:00000000 00:00000000 00000000  1000        0 5
`
const TCP6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:1F90 B80D0120010002000000000001000000:A1B2 01 00000000:00000000 00:00000000 00000000  1000        0 6
   1: 00000000000000000000000000000000:1F90 0000000000000000FFFF00000200007F:A1B5 01 00000000:00000000 00:00000000 00000000  1000        0 7
`
const read = async (path: string): Promise<string> => (path.endsWith('6') ? TCP6 : TCP)

test('counts the connections to a port by address, until both sides have closed, IPv4-mapped ones as IPv4', async () => {
  expect(await readPeers(8080, read)).toEqual(
    new Map([
      ['127.0.0.2', 4],
      ['2001:db8:2:1', 1],
    ]),
  )
})

test('returns undefined if the kernel provides no list', async () => {
  const fail = () => Promise.reject(new Error('ENOENT'))
  expect(await readPeers(8080, fail)).toBeUndefined()
})

test('an address with too many connections is refused until some close, and the list is read at most once a second', async () => {
  let [time, looks, left] = [0, 0, 2]
  const look = async () => {
    looks += 1
    return new Map([['a', left]])
  }
  const peers = createPeers({ most: 2, look, now: () => time })
  const arrivals = (count: number): boolean[] => Array.from({ length: count }, () => peers.arrive('a'))
  expect(arrivals(3)).toEqual([true, true, false])
  await new Promise(setImmediate)
  expect([peers.arrive('b'), looks]).toEqual([true, 1])
  left = 1
  expect(peers.arrive('a')).toBe(false)
  time = 1000
  expect(peers.arrive('a')).toBe(false)
  await new Promise(setImmediate)
  expect([looks, ...arrivals(2)]).toEqual([2, true, false])
})

test('an address that reconnects is never refused', async () => {
  let time = 0
  const peers = createPeers({ most: 10, look: async () => new Map([['a', 1]]), now: () => time })
  for (let turn = 0; turn < 50; turn++) {
    expect(peers.arrive('a')).toBe(true)
    await new Promise(setImmediate)
    time += 500
  }
})

test('counts connections that arrive while the list is read', async () => {
  let found: (list: Map<string, number>) => void = () => undefined
  const peers = createPeers({ most: 4, look: () => new Promise(resolve => (found = resolve)) })
  for (let count = 0; count < 4; count++) expect(peers.arrive('a')).toBe(true)
  found(new Map([['a', 2]]))
  await new Promise(setImmediate)
  expect(peers.arrive('a')).toBe(false)
})

test('pauses longer after a reading that took long', async () => {
  let [time, looks] = [0, 0]
  const look = async () => {
    looks += 1
    time += 200
    return new Map([['a', 2]])
  }
  const peers = createPeers({ most: 2, look, now: () => time })
  const looksAt = async (at: number): Promise<number> => {
    time = at
    peers.arrive('a')
    await new Promise(setImmediate)
    return looks
  }
  expect(await looksAt(0)).toBe(0)
  expect(await looksAt(0)).toBe(1)
  expect(await looksAt(2100)).toBe(1)
  expect(await looksAt(2300)).toBe(2)
})
