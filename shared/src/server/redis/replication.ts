/**
 * Waits for the replicas of Redis with WAIT, which blocks its connection and covers only writes of that connection.
 * WAIT is therefore sent on a second connection, after a small write. When replicas have this write, they also have all
 * earlier writes that were answered on the first connection. https://redis.io/docs/latest/commands/wait/
 */
import { type Redis, RedisUnavailable } from './redis.ts'

/** Timeout of WAIT in milliseconds. */
const REPLICATED_WITHIN = 2000
/** Milliseconds until the small write expires. */
const KEPT = 60_000

/** The running wait for keys with the same hash tag, and the next one, which starts after it. */
type Group = { running: Promise<void> | undefined; next: Promise<void> | undefined }

/**
 * Returns the part of a key that decides its slot:
 * https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
 */
const tagOf = (key: string): string => /\{([^}]+)\}/.exec(key)?.[1] ?? key

/**
 * Wraps Redis so that `storing` resolves once that many replicas have the data too. `fences` is
 * another connection to the same servers.
 */
export const replicating = (redis: Redis, fences: Redis, replicas: number): Redis => {
  const groups = new Map<string, Group>()
  let gaps = 0
  for (const one of [redis, fences])
    one.onGap(() => {
      gaps += 1
    })

  const fence = async (tag: string): Promise<void> => {
    const key = `fence:{${tag}}`
    const [, reached] = await Promise.all([
      fences.send(key, ['SET', key, '', 'PX', `${KEPT}`]),
      fences.send(key, ['WAIT', `${replicas}`, `${REPLICATED_WITHIN}`]),
    ])
    if (Number(reached) < replicas) throw new RedisUnavailable(`only ${reached} of ${replicas} replicas have it`)
  }

  const start = async (tag: string, group: Group): Promise<void> => {
    await group.running?.catch(() => undefined)
    group.running = group.next
    group.next = undefined
    try {
      await fence(tag)
    } finally {
      if (!group.next) groups.delete(tag)
    }
  }

  /**
   * Resolves once the replicas have all writes that were answered before the call. Calls made during a wait share the
   * next wait.
   */
  const replicated = (key: string): Promise<void> => {
    const tag = tagOf(key)
    const group = groups.get(tag) ?? { running: undefined, next: undefined }
    groups.set(tag, group)
    group.next ??= start(tag, group)
    return group.next
  }

  return {
    ...redis,
    storing: async (key, work) => {
      const before = gaps
      const result = await work()
      await replicated(key)
      // The connection was lost meanwhile, and a new primary's replicas do not confirm what the previous primary had
      // answered.
      if (gaps !== before) throw new RedisUnavailable('the connection to Redis was lost before the replicas answered')
      return result
    },
    close: async () => {
      await Promise.all([redis.close(), fences.close()])
    },
  }
}
