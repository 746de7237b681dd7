/**
 * Counts connections by address, including connections without a request. uWebSockets.js reports the address of a new
 * connection, but not of a closed one. Arrivals are therefore counted, and if an address seems to have many
 * connections, the kernel's list gives the actual number (proc_net(5); Linux only). The list may be long, so it is
 * processed in slices, between other work.
 */
import { readFile } from 'node:fs/promises'
import { addressOf, countedAs } from '../limits/addresses.ts'
import { endOfTurn } from '../process/turn.ts'

const LISTS = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
const LISTEN = '0A'
/** Inode of a connection without an open file: it is not accepted yet, or closed. */
const NO_INODE = '0'
/** Lines of the list processed per turn of the event loop. */
const LINES_A_TURN = 250
/** Minimum milliseconds between two readings of the list. */
const LOOK_EVERY = 1000
/** A long list is read less often: the pause after a reading is this many times as long as the reading took. */
const PAUSE_FACTOR = 10
/** Number of tracked addresses above which the list is read, to find closed connections. */
const MANY = 20_000

const isText = (text: string | undefined): text is string => text !== undefined

/** Decodes an address in hex, where every four bytes are a number in native byte order. */
const addressFrom = (hex: string): string | undefined => {
  const bytes = Buffer.from(hex, 'hex')
  const swapped = new Uint8Array(bytes.swap32())
  const address = addressOf(swapped.buffer)
  return address && countedAs(address)
}

/** Counts the connections to a local port by remote address. Resolves with undefined if the kernel provides no list. */
export const readPeers = async (port: number, read = (path: string): Promise<string> => readFile(path, 'latin1')) => {
  const peers = new Map<string, number>()
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const countLine = (line: string): void => {
    if (!line.includes(suffix)) return
    const [, local = '', remote = '', state, , , , , , inode = NO_INODE] = line.trim().split(/\s+/, 10)
    if (state === LISTEN || inode === NO_INODE || !local.endsWith(suffix)) return
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
  /** Called for a new connection. False if its address has too many. */
  arrive: (key: string) => boolean
}

export type PeersOptions = {
  /** Maximum number of connections per address. */
  most: number
  /** Counts open connections by address. */
  look: () => Promise<ReadonlyMap<string, number> | undefined>
  /** Any monotonic clock in milliseconds. */
  now?: () => number
}

const add = (counts: Map<string, number>, key: string, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

export const createPeers = ({ most, look, now = () => performance.now() }: PeersOptions): Peers => {
  let counts = new Map<string, number>()
  /** Connections that arrived while the list was being read, which may or may not contain them. */
  let arrivals: Map<string, number> | undefined
  let nextLookAt = Number.NEGATIVE_INFINITY

  /** Replaces the counts by the actual numbers. If they are not available, all counts are reset. */
  const lookAgain = async (): Promise<void> => {
    const begin = now()
    if (arrivals || begin < nextLookAt) return
    arrivals = new Map()
    counts = new Map(await look().catch(() => undefined))
    for (const [key, count] of arrivals) add(counts, key, count)
    arrivals = undefined
    nextLookAt = Math.max(begin + LOOK_EVERY, now() + PAUSE_FACTOR * (now() - begin))
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
