/** The tables of the message log, and what one commit does to them. */
import type { Store } from '@heliograph/shared/server/store'
import type { Client } from './mailbox.ts'

/**
 * `live` counts the messages of the chunk that have not gone, `lists` the lists of changes beside it. It has its bytes
 * until it is stored, and for a while after.
 */
export type Chunk = {
  readonly id: number
  bytes: Buffer | undefined
  isStored: boolean
  messages: number
  live: number
  lists: number
}

/** One without messages that is not stored. */
export const createChunk = (id: number, bytes: Buffer | undefined): Chunk => ({
  id,
  bytes,
  isStored: false,
  messages: 0,
  live: 0,
  lists: 0,
})

/**
 * What became of a message: it has gone; a client has it, while others wait; or it waits for these clients, and, if
 * open, for the first other one that comes.
 */
export type Change =
  | readonly [what: 'gone']
  | readonly [what: 'acknowledged', client: Client]
  | readonly [what: 'waits', isOpen: boolean, clients: readonly Client[]]

export const GONE: Change = ['gone']

/** A value of another table of the store; undefined takes it out. */
export type Row = { readonly table: string; readonly key: string[]; readonly value?: unknown }
/** A row that goes into a commit. One that is safe will be in the store sooner or later. */
export type PendingRow = { row: Row; isSafe: boolean; isRefused?: boolean }

/** What goes into one commit. `saved` throws when the store does not take it; `noted` does not. */
export type Group = {
  chunks: { chunk: Chunk; end: number }[]
  changes: Map<Chunk, [at: number, change: Change][]>
  emptied: Set<Chunk>
  rows: PendingRow[]
  saved?: Promise<void>
  noted?: Promise<void>
  /** Where what is in it went when the store refused it. */
  retriedIn?: Group
}

export const createGroup = (): Group => ({ chunks: [], changes: new Map(), emptied: new Set(), rows: [] })

/** Bytes that a group stores, more or less. */
export const bytesOf = ({ chunks }: Group): number =>
  chunks.reduce((sum, { chunk, end }) => sum + (chunk.live > 0 ? end : 0), 0)

/** The store has what was written ahead up to this file. */
const openMark = (store: Store) => {
  const table = store.table<number, number>('written-ahead', 'msgpack')
  return { get: () => table.get(0) ?? 0, put: (file: number) => table.put(0, file) }
}

export const openMessageTables = (store: Store) => {
  const chunks = store.table<Buffer, number>('chunks', 'binary')
  const lists = store.table<[at: number, change: Change][], [chunk: number, index: number]>('changes', 'msgpack')
  const mark = openMark(store)

  const putLists = function* (changes: Group['changes']): Generator<Promise<boolean>> {
    for (const [chunk, list] of changes) {
      if (chunk.live === 0) continue
      yield lists.put([chunk.id, chunk.lists], list)
      chunk.lists += 1
    }
  }

  const removeChunks = function* (emptied: Iterable<Chunk>): Generator<Promise<boolean>> {
    for (const chunk of emptied) {
      // One that had not been stored yet may have been written to again.
      if (chunk.live > 0 || !chunk.isStored) continue
      yield chunks.remove(chunk.id)
      for (let index = 0; index < chunk.lists; index++) yield lists.remove([chunk.id, index])
    }
  }

  const putRow = ({ row: { table: name, key, value } }: PendingRow): Promise<boolean> => {
    const table = store.table<unknown, string[]>(name, 'msgpack')
    return value === undefined ? table.remove(key) : table.put(key, value)
  }

  /** Stores a group, and that it has all that was written ahead up to that file. */
  const commit = async ({ chunks: added, changes, emptied, rows }: Group, file: number | undefined) => {
    const puts: Promise<boolean>[] = rows.filter(({ isRefused }) => !isRefused).map(putRow)
    if (file !== undefined) puts.push(mark.put(file))
    for (const { chunk, end } of added)
      if (chunk.bytes && chunk.live > 0) puts.push(chunks.put(chunk.id, chunk.bytes.subarray(0, end)))
    await Promise.all(new Set([...puts, ...putLists(changes), ...removeChunks(emptied)]))
    return true
  }

  return { chunks, lists, mark, commit }
}
