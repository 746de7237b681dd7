/**
 * Connections by the address they come from, those that have not said anything included. uWebSockets.js tells of each
 * that comes where it is from, and of each that goes only that it has gone. So arrivals are counted, and where an address
 * seems to have too many, the kernel's list of connections tells how many are left (proc_net(5); Linux only).
 */
import { readFileSync } from 'node:fs'
import { addressOf, countedAs } from './addresses.ts'

const LISTS = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
const ESTABLISHED = '01'
/** Milliseconds between two looks at the list, which costs some while there are many connections. */
const LOOK_EVERY = 1000
/** Addresses that are counted before those that have gone are looked for. */
const MANY = 20_000

/** The address in hex, each four bytes as a number of this machine. */
const addressFrom = (hex: string): string | undefined => {
  const bytes = Buffer.from(hex, 'hex')
  const swapped = new Uint8Array(bytes.swap32())
  const address = addressOf(swapped.buffer)
  return address && countedAs(address)
}

/** The connections to a local port by the address they come from; undefined where the kernel has no such list. */
export const readPeers = (port: number, read = (path: string): string => readFileSync(path, 'latin1')) => {
  const peers = new Map<string, number>()
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  let isKnown = false
  for (const path of LISTS) {
    let text: string
    try {
      text = read(path)
    } catch {
      continue
    }
    isKnown = true
    for (const line of text.split('\n')) {
      const [, local = '', remote = '', state] = line.trim().split(/\s+/, 4)
      if (state !== ESTABLISHED || !local.endsWith(suffix)) continue
      const key = addressFrom(remote.slice(0, remote.indexOf(':')))
      if (key !== undefined) peers.set(key, (peers.get(key) ?? 0) + 1)
    }
  }
  return isKnown ? peers : undefined
}

export type Peers = {
  /** A connection came. False if its address has too many. */
  arrive: (key: string) => boolean
}

export type PeersOptions = {
  /** Most connections of one address. */
  most: number
  look: () => ReadonlyMap<string, number> | undefined
  /** Milliseconds of any steady clock. */
  now?: () => number
}

export const createPeers = ({ most, look, now = () => performance.now() }: PeersOptions): Peers => {
  let counts = new Map<string, number>()
  let lookedAt = Number.NEGATIVE_INFINITY

  /** Forgets those that have gone. Where they cannot be told, all are forgotten. */
  const lookAgain = (): void => {
    if (now() - lookedAt < LOOK_EVERY) return
    lookedAt = now()
    counts = new Map(look())
  }

  return {
    arrive: key => {
      if (counts.size > MANY || (counts.get(key) ?? 0) >= most) lookAgain()
      const count = counts.get(key) ?? 0
      if (count >= most) return false
      counts.set(key, count + 1)
      return true
    },
  }
}
