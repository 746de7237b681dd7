/** How many relays and primaries a number of connected wallets needs, from measured costs. */
import { SHARDS } from '@heliograph/shared/server/redis/shards'
import type { MessageCosts } from './simulation.ts'

/** Measured costs of one relay and one Redis. Bytes of memory; the load of a connection is a part of one processor. */
export type Costs = {
  message: MessageCosts
  connectionBytes: number
  connectionLoad: number
  subscriptionBytes: number
  waitingBytes: number
}

/** Assumptions about wallets and machines. Replace them by your own. */
export const ASSUMED = {
  /** Topics of a wallet: its pairings and sessions. */
  subscriptions: 3,
  /** Messages of a wallet in a day, both ways, and how many times more there are in the busiest hour. */
  messagesADay: 20,
  peak: 3,
  /** Messages that wait for a wallet. */
  waiting: 2,
  /** Bytes that a message is on the network of clients (in and out, with its answer and acknowledgement). */
  clientBytes: 2000,
  /** Memory of the kernel for a connection. */
  kernelBytes: 4096,
  /** The most that a relay and a primary are used: parts of one processor, bytes, connections. */
  relayLoad: 0.6,
  primaryLoad: 0.5,
  relayBytes: 2 * 2 ** 30,
  primaryBytes: 16 * 2 ** 30,
  relayConnections: 200_000,
  /** Copies of each primary's memory: the primary and one replica. */
  copies: 2,
  /** Seconds on the network between a relay and Redis. */
  network: 0.00025,
  /** US dollars a month: a processor, a GiB of memory, a GiB of traffic to clients. */
  prices: { processor: 25, memory: 3, traffic: 0.02 },
} as const

export type Need = {
  wallets: number
  /** Messages per second in the busiest hour. */
  rate: number
  relays: number
  primaries: number
  relayBytes: number
  redisBytes: number
  /** Bits per second to and from clients in the busiest hour. */
  bandwidth: number
  dollars: number
  /** Work of each relay besides messages, as a part of its processor. */
  relayLoad: number
  /** The need that decides the number of relays, and that of primaries. */
  limits: { relays: string; primaries: string }
}

const DAY = 24 * 60 * 60
const MONTH = 30 * DAY
const GIB = 2 ** 30
const BITS = 8

export const sum = (costs: Readonly<Record<string, number>>): number =>
  Object.values(costs).reduce((total, cost) => total + cost, 0)

/** The largest of some numbers, rounded up, and its name. */
const largest = (needs: Readonly<Record<string, number>>): [count: number, name: string] => {
  const [first] = Object.entries(needs).toSorted(([, one], [, other]) => other - one)
  return first ? [Math.max(1, Math.ceil(first[1])), first[0]] : [1, '']
}

export const planFor = (wallets: number, costs: Costs): Need => {
  const { prices, ...assumed } = ASSUMED
  const average = (wallets * assumed.messagesADay) / DAY
  const rate = average * assumed.peak
  const relayBytes = wallets * (costs.connectionBytes + assumed.kernelBytes)
  const redisBytes =
    wallets * (assumed.subscriptions * costs.subscriptionBytes + assumed.waiting * costs.waitingBytes) * assumed.copies
  const [relays, relayLimit] = largest({
    connections: wallets / assumed.relayConnections,
    memory: relayBytes / assumed.relayBytes,
    processor: (rate * sum(costs.message.relay) + wallets * costs.connectionLoad) / assumed.relayLoad,
  })
  const [primaries, primaryLimit] = largest({
    processor: (rate * sum(costs.message.primary)) / assumed.primaryLoad,
    memory: redisBytes / assumed.copies / assumed.primaryBytes,
  })
  const processors = relays + primaries * assumed.copies
  const traffic = (average * assumed.clientBytes * MONTH) / GIB
  return {
    wallets,
    rate,
    relays,
    primaries,
    relayBytes,
    redisBytes,
    bandwidth: rate * assumed.clientBytes * BITS,
    dollars:
      processors * prices.processor + ((relayBytes + redisBytes) / GIB) * prices.memory + traffic * prices.traffic,
    relayLoad: (wallets / relays) * costs.connectionLoad,
    limits: {
      relays: relayLimit,
      primaries: primaries > SHARDS ? `${primaryLimit}, more than ${SHARDS} shards` : primaryLimit,
    },
  }
}
