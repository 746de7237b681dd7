/**
 * Tables that all servers on one Redis share. Each server keeps a copy in memory. The rows are in one hash, by
 * `["table", key]` as JSON. A script writes a row, increments the version and publishes the change on one channel. A
 * server that misses a version reads the hash again.
 *
 * The hash also has a random epoch. If the epoch is missing or has changed, or if the version has decreased, Redis has
 * lost rows, and the server restores the rows of its copy. Until the rows are restored, the server writes nothing,
 * because the servers would then hold different rows.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../process/log.ts'
import { RETRY_AFTER } from '../redis/limits.ts'
import { freeing, type Redis, RedisUnavailable, scriptOf } from '../redis/redis.ts'
import type { Tables } from './store.ts'
import { compareKeys, type Key, type Table } from './tables.ts'

/** Field of the epoch. No table has an empty name. */
const EPOCH = JSON.stringify(['', 'epoch'])
/** Returned instead of a version if nothing was written, because the epoch has changed or the version has decreased. */
const LOST = -1

/**
 * Writes or removes a row. Returns the new version. A removal calls HDEL first, which
 * Redis allows when its memory is full.
 */
const WRITE = `
  local version = tonumber(redis.call('GET', KEYS[2]) or 0)
  if redis.call('HGET', KEYS[1], '${EPOCH}') ~= ARGV[4] or version < tonumber(ARGV[5]) then return ${LOST} end
  if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[2]) else redis.call('HSET', KEYS[1], ARGV[2], ARGV[3]) end
  version = redis.call('INCR', KEYS[2])
  redis.call('SPUBLISH', ARGV[1], cjson.encode({version, ARGV[2], ARGV[3]}))
  return version`

/** Returns the version and all rows. */
const READ = scriptOf(`return {redis.call('GET', KEYS[2]) or '0', redis.call('HGETALL', KEYS[1])}`)

/**
 * Restores rows. ARGV: channel, epoch and version as the server knows them, a new epoch, then fields and values.
 * KEYS[3] has the latest restored version of each lost epoch. Rows of that version or an earlier one are not restored
 * again, because some may have been removed since.
 *
 * If Redis has gone back to earlier data, it also has rows that were removed later, so all its rows are
 * deleted first. Otherwise an existing row is newer and stays. The new version exceeds the versions of all
 * servers, so that they read all rows.
 */
const PUT_BACK = scriptOf(`
  local epoch = redis.call('HGET', KEYS[1], '${EPOCH}')
  local version, seen = tonumber(redis.call('GET', KEYS[2]) or 0), tonumber(ARGV[3])
  if epoch and tonumber(redis.call('HGET', KEYS[3], ARGV[2]) or -1) >= seen then return end
  if epoch == ARGV[2] then redis.call('DEL', KEYS[1]) end
  redis.call('HSETNX', KEYS[1], '${EPOCH}', ARGV[4])
  for at = 5, #ARGV, 2 do redis.call('HSETNX', KEYS[1], ARGV[at], ARGV[at + 1]) end
  redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
  version = math.max(version, seen) + 2
  redis.call('SET', KEYS[2], string.format('%.0f', version))
  redis.call('SPUBLISH', ARGV[1], cjson.encode({version, '${EPOCH}', ''}))`)

/** A change of a row. `value` is JSON, or an empty string for a removed row. */
type Change = readonly [version: number, field: string, value: string]

/** A write of this server. Reads return it instead of the stored row until the stored rows have reached its version. */
type Write = { value: string; version: number }

export type ReplicatedTables = Tables & {
  /** Restores rows that Redis has lost. Rejects with RedisUnavailable. */
  check: () => Promise<void>
  /** Stops reading the tables again after gaps. */
  close: () => void
}

export type ReplicatedTablesOptions = {
  redis: Redis
  /** Prefix of all keys: `relay` or `bridge`. */
  prefix: string
  log: Logger
  /** Called when Redis has lost rows. */
  onLost?: () => void
}

/** Reads all tables. Throws RedisUnavailable. */
export const openReplicatedTables = async (options: ReplicatedTablesOptions): Promise<ReplicatedTables> => {
  const { redis, prefix, log, onLost = () => undefined } = options
  const keyOf = (name: string): string => `${prefix}:{tables}:${name}`
  const rowsKey = keyOf('rows')
  const versionKey = keyOf('version')
  const channel = redis.channel(keyOf('changes'))
  /** Values by field, as Redis had them at version `seen`. */
  const rows = new Map<string, string>()
  let seen = 0
  /** Empty until the rows are read for the first time. */
  let epoch = ''
  const writes = new Map<string, Write>()
  const listeners = new Map<string, (key: Key, value: string) => void>()
  /** Changes that arrive while the rows are read. */
  let unread: Change[] | undefined = []
  let repairing: Promise<void> | undefined
  let isStale = false
  let isOpen = true

  const textOf = (field: string): string => writes.get(field)?.value ?? rows.get(field) ?? ''

  const set = (field: string, value: string): void => {
    if (value === '') rows.delete(field)
    else rows.set(field, value)
  }

  /**
   * Makes a change, and drops a write that the stored row includes. Calls the listener if the row's value has changed.
   */
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

  const fetchRows = async () => {
    const reply = await redis.run(freeing(READ), [rowsKey, versionKey], [])
    const [version, list] = reply as [string, string[]]
    const stored = new Map<string, string>()
    for (let at = 0; at < list.length; at += 2) stored.set(list[at] ?? '', list[at + 1] ?? '')
    const found = stored.get(EPOCH) ?? ''
    stored.delete(EPOCH)
    const isComplete = found !== '' && (epoch === '' || found === epoch) && Number(version) >= seen
    return { version: Number(version), found, stored, isComplete }
  }

  const putBack = async (): Promise<void> => {
    if (epoch !== '') onLost()
    const fields = [...new Set([...rows.keys(), ...writes.keys()])].filter(field => textOf(field) !== '')
    const args = [channel, epoch, `${seen}`, randomUUID(), ...fields.flatMap(field => [field, textOf(field)])]
    // This call must work even when Redis's memory is full. The rows fitted before, and a server that waited for free
    // memory would lose its lease.
    await redis.run(freeing(PUT_BACK), [rowsKey, versionKey, keyOf('restored')], args)
  }

  const read = async (): Promise<void> => {
    unread = []
    let fetched = await fetchRows()
    if (!fetched.isComplete) {
      await putBack()
      fetched = await fetchRows()
    }
    const { version, found, stored } = fetched
    epoch = found
    seen = version
    // The rows include all answered writes, even if a new primary has a lower version. Setting version 0 makes `change`
    // drop those writes.
    for (const own of writes.values()) if (own.version < Number.POSITIVE_INFINITY) own.version = 0
    for (const field of new Set([...rows.keys(), ...stored.keys(), ...writes.keys()]))
      change(field, () => set(field, stored.get(field) ?? ''))
    const later = unread
    unread = undefined
    for (const one of later) apply(one)
  }

  const readUntilComplete = async (): Promise<void> => {
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
    repairing = undefined
  }

  /** Reads the rows again, and restores rows that Redis has lost. Resolves once nothing is missing. */
  const repair = (): Promise<void> => {
    isStale = true
    repairing ??= readUntilComplete()
    return repairing
  }

  /**
   * Sends the script's source each time: when its memory is full, Redis refuses all
   * calls of a loaded script that writes.
   */
  const send = async (field: string, value: string): Promise<number> => {
    const keys = ['EVAL', WRITE, '2', rowsKey, versionKey]
    return Number(await redis.send(rowsKey, [...keys, channel, field, value, epoch, `${seen}`]))
  }

  /** Writes a row, after restoring rows that Redis has lost. Resolves with the new version. */
  const store = async (field: string, value: string): Promise<number> => {
    const version = await send(field, value)
    if (version !== LOST) return version
    await repair()
    const again = await send(field, value)
    if (again === LOST) throw new RedisUnavailable('Redis lost the shared tables')
    return again
  }

  const write = async (field: string, value: string): Promise<void> => {
    const own: Write = { value, version: Number.POSITIVE_INFINITY }
    writes.set(field, own)
    try {
      own.version = await redis.storing(rowsKey, () => store(field, value))
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
    check: async () => {
      if ((await redis.send(rowsKey, ['HGET', rowsKey, EPOCH])) !== epoch) await repair()
    },
    close: () => {
      isOpen = false
    },
  }
}
