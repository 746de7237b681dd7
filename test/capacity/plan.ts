/** Plans the relays and primaries that a number of connected wallets needs, from measured costs. */
import { SHARDS } from '@heliograph/shared/server/redis/shards'
import type { MessageCosts } from './simulation.ts'

/**
 * Measured costs of one relay and one Redis server. Memory is in bytes, and a connection's load is a part of one
 * processor.
 */
export type Costs = {
  message: MessageCosts
  connectionBytes: number
  connectionLoad: number
  subscriptionBytes: number
  waitingBytes: number
}

/** Assumptions about wallets and machines. Replace them with your own. */
export const ASSUMED = {
  /** Topics per wallet: its pairings and sessions. */
  subscriptions: 3,
  /** Messages per wallet and day, in both directions, and the factor of the busiest hour. */
  messagesADay: 20,
  peak: 3,
  /** Messages that are stored for a wallet. */
  waiting: 2,
  /** Bytes of client traffic per message: in and out, with its response and acknowledgement. */
  clientBytes: 2000,
  /** Kernel memory per connection, in bytes. */
  kernelBytes: 4096,
  /** Maximum use of a relay and a primary: parts of one processor, bytes, connections. */
  relayLoad: 0.6,
  primaryLoad: 0.5,
  relayBytes: 2 * 2 ** 30,
  primaryBytes: 16 * 2 ** 30,
  relayConnections: 200_000,
  /** Copies of each primary's memory: the primary and one replica. */
  copies: 2,
  /** Network latency between a relay and Redis, in seconds. */
  network: 0.00025,
  /** US dollars per month: a processor, a GiB of memory, and a GiB of traffic to clients. */
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
  /** Load of each relay apart from messages, as a part of its processor. */
  relayLoad: number
  /** The resources that determine the number of relays, and the number of primaries. */
  limits: { relays: string; primaries: string }
}

const DAY = 24 * 60 * 60
const MONTH = 30 * DAY
const GIB = 2 ** 30
const BITS = 8

export const sum = (costs: Readonly<Record<string, number>>): number =>
  Object.values(costs).reduce((total, cost) => total + cost, 0)

/** Returns the largest of some numbers, rounded up, and its name. */
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
