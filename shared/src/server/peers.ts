/**
 * Connections by the address they come from, those that have not said anything included. uWebSockets.js tells of each
 * that comes where it is from, and of each that goes only that it has gone. So arrivals are counted, and where an address
 * seems to have many, the kernel's list of connections tells how many are left (proc_net(5); Linux only). The list may be
 * long, so it is read while other work goes on.
 */
import { readFile } from 'node:fs/promises'
import { addressOf, countedAs } from './addresses.ts'
import { endOfTurn } from './turn.ts'

const LISTS = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
const ESTABLISHED = '01'
/** Lines of the list that are read in a turn of the event loop. */
const LINES_A_TURN = 250
/** Milliseconds between two looks at the list. */
const LOOK_EVERY = 1000
/** Addresses that are counted before those that have gone are looked for. */
const MANY = 20_000

const isText = (text: string | undefined): text is string => text !== undefined

/** The address in hex, each four bytes as a number of this machine. */
const addressFrom = (hex: string): string | undefined => {
  const bytes = Buffer.from(hex, 'hex')
  const swapped = new Uint8Array(bytes.swap32())
  const address = addressOf(swapped.buffer)
  return address && countedAs(address)
}

/** The connections to a local port by the address they come from; undefined where the kernel has no such list. */
export const readPeers = async (port: number, read = (path: string): Promise<string> => readFile(path, 'latin1')) => {
  const peers = new Map<string, number>()
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const countLine = (line: string): void => {
    const [, local = '', remote = '', state] = line.trim().split(/\s+/, 4)
    if (state !== ESTABLISHED || !local.endsWith(suffix)) return
    const key = addressFrom(remote.slice(0, remote.indexOf(':')))
    if (key !== undefined) peers.set(key, (peers.get(key) ?? 0) + 1)
  }
  const texts = (await Promise.all(LISTS.map(path => read(path).catch(() => undefined)))).filter(isText)
  for (const text of texts) {
    const lines = text.split('\n')
    for (let start = 0; start < lines.length; start += LINES_A_TURN) {
      for (const line of lines.slice(start, start + LINES_A_TURN)) countLine(line)
      await endOfTurn()
    }
  }
  return texts.length > 0 ? peers : undefined
}

export type Peers = {
  /** A connection came. False if its address has too many. */
  arrive: (key: string) => boolean
}

export type PeersOptions = {
  /** Most connections of one address. */
  most: number
  /** Counts those that are connected. */
  look: () => Promise<ReadonlyMap<string, number> | undefined>
  /** Milliseconds of any steady clock. */
  now?: () => number
}

const add = (counts: Map<string, number>, key: string, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

export const createPeers = ({ most, look, now = () => performance.now() }: PeersOptions): Peers => {
  let counts = new Map<string, number>()
  /** Those that came while the list was read. It may have them or not. */
  let arrivals: Map<string, number> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  /** Forgets those that have gone. Where they cannot be told, all are forgotten. */
  const lookAgain = async (): Promise<void> => {
    if (arrivals || now() - lookedAt < LOOK_EVERY) return
    lookedAt = now()
    arrivals = new Map()
    counts = new Map(await look().catch(() => undefined))
    for (const [key, count] of arrivals) add(counts, key, count)
    arrivals = undefined
  }

  return {
    arrive: key => {
      const count = counts.get(key) ?? 0
      if (counts.size > MANY || count >= most / 2) void lookAgain()
      if (count >= most) return false
      add(counts, key, 1)
      if (arrivals) add(arrivals, key, 1)
      return true
    },
  }
}
