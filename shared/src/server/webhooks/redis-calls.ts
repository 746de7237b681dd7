/**
 * Webhook calls on Redis. Each server has a hash of its own calls. When the server's lease has expired, another server
 * moves the calls to its own hash and makes them.
 */
import { randomUUID } from 'node:crypto'
import type { Logger } from '../process/log.ts'
import { allNodes, endLease, type Nodes } from '../redis/nodes.ts'
import { type Redis, type Reply, scriptOf } from '../redis/redis.ts'
import type { Content } from './content.ts'
import { type CallId, type CallStore, type Owed, written } from './store.ts'

/** Stores calls, unless the hash was taken over. Returns 1 if it stored them, otherwise 0. */
const PUT = scriptOf(`
  if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
  for at = 1, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
  return 1`)

/** Milliseconds for which Redis remembers that a server's hash was taken over. */
const TAKEN_FOR = 24 * 60 * 60 * 1000

/** Moves all calls from the second hash to the first. Returns the calls of the first. */
const TAKE = scriptOf(`
  local moved = redis.call('HGETALL', KEYS[2])
  for at = 1, #moved, 2 do redis.call('HSET', KEYS[1], moved[at], moved[at + 1]) end
  redis.call('DEL', KEYS[2])
  redis.call('SET', KEYS[3], '1', 'PX', ARGV[1])
  return redis.call('HGETALL', KEYS[1])`)

/** Number of calls stored by one command. */
const PAGE = 500

type Row = { owed: Owed; content: Content }

/** Returns the key of a server's calls. */
const callsKey = (prefix: string, node: string): string => `${prefix}:{tables}:calls:${node}`

export type RedisCallsOptions = {
  redis: Redis
  nodes: Nodes
  /** Prefix of all keys: `relay` or `bridge`. */
  prefix: string
  log: Logger
}

const rowsIn = (reply: Reply): [id: string, row: Row][] => {
  const list = Array.isArray(reply) ? reply.map(String) : []
  return list.flatMap((id, at) => (at % 2 === 0 ? [[id, JSON.parse(list[at + 1] ?? '')]] : []))
}

/** Stores calls under the id of a server that is gone, so that the next server that starts makes them. Idempotent. */
export const putCalls = async (redis: Redis, prefix: string, node: string, rows: readonly [string, Row][]) => {
  for (let at = 0; at < rows.length; at += PAGE) {
    const fields = rows.slice(at, at + PAGE).flatMap(([id, row]) => [id, JSON.stringify(row)])
    await redis.send(callsKey(prefix, node), ['HSET', callsKey(prefix, node), ...fields])
  }
  if (rows.length > 0) await endLease(redis, prefix, node)
}

const LIST = scriptOf(`return redis.call('HGETALL', KEYS[1])`)

/** Returns the stored calls of all servers, oldest first. No server may be running. */
export const allCalls = async (redis: Redis, prefix: string): Promise<Row[]> => {
  const rows: Row[] = []
  for (const node of await allNodes(redis, prefix))
    for (const [, row] of rowsIn(await redis.run(LIST, [callsKey(prefix, node)], []))) rows.push(row)
  return rows.sort((a, b) => a.owed.firstAt - b.owed.firstAt)
}

export const openRedisCalls = ({ redis, nodes, prefix, log }: RedisCallsOptions): CallStore => {
  const keyOf = (node: string): string => callsKey(prefix, node)
  const takenKeyOf = (node: string): string => `${prefix}:{tables}:taken:${node}`
  const key = keyOf(nodes.id)
  const takenKey = takenKeyOf(nodes.id)
  const rows = new Map<CallId, Row>()
  /** Ids of calls that are done but still in Redis. */
  const done = new Set<string>()
  let isRemoving = false

  const store = async (some: readonly [CallId, Row][]): Promise<void> => {
    const args = some.flatMap(([id, row]) => [`${id}`, JSON.stringify(row)])
    if ((await redis.run(PUT, [key, takenKey], args)) === 1) return
    await nodes.tend()
    await restore()
  }

  /** Stores all calls of this server again, after another server took them over. Both servers will make them. */
  const restore = async (): Promise<void> => {
    await redis.send(takenKey, ['DEL', takenKey])
    const all = [...rows]
    // The filter skips calls that were completed meanwhile.
    for (let at = 0; at < all.length; at += PAGE) await store(all.slice(at, at + PAGE).filter(([id]) => rows.has(id)))
  }
  nodes.recovery.onRestore(restore)

  const removeDone = async (): Promise<void> => {
    if (isRemoving) return
    isRemoving = true
    try {
      while (done.size > 0) {
        const ids = [...done]
        await redis.send(key, ['HDEL', key, ...ids])
        for (const id of ids) done.delete(id)
      }
    } catch (err) {
      log.warn({ err }, 'finished webhook calls could not be removed')
    } finally {
      isRemoving = false
    }
  }
  redis.onGap(() => void removeDone())

  return {
    load: enter => {
      nodes.onGone(async node => {
        // A lost reply loses no calls, because the next takeover returns all calls of this server again.
        const reply = await redis.run(TAKE, [key, keyOf(node), takenKeyOf(node)], [`${TAKEN_FOR}`])
        const taken = rowsIn(reply).filter(([id]) => !rows.has(id) && !done.has(id))
        for (const [id, row] of taken.sort(([, a], [, b]) => a.owed.firstAt - b.owed.firstAt)) {
          rows.set(id, row)
          enter(id, row.owed)
        }
      })
    },
    newId: randomUUID,
    add: (id, owed, content) => {
      const row = { owed, content }
      rows.set(id, row)
      return written(log, store([[id, row]]))
    },
    update: (id, owed) => {
      const row = rows.get(id)
      if (row) void written(log, store([[id, { ...row, owed }]]))
    },
    remove: id => {
      rows.delete(id)
      done.add(`${id}`)
      void removeDone()
    },
    contentOf: id => rows.get(id)?.content,
  }
}
