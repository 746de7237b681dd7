/**
 * The servers of one kind that share Redis. Each renews a lease; when the lease expires,
 * another server cleans up after it.
 */
import { randomUUID } from 'node:crypto'
import type { Logger } from '../process/log.ts'
import { oneAtATime } from '../process/one-at-a-time.ts'
import { createRecovery, type Recovery } from './recovery.ts'
import { freeing, type Redis, scriptOf } from './redis.ts'
import { refuseTransfer } from './transfer-note.ts'

/** Duration of a lease: a server counts as gone this many milliseconds after its last renewal. */
const LEASE = 20_000
/** Milliseconds between renewals. A renewal also detects that Redis has lost data. */
const RENEW_EVERY = 2000

/**
 * Renews a lease. Returns its previous expiry, or an empty string if there was no lease. It must run as `freeing`:
 * leases are also renewed while the memory of Redis is full.
 */
const renewal = scriptOf(`
  local before = redis.call('ZSCORE', KEYS[1], ARGV[2])
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
  return before or ''`)

export type Nodes = {
  /** Random id of this server. */
  id: string
  /** Adds a callback for servers whose lease has expired. It may be called more than once, and on several servers. */
  onGone: (take: (node: string) => Promise<void>) => void
  /** Restores this server's data in Redis after its lease has expired, or after Redis has lost the data. */
  recovery: Recovery
  /** Adds a check that repairs missing data in Redis. It runs with each renewal. */
  onTend: (check: () => Promise<void>) => void
  /** Renews the lease, runs the checks, and cleans up after servers that are gone. */
  tend: () => Promise<void>
  /** Calls `tend` regularly until `leave`. */
  start: () => void
  /** Number of servers with a lease, as last seen. */
  count: () => number
  /** Ends the lease, so that another server cleans up after this one. */
  leave: () => Promise<void>
}

export type NodesOptions = {
  redis: Redis
  /** Prefix of all keys: `relay` or `bridge`. */
  prefix: string
  log: Logger
  /** Clock: Unix time in milliseconds. */
  now?: () => number
}

/** Returns the key of a sorted set: ids of servers, scored by the expiry of their lease. */
export const leasesKey = (prefix: string): string => `${prefix}:{nodes}:leases`

/** Returns the number of servers whose lease has not expired. Throws RedisUnavailable. */
export const countLive = async (redis: Redis, prefix: string, now: number): Promise<number> =>
  Number(await redis.send(leasesKey(prefix), ['ZCOUNT', leasesKey(prefix), `(${now}`, '+inf']))

/** Returns the ids of all servers, including lost servers that still have data. Throws RedisUnavailable. */
export const allNodes = async (redis: Redis, prefix: string): Promise<string[]> => {
  const nodes = await redis.send(leasesKey(prefix), ['ZRANGE', leasesKey(prefix), '0', '-1'])
  return Array.isArray(nodes) ? nodes.map(String) : []
}

/** Ends a server's lease, so that another server cleans up after it. */
export const endLease = async (redis: Redis, prefix: string, node: string): Promise<void> => {
  await redis.send(leasesKey(prefix), ['ZADD', leasesKey(prefix), '0', node])
}

/** Registers this server. Throws RedisUnavailable, or an error for the operator while a transfer is incomplete. */
export const joinNodes = async ({ redis, prefix, log, now = Date.now }: NodesOptions): Promise<Nodes> => {
  const id = randomUUID()
  const leases = leasesKey(prefix)
  const takers: ((node: string) => Promise<void>)[] = []
  const checks: (() => Promise<void>)[] = []
  const recovery = createRecovery(log, now)
  /**
   * Expiries that Redis may have for the lease: the last confirmed expiry, then each expiry whose renewal has no reply
   * yet.
   */
  let ends: number[] = []
  let count = 1
  let timer: NodeJS.Timeout | undefined

  const renew = async (): Promise<void> => {
    const expected = ends
    const end = now() + LEASE
    ends = [...ends, end]
    const before = await redis.run(freeing(renewal), [leases], [`${end}`, id])
    ends = ends.slice(ends.indexOf(end))
    if (expected.length === 0 || (before !== '' && expected.includes(Number(before)))) return
    // Without a stored expiry, other servers have removed this server's expired lease. An unexpected expiry means that
    // Redis has lost later writes.
    if (before === '') recovery.restore()
    else recovery.lost()
  }

  const tend = async (): Promise<void> => {
    await renew()
    for (const check of checks) await check()
    const over = await redis.send(leases, ['ZRANGEBYSCORE', leases, '-inf', `${now()}`])
    for (const node of Array.isArray(over) ? over.map(String) : []) {
      for (const take of takers) await take(node)
      await redis.send(leases, ['ZREM', leases, node])
    }
    count = Number(await redis.send(leases, ['ZCARD', leases]))
  }
  // This server writes its lease and then looks for a transfer's note, and a transfer writes its note before it counts
  // the leases. Whichever writes second finds what the other has written, so at least one of the two notices the other.
  await renew()
  try {
    await refuseTransfer(redis, prefix)
  } catch (thrown) {
    await redis.send(leases, ['ZREM', leases, id])
    throw thrown
  }

  return {
    id,
    onGone: take => {
      takers.push(take)
    },
    recovery,
    onTend: check => {
      checks.push(check)
    },
    tend,
    start: () => {
      const onFault = (err: unknown) => log.warn({ err }, 'the lease of this server could not be renewed')
      timer = setInterval(oneAtATime(tend, onFault), RENEW_EVERY)
      // After a failover to a lagging replica, the latest subscriptions are missing in Redis, so this server restores
      // its own.
      redis.onGap(recovery.restore)
    },
    count: () => count,
    leave: async () => {
      clearInterval(timer)
      recovery.close()
      await endLease(redis, prefix, id)
    },
  }
}
