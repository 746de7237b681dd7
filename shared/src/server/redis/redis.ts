/**
 * A Redis server, a list of servers of which one is the primary, or a cluster: what the servers need of it. Works with
 * every server of the protocol that has scripts and sharded publish/subscribe (Redis 7 and later, Valkey).
 */
import { createHash } from 'node:crypto'

/** A reply as the protocol has it. A map has names and values. */
export type Reply = string | number | null | readonly Reply[] | { readonly [name: string]: Reply }

/** The items of a reply; none if it is not a list. */
export const listOf = (reply: Reply | undefined): readonly Reply[] => (Array.isArray(reply) ? reply : [])

/**
 * A Lua script as a function of Redis, which keeps it with its data, so that it is there after a restart and a failover too.
 * The name changes with the source, so that servers of several versions can use one Redis.
 */
export type Script = { name: string; library: string }

export type Redis = {
  /**
   * Sends a command to the primary of `key`. Commands for one primary arrive in the order of the calls. Rejects with
   * RedisUnavailable if there is no reply within the time limit; the command may have been executed.
   */
  send: (key: string, args: readonly string[]) => Promise<Reply>
  /**
   * Sends a command to every primary at once. A primary that refuses it or does not answer within the time limit has no
   * reply. Never rejects, and says nothing of `failure`.
   */
  sendEach: (args: readonly string[]) => Promise<(Reply | undefined)[]>
  /** Loads a script on all primaries, so that the first calls of `run` keep their order. */
  load: (script: Script) => Promise<void>
  /** Runs a script whose keys are all on one primary. Rejects like `send`. */
  run: (script: Script, keys: readonly [string, ...string[]], args: readonly string[]) => Promise<Reply>
  /**
   * Does work that stores something on the primary of `key`, and resolves once as many replicas as are configured have it
   * too. Rejects with RedisUnavailable if they do not; the work may have been done.
   */
  storing: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /** Name of a channel for the database in use. Redis divides keys by databases, but not channels. */
  channel: (name: string) => string
  /** Listens to a sharded channel. Resolves once messages arrive. One listener for each channel. */
  subscribe: (channel: string, onMessage: (message: string) => void) => Promise<void>
  unsubscribe: (channel: string) => Promise<void>
  /** Calls back after messages of channels may have been missed. */
  onGap: (tell: () => void) => void
  /** The reason why the servers cannot be used, or undefined. */
  failure: () => string | undefined
  /** Number of primaries. */
  primaries: () => number
  close: () => Promise<void>
}

/** The server did not answer in time, or refused because of its own state. The same call may succeed later. */
export class RedisUnavailable extends Error {}

/** Makes a script of the body of a Lua function of KEYS and ARGV. */
export const scriptOf = (body: string): Script => {
  const name = `heliograph_${createHash('sha1').update(body).digest('hex')}`
  const library = `#!lua name=${name}
local function call(KEYS, ARGV)
${body}
end
redis.register_function('${name}', call)
redis.register_function{ function_name = '${freeingName(name)}', callback = call, flags = { 'allow-oom' } }`
  return { name, library }
}

/**
 * Name of a channel for a database. Database 0 keeps the name, which servers without this division use too. The prefix stays
 * the first part, so that one pattern of an access list covers the channels of all databases.
 */
export const channelIn = (database: number, name: string): string =>
  database === 0 ? name : name.replace(':', `:${database}:`)

const freeingName = (name: string): string => `${name}_freeing`

/** The same script for calls that take no memory to speak of. They are not refused when the memory of Redis is full. */
export const freeing = ({ name, library }: Script): Script => ({ name: freeingName(name), library })

export const loadCommand = ({ library }: Script): string[] => ['FUNCTION', 'LOAD', 'REPLACE', library]

/** Errors that say something of the state of the server and nothing of the command. */
const STATE_ERROR =
  /^(OOM|MISCONF|LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|NOREPLICAS|BUSY|TRYAGAIN|UNBLOCKED|NOAUTH|WRONGPASS)\b/

/** True for an error after which another server may be the primary. */
export const isMoved = (thrown: unknown): boolean =>
  thrown instanceof Error && /^(READONLY|MASTERDOWN|UNBLOCKED)\b/.test(thrown.message)

/** Turns an error of the connection or of the server's state into RedisUnavailable. Others are faults of the caller. */
export const asUnavailable = (thrown: unknown): unknown => {
  if (!(thrown instanceof Error) || thrown instanceof RedisUnavailable) return thrown
  const isReply = thrown.constructor.name === 'SimpleError' || thrown.constructor.name === 'BlobError'
  if (isReply && !STATE_ERROR.test(thrown.message)) return thrown
  return new RedisUnavailable(thrown.message, { cause: thrown })
}

/** Parts of a time limit. A stall of this process, however long, takes up at most one of them. */
const PARTS = 10

/**
 * Rejects with RedisUnavailable after that many milliseconds. A stall of this process counts for at most a tenth of them, and
 * a reply that arrived meanwhile is in time.
 */
export const within = async <T>(work: Promise<T>, milliseconds: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new RedisUnavailable(`Redis did not answer within ${milliseconds} ms`))
    const wait = (parts: number): void => {
      // Between a timer and the immediates that it sets, the event loop reads what has arrived.
      timer = setTimeout(() => (parts > 1 ? wait(parts - 1) : setImmediate(fail)), milliseconds / PARTS)
    }
    wait(PARTS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The reply within the time limit, or undefined. */
export const replyIfAny = (work: Promise<Reply>, milliseconds: number): Promise<Reply | undefined> =>
  within(work, milliseconds).catch(() => undefined)

/**
 * Waits for a reply within the time limit, and notes what it says of the server: nothing, or why it cannot be used. Rejects
 * with RedisUnavailable in that case.
 */
export const replyOf = async (
  work: Promise<Reply>,
  milliseconds: number,
  note: (failure: string | undefined) => void,
): Promise<Reply> => {
  try {
    const reply = await within(work, milliseconds)
    note(undefined)
    return reply
  } catch (thrown) {
    const refusal = asUnavailable(thrown)
    if (refusal instanceof RedisUnavailable) note(refusal.message)
    throw refusal
  }
}

/** Runs a script, and loads it if the primary does not have it, as a new one. */
export const runScript = async (
  send: Redis['send'],
  script: Script,
  keys: readonly [string, ...string[]],
  args: readonly string[],
): Promise<Reply> => {
  const command = ['FCALL', script.name, `${keys.length}`, ...keys, ...args]
  try {
    return await send(keys[0], command)
  } catch (thrown) {
    if (!(thrown instanceof Error) || !thrown.message.includes('Function not found')) throw thrown
    await send(keys[0], loadCommand(script))
    return send(keys[0], command)
  }
}
