/**
 * Tables of a few thousand rows on a log. Keys and places are in memory, values in the log as JSON. A row's record holds
 * the length of the key in two bytes, the key (`["table", key]` as JSON) and the value.
 */
import { NOWHERE, type Place } from './blocks.ts'
import type { Log } from './log.ts'
import { NOTE, type Payload } from './record.ts'

const PUT = 1
const REMOVED = NOTE | 1

const KEY_LENGTH_BYTES = 2

/** A string or an integer. */
export type Key = string | number

export type Table<V, K extends Key> = {
  /** Returns a value; undefined if the row is missing or damaged. */
  get: (key: K) => V | undefined
  /** Returns all rows in key order. */
  entries: () => Generator<[key: K, value: V]>
  /** Stores a row. Resolves when it is durable, rejects if the write fails. */
  put: (key: K, value: V) => Promise<void>
  /**
   * Removes a row. Resolves when the removal is durable. On a full disk it resolves once the disk accepts writes again.
   */
  remove: (key: K) => Promise<void>
  /**
   * Sets the table's only listener. It is called after changes that this table's `put` and `remove` did not make: by
   * another server, or because Redis refused the write. A table on a log never calls it.
   */
  onChange: (listener: (key: K, value: V | undefined) => void) => void
}

export const compareKeys = (a: Key, b: Key): number => (a < b ? -1 : a > b ? 1 : 0)

/** Reads all tables of a log. Returns a function that opens one. */
export const openTables = (log: Log): (<V, K extends Key>(name: string) => Table<V, K>) => {
  const tables = new Map<string, Map<Key, Place>>()

  const rowsOf = (name: string): Map<Key, Place> => {
    const rows = tables.get(name) ?? new Map<Key, Place>()
    tables.set(name, rows)
    return rows
  }

  const keyIn = ({ bytes, start }: Payload): [name: string, key: Key] => {
    const at = start + KEY_LENGTH_BYTES
    return JSON.parse(bytes.toString('utf8', at, at + bytes.readUInt16LE(start)))
  }

  const valueIn = <V>({ bytes, start, end }: Payload): V =>
    JSON.parse(bytes.toString('utf8', start + KEY_LENGTH_BYTES + bytes.readUInt16LE(start), end))

  /** Writes a row's payload to the reserved record. Returns its length. */
  const write = (name: string, key: Key, value: string): number => {
    const keyText = JSON.stringify([name, key])
    const keyLength = Buffer.byteLength(keyText)
    const length = KEY_LENGTH_BYTES + keyLength + Buffer.byteLength(value)
    const { bytes, at } = log.reserve(length)
    bytes.writeUInt16LE(keyLength, at)
    bytes.write(keyText, at + KEY_LENGTH_BYTES)
    bytes.write(value, at + KEY_LENGTH_BYTES + keyLength)
    return length
  }

  log.load((kind, payload, place) => {
    const [name, key] = keyIn(payload)
    if (kind === PUT) rowsOf(name).set(key, place)
    if (kind === REMOVED) rowsOf(name).delete(key)
  })
  for (const rows of tables.values()) for (const place of rows.values()) log.retain(place)

  log.setOwner({
    find: (_, payload) => {
      const [name, key] = keyIn(payload)
      return tables.get(name)?.get(key)
    },
  })

  return <V, K extends Key>(name: string): Table<V, K> => {
    const rows = rowsOf(name) as Map<K, Place>

    const get = (key: K): V | undefined => {
      const place = rows.get(key)
      const payload = place && log.read(place)
      return payload && valueIn<V>(payload)
    }

    return {
      get,
      entries: function* () {
        for (const key of [...rows.keys()].sort(compareKeys)) {
          const value = get(key)
          if (value !== undefined) yield [key, value]
        }
      },
      put: async (key, value) => {
        const known = rows.get(key)
        const place = known ?? { block: NOWHERE, at: 0, length: 0 }
        rows.set(key, place)
        log.append(PUT, write(name, key, JSON.stringify(value)), place)
        try {
          await log.commit()
        } catch (refused) {
          if (!known && rows.get(key) === place) rows.delete(key)
          if (!known) log.release(place)
          throw refused
        }
      },
      remove: async key => {
        const place = rows.get(key)
        if (!place) return
        rows.delete(key)
        log.release(place)
        log.note(REMOVED, write(name, key, ''))
        await log.commit()
      },
      onChange: () => undefined,
    }
  }
}
