/**
 * The interface to Redis: a single server, several servers with one primary, or a cluster. Works with every compatible
 * server that has functions and sharded publish/subscribe (Redis 7 and later, Valkey).
 */
import { createHash } from 'node:crypto'

/** A reply, typed as in the protocol. A map is an object. */
export type Reply = string | number | null | readonly Reply[] | { readonly [name: string]: Reply }

/** Returns the items of a reply, or an empty list if it is not a list. */
export const listOf = (reply: Reply | undefined): readonly Reply[] => (Array.isArray(reply) ? reply : [])

/**
 * A Lua script, stored as a function in Redis. Redis keeps functions with the data, so they survive a restart or a
 * failover. The name depends on the source, so that servers of different versions can share one Redis.
 */
export type Script = { name: string; library: string }

export type Redis = {
  /**
   * Sends a command to the primary of `key`. Commands for one primary arrive in the order of the calls. Rejects with
   * RedisUnavailable if there is no reply within the timeout; the command may have been executed.
   */
  send: (key: string, args: readonly string[]) => Promise<Reply>
  /**
   * Sends a command to every primary at once. The reply of a primary that refuses it or does not answer within the
   * timeout is undefined. Never rejects, and does not affect `failure`.
   */
  sendEach: (args: readonly string[]) => Promise<(Reply | undefined)[]>
  /** Loads a script on all primaries, so that the first calls of `run` keep their order. */
  load: (script: Script) => Promise<void>
  /** Runs a script whose keys are all on one primary. Rejects like `send`. */
  run: (script: Script, keys: readonly [string, ...string[]], args: readonly string[]) => Promise<Reply>
  /**
   * Calls `work`, which stores data on the primary of `key`. Resolves once the configured number of replicas have the
   * data too. Rejects with RedisUnavailable if they do not; the data may have been stored.
   */
  storing: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /** Returns the name of a channel for the database in use. Redis separates keys by database, but not channels. */
  channel: (name: string) => string
  /** Subscribes to a sharded channel. Resolves once subscribed. A channel has one listener. */
  subscribe: (channel: string, onMessage: (message: string) => void) => Promise<void>
  unsubscribe: (channel: string) => Promise<void>
  /** Adds a callback that is called after messages of channels may have been missed. */
  onGap: (tell: () => void) => void
  /** Returns the reason why the servers cannot be used, or undefined. */
  failure: () => string | undefined
  /** Number of primaries. */
  primaries: () => number
  close: () => Promise<void>
}

/** The server did not answer in time, or refused the call because of its own state. The same call may succeed later. */
export class RedisUnavailable extends Error {}

/** Makes a script from the body of a Lua function with the parameters KEYS and ARGV. */
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
 * Returns the name of a channel for a database. Database 0 keeps the plain name, which servers without this separation
 * use too. The prefix stays first, so that one pattern in an access list covers the channels of all databases.
 */
export const channelIn = (database: number, name: string): string =>
  database === 0 ? name : name.replace(':', `:${database}:`)

const freeingName = (name: string): string => `${name}_freeing`

/**
 * Returns a variant of the script for calls that need almost no memory. Redis runs this variant even when its memory is
 * full.
 */
export const freeing = ({ name, library }: Script): Script => ({ name: freeingName(name), library })

export const loadCommand = ({ library }: Script): string[] => ['FUNCTION', 'LOAD', 'REPLACE', library]

/** Errors that are caused by the server's state and not by the command. */
const STATE_ERROR =
  /^(OOM|MISCONF|LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|NOREPLICAS|BUSY|TRYAGAIN|UNBLOCKED|NOAUTH|WRONGPASS)\b/

/** True for an error after which another server may be the primary. */
export const isMoved = (thrown: unknown): boolean =>
  thrown instanceof Error && /^(READONLY|MASTERDOWN|UNBLOCKED)\b/.test(thrown.message)

/**
 * Turns an error of the connection or of the server's state into RedisUnavailable.
 * Other errors are the caller's faults.
 */
export const asUnavailable = (thrown: unknown): unknown => {
  if (!(thrown instanceof Error) || thrown instanceof RedisUnavailable) return thrown
  const isReply = thrown.constructor.name === 'SimpleError' || thrown.constructor.name === 'BlobError'
  if (isReply && !STATE_ERROR.test(thrown.message)) return thrown
  return new RedisUnavailable(thrown.message, { cause: thrown })
}

/** Number of parts of a timeout. A stall of this process uses up at most one part, however long it lasts. */
const PARTS = 10

/**
 * Rejects with RedisUnavailable after that many milliseconds. A stall of this process counts as at most a tenth of
 * them, and a reply that arrived during the stall is in time.
 */
export const within = async <T>(work: Promise<T>, milliseconds: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new RedisUnavailable(`Redis did not answer within ${milliseconds} ms`))
    const wait = (parts: number): void => {
      // The event loop reads received data between a timer and the immediates that it sets, so a response that has
      // already arrived is not too late.
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

/** Resolves with the reply, or with undefined if it fails or is late. */
export const replyIfAny = (work: Promise<Reply>, milliseconds: number): Promise<Reply | undefined> =>
  within(work, milliseconds).catch(() => undefined)

/**
 * Waits for a reply within the timeout. Calls `note` with the reason why the server cannot be used, or with undefined
 * if it works. Rejects with RedisUnavailable if it cannot be used.
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

/** Runs a script. Loads it if the primary, such as a new one, does not have it. */
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
