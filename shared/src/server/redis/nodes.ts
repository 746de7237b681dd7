/** The servers of one kind on one Redis. Each renews a lease; when it is over, another server takes care of what it left. */
import { randomUUID } from 'node:crypto'
import type { Logger } from '../process/log.ts'
import { oneAtATime } from '../process/one-at-a-time.ts'
import { createRecovery, type Recovery } from './recovery.ts'
import { freeing, type Redis, scriptOf } from './redis.ts'
import { refuseTransfer } from './transfer-note.ts'

/** Milliseconds after its last renewal until a server counts as gone. */
const LEASE = 20_000
/** Milliseconds between renewals, which also notice that Redis has lost data. */
const RENEW_EVERY = 2000

/** Renews a lease, also when the memory of Redis is full. Returns the end that it had, or an empty string. */
const renewal = scriptOf(`
  local before = redis.call('ZSCORE', KEYS[1], ARGV[2])
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
  return before or ''`)

export type Nodes = {
  /** Random id of this server. */
  id: string
  /** Calls back with the id of a server whose lease is over, perhaps more than once and on several servers. */
  onGone: (take: (node: string) => Promise<void>) => void
  /** Puts back what this server has in Redis, after its lease was over or Redis has lost it. */
  recovery: Recovery
  /** Adds a check of something in Redis, which repairs what is missing. It is made with each renewal. */
  onTend: (check: () => Promise<void>) => void
  /** Renews the lease, makes the checks, and takes care of servers that are gone. */
  tend: () => Promise<void>
  /** Calls `tend` regularly until `leave`. */
  start: () => void
  /** Number of servers with a lease, as last seen. */
  count: () => number
  /** Ends the lease, so that another server takes care of what is left. */
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

/** Key of a sorted set of server ids by the time at which their lease ends. */
export const leasesKey = (prefix: string): string => `${prefix}:{nodes}:leases`

/** Number of servers whose lease is not over. Throws RedisUnavailable. */
export const countLive = async (redis: Redis, prefix: string, now: number): Promise<number> =>
  Number(await redis.send(leasesKey(prefix), ['ZCOUNT', leasesKey(prefix), `(${now}`, '+inf']))

/** Ids of all servers, also of those that are gone and that no other server took care of. Throws RedisUnavailable. */
export const allNodes = async (redis: Redis, prefix: string): Promise<string[]> => {
  const nodes = await redis.send(leasesKey(prefix), ['ZRANGE', leasesKey(prefix), '0', '-1'])
  return Array.isArray(nodes) ? nodes.map(String) : []
}

/** Ends a lease, so that another server takes care of what is left. */
export const endLease = async (redis: Redis, prefix: string, node: string): Promise<void> => {
  await redis.send(leasesKey(prefix), ['ZADD', leasesKey(prefix), '0', node])
}

/** Joins the servers. Throws RedisUnavailable, or an error for the operator while a transfer is not complete. */
export const joinNodes = async ({ redis, prefix, log, now = Date.now }: NodesOptions): Promise<Nodes> => {
  const id = randomUUID()
  const leases = leasesKey(prefix)
  const takers: ((node: string) => Promise<void>)[] = []
  const checks: (() => Promise<void>)[] = []
  const recovery = createRecovery(log, now)
  /** Ends of the lease that Redis may have: the last one that it confirmed, then those whose reply is missing. */
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
    // Other servers remove a lease that is over. Only a Redis that has gone back has an earlier one.
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
  // A transfer writes its note before it counts the leases, so one of the two sees the other.
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
      // After a failover to a replica that lags, the last subscriptions are missing.
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
