/**
 * Tables of all servers on one Redis, which each server has in memory. The rows are in one hash, by `["table", key]` as
 * JSON. A script writes a row, counts the version up and publishes the change on one channel. A server that finds a
 * version missing reads the hash again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../process/log.ts'
import { RETRY_AFTER } from '../redis/limits.ts'
import { type Redis, scriptOf } from '../redis/redis.ts'
import type { Tables } from './store.ts'
import { compareKeys, type Key, type Table } from './tables.ts'

/** Writes or removes a row. Returns the new version. Removing comes first, because Redis allows it when its memory is full. */
const WRITE = `
  if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[2]) else redis.call('HSET', KEYS[1], ARGV[2], ARGV[3]) end
  local version = redis.call('INCR', KEYS[2])
  redis.call('SPUBLISH', ARGV[1], cjson.encode({version, ARGV[2], ARGV[3]}))
  return version`

/** Returns the version and all rows. */
const READ = scriptOf(`return {redis.call('GET', KEYS[2]) or '0', redis.call('HGETALL', KEYS[1])}`)

/** The value as JSON, or an empty string for a removed row. */
type Change = readonly [version: number, field: string, value: string]

/** A write of this server. It hides the stored row until the version that it made is there. */
type Write = { value: string; version: number }

export type ReplicatedTables = Tables & {
  /** Stops reading after gaps. */
  close: () => void
}

export type ReplicatedTablesOptions = {
  redis: Redis
  /** Prefix of all keys: `relay` or `bridge`. */
  prefix: string
  log: Logger
}

/** Reads all tables. Throws RedisUnavailable. */
export const openReplicatedTables = async (options: ReplicatedTablesOptions): Promise<ReplicatedTables> => {
  const { redis, prefix, log } = options
  const keyOf = (name: string): string => `${prefix}:{tables}:${name}`
  const rowsKey = keyOf('rows')
  const versionKey = keyOf('version')
  const channel = redis.channel(keyOf('changes'))
  /** Values by field, as Redis had them at version `seen`. */
  const rows = new Map<string, string>()
  let seen = 0
  const writes = new Map<string, Write>()
  const listeners = new Map<string, (key: Key, value: string) => void>()
  /** Changes that arrive while the rows are read. */
  let unread: Change[] | undefined = []
  let isRepairing = false
  let isStale = false
  let isOpen = true

  const textOf = (field: string): string => writes.get(field)?.value ?? rows.get(field) ?? ''

  const set = (field: string, value: string): void => {
    if (value === '') rows.delete(field)
    else rows.set(field, value)
  }

  /** Makes a change, drops a write that the stored row includes, and calls back if the row is another then. */
  const change = (field: string, make: () => void): void => {
    const before = textOf(field)
    make()
    if ((writes.get(field)?.version ?? Number.POSITIVE_INFINITY) <= seen) writes.delete(field)
    const after = textOf(field)
    if (after === before) return
    const [name, key] = JSON.parse(field)
    listeners.get(name)?.(key, after)
  }

  const apply = ([version, field, value]: Change): void => {
    if (version <= seen) return
    if (version > seen + 1) return void repair()
    change(field, () => {
      seen = version
      set(field, value)
    })
  }

  const read = async (): Promise<void> => {
    unread = []
    const reply = await redis.run(READ, [rowsKey, versionKey], [])
    const [version, list] = reply as [string, string[]]
    const stored = new Map<string, string>()
    for (let at = 0; at < list.length; at += 2) stored.set(list[at] ?? '', list[at + 1] ?? '')
    seen = Number(version)
    // The rows include all answered writes, also if another primary has a lower version now.
    for (const own of writes.values()) if (own.version < Number.POSITIVE_INFINITY) own.version = 0
    for (const field of new Set([...rows.keys(), ...stored.keys(), ...writes.keys()]))
      change(field, () => set(field, stored.get(field) ?? ''))
    const later = unread
    unread = undefined
    for (const one of later) apply(one)
  }

  /** Reads until nothing is missing. */
  const repair = async (): Promise<void> => {
    isStale = true
    if (isRepairing) return
    isRepairing = true
    while (isStale && isOpen) {
      isStale = false
      try {
        await read()
      } catch (err) {
        isStale = true
        log.warn({ err }, 'the shared tables could not be read')
        await pause(RETRY_AFTER, undefined, { ref: false })
      }
    }
    isRepairing = false
  }

  /** Sends the source each time: a loaded script that writes is refused as a whole when the memory of Redis is full. */
  const send = (field: string, value: string) =>
    redis.send(rowsKey, ['EVAL', WRITE, '2', rowsKey, versionKey, channel, field, value])

  const write = async (field: string, value: string): Promise<void> => {
    const own: Write = { value, version: Number.POSITIVE_INFINITY }
    writes.set(field, own)
    try {
      own.version = Number(await redis.storing(rowsKey, () => send(field, value)))
    } catch (thrown) {
      own.version = 0
      throw thrown
    } finally {
      change(field, () => undefined)
    }
  }

  await redis.subscribe(channel, message => {
    const one: Change = JSON.parse(message)
    if (unread) unread.push(one)
    else apply(one)
  })
  await read()
  redis.onGap(() => void repair())

  return {
    table: <V, K extends Key>(name: string): Table<V, K> => {
      const fieldOf = (key: K): string => JSON.stringify([name, key])
      const parse = (value: string): V | undefined => (value === '' ? undefined : JSON.parse(value))
      const get = (key: K): V | undefined => parse(textOf(fieldOf(key)))
      const keys = (): K[] =>
        [...new Set([...rows.keys(), ...writes.keys()])]
          .map((field): [string, K] => JSON.parse(field))
          .flatMap(([table, key]) => (table === name ? [key] : []))

      return {
        get,
        entries: function* () {
          for (const key of keys().sort(compareKeys)) {
            const value = get(key)
            if (value !== undefined) yield [key, value]
          }
        },
        put: (key, value) => write(fieldOf(key), JSON.stringify(value)),
        remove: key => write(fieldOf(key), ''),
        onChange: listener => {
          listeners.set(name, (key, value) => listener(key as K, parse(value)))
        },
      }
    },
    close: () => {
      isOpen = false
    },
  }
}
