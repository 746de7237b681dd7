/** The servers of one kind on one Redis. Each renews a lease; when it is over, another server takes care of what it left. */
import { randomUUID } from 'node:crypto'
import type { Logger } from '../process/log.ts'
import { oneAtATime } from '../process/one-at-a-time.ts'
import { freeing, type Redis, scriptOf } from './redis.ts'
import { refuseTransfer } from './transfer-note.ts'

/** Milliseconds after its last renewal until a server counts as gone. */
const LEASE = 20_000
/** Milliseconds between renewals. */
const RENEW_EVERY = 5000

/** Renews a lease, also when the memory of Redis is full. */
const renewal = scriptOf(`return redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])`)

export type Nodes = {
  /** Random id of this server. */
  id: string
  /** Calls back with the id of a server whose lease is over, perhaps more than once and on several servers. */
  onGone: (take: (node: string) => Promise<void>) => void
  /** Calls back when this server's own lease was over, so that others may have taken care of what it had. */
  onReturn: (restore: () => Promise<void>) => void
  /** Renews the lease and takes care of servers that are gone. */
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
  const restorers: (() => Promise<void>)[] = []
  let count = 1
  let timer: NodeJS.Timeout | undefined

  /** Resolves with true if there was no lease. */
  const renew = async (): Promise<boolean> =>
    (await redis.run(freeing(renewal), [leases], [`${now() + LEASE}`, id])) === 1

  const tend = async (): Promise<void> => {
    if (await renew()) for (const restore of restorers) await restore()
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
    onReturn: restore => {
      restorers.push(restore)
    },
    tend,
    start: () => {
      const onFault = (err: unknown) => log.warn({ err }, 'the lease of this server could not be renewed')
      timer = setInterval(oneAtATime(tend, onFault), RENEW_EVERY)
    },
    count: () => count,
    leave: async () => {
      clearInterval(timer)
      await endLease(redis, prefix, id)
    },
  }
}
