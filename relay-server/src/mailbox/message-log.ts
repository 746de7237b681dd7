/**
 * The messages of a mailbox as they lie in LMDB: in chunks, each with as many messages of one commit as fit. A message
 * costs a few hundred bytes of a chunk, and no write of its own: a chunk whose messages have all gone is removed, and
 * until then a change of who waits is a line in a list beside it. The newest chunks stay in memory, too, for the
 * deliveries that mostly follow at once.
 *
 * With a write-ahead log, what is done is safe at the end of the turn, and commits are few; without, commits follow each
 * other, and what is done is safe with its commit.
 */
import type { Store } from '@heliograph/shared/server/store'
import { createAheadWriter } from './ahead-writer.ts'
import { type ChunkMemory, createChunkMemory } from './chunk-memory.ts'
import type { Message, Textless } from './mailbox.ts'
import { type Head, headsIn, readMessage, roomFor, textIn, writeRecord } from './message-record.ts'
import {
  bytesOf,
  type Change,
  type Chunk,
  createChunk,
  createGroup,
  GONE,
  type Group,
  openMessageTables,
  type PendingRow,
  type Row,
} from './message-tables.ts'
import { nothing, type Recovered, recover } from './recovery.ts'
import type { WriteAheadLog } from './write-ahead-log.ts'

/** Where a message lies: a chunk, and the offset of its record. */
export type Place = { readonly chunk: Chunk; readonly at: number }

/** Takes a stored message as it is read back: where it lies, and what has changed since, in order. */
export type Restore = (head: Head, place: Place, changes: readonly Change[]) => void

export type MessageLog = {
  /** Writes a message down; `save` stores it. It can be read at once. */
  add: (message: Textless, text: string, isOpen: boolean) => Place
  /** Resolves when all that was written down and noted so far survives a crash; throws why the disk did not take it. */
  save: () => Promise<void>
  /** Notes a change of who waits. Resolves when it survives a crash, or is left for the next write to take along. */
  change: (place: Place, change: Change) => Promise<void>
  /** Takes a message out. Resolves as `change`. */
  remove: (place: Place) => Promise<void>
  /** Another write, which takes effect in its turn. Resolves as `save`. */
  write: (row: Row) => Promise<void>
  read: (place: Place) => Message
  /** The text of a message, until anything else is asked for; undefined once its chunk has gone. */
  textAt: (place: Place) => Buffer | undefined
  /** What was to be done to a table when the log is opened, the last being the newest. */
  recovered: (table: string) => readonly Row[]
  /**
   * Hands over all stored messages, when the log is opened. One that was being moved comes twice, the second time as it
   * is.
   */
  load: (restore: Restore) => void
  /** Tries again what the store refused; called once a second. */
  tryAgain: () => void
  /** Chunks of which little is left, each once, with the heads of all that is or was in them. */
  takeSparse: () => Generator<{ chunk: Chunk; heads: Head[] }>
}

/** Chunks of which the commit is not put off, as each holds on to its memory until then. */
const MOST_CHUNKS = 64
/** A chunk is worth tidying when no more than one message in this many is left. */
const SPARSE = 4

const isSparse = ({ messages, live }: Chunk): boolean => live > 0 && live * SPARSE <= messages

const DONE = Promise.resolve()
const NO_CHANGES: readonly Change[] = []
const NO_LISTS = { changes: new Map<number, Change[]>(), count: 0 }

export type MessageLogOptions = {
  store: Store
  ahead: WriteAheadLog
  /** What is safe: what is written ahead, which survives the end of the process, or what is committed, on the disk. */
  durability: 'process' | 'disk'
  memory?: ChunkMemory
}

export const openMessageLog = (options: MessageLogOptions): MessageLog => {
  const { store, ahead, durability, memory = createChunkMemory() } = options
  const { chunks, lists, mark, commit } = openMessageTables(store)
  let recovered: Recovered = recover(ahead, mark.get(), id => chunks.get(id))
  const sparse = new Set<Chunk>()
  let lastId = recovered.lastId
  let group = createGroup()
  /** A commit has failed since the last one began. */
  let isOwed = false

  const bytesIn = ({ id, bytes }: Chunk): Buffer | undefined => bytes ?? chunks.getBinaryFast(id)

  const noteSparse = (chunk: Chunk): void => {
    if (isSparse(chunk)) sparse.add(chunk)
    else sparse.delete(chunk)
  }

  const leave = (chunk: Chunk): void => {
    chunk.live -= 1
    if (chunk.live === 0) {
      group.emptied.add(chunk)
      memory.release(chunk)
    }
    if (chunk.isStored) noteSparse(chunk)
  }

  /** Has the commit that is put off begin with the next turn. */
  const hurry = (): void => void store.write([]).catch(() => undefined)

  /** The chunk with room for so many bytes that the next commit stores, and where its records end. */
  const chunkFor = (room: number) => {
    const last = group.chunks.at(-1)
    if (last?.chunk.bytes && last.end + room <= last.chunk.bytes.length) return last
    lastId += 1
    const bytes = memory.take(room)
    const open = { chunk: createChunk(lastId, bytes), end: 0 }
    group.chunks.push(open)
    if (group.chunks.length === MOST_CHUNKS) hurry()
    return open
  }

  const settle = ({ chunks: stored }: Group): void => {
    for (const { chunk } of stored) {
      chunk.isStored = true
      noteSparse(chunk)
      memory.keep(chunk)
    }
  }

  /** What was refused is tried again with whatever is written next, but for what nobody has been told is safe. */
  const retry = (opened: Group): void => {
    const { chunks: refused, changes, emptied, rows } = opened
    opened.retriedIn = group
    isOwed = true
    group.chunks.unshift(...refused)
    for (const [chunk, list] of changes) group.changes.set(chunk, [...list, ...(group.changes.get(chunk) ?? [])])
    for (const chunk of emptied) group.emptied.add(chunk)
    // With a writer, who asked for a row may yet be told that it is safe, or refused.
    group.rows.unshift(...rows.filter(({ isSafe }) => isSafe || writer))
  }

  /** Begins the commit of what was done so far. */
  const begin = (write: Store['write']): Promise<void> => {
    const opened = group
    let file: number | undefined
    const take = (): number => {
      group = createGroup()
      isOwed = false
      writer?.split()
      file = ahead.turn()
      return bytesOf(opened)
    }
    opened.saved = write([() => commit(opened, file)], take)
    opened.noted = opened.saved.then(
      () => {
        settle(opened)
        try {
          if (file !== undefined) ahead.forget(file)
        } catch {
          // The next commit tries again, and a start passes over what the mark covers.
        }
      },
      () => retry(opened),
    )
    return opened.saved
  }

  /** Stores what was done so far, with this commit. */
  const commitWith = (write: Store['write']): Promise<void> => group.saved ?? begin(write)

  /** Resolves when the commit that has what went into the group is done; throws if that fails. */
  const stored = (taken: Group): Promise<void> => {
    let latest = taken
    while (latest.retriedIn) latest = latest.retriedIn
    if (latest !== group) return latest.saved ?? DONE
    const saved = commitWith(store.write)
    hurry()
    return saved
  }

  const writer = durability === 'process' ? createAheadWriter(ahead, stored) : undefined

  const save = (): Promise<void> => {
    if (!writer) return commitWith(store.write)
    const taken = group
    void commitWith(store.writeLater)
    return writer.save(taken)
  }

  const note = (): Promise<void> => {
    void save()
    return (writer ? writer.noted() : group.noted) ?? DONE
  }

  const enlist = ({ chunk, at }: Place, change: Change): void => {
    writer?.changed(chunk, at, change)
    const list = group.changes.get(chunk)
    if (list) list.push([at, change])
    else group.changes.set(chunk, [[at, change]])
  }

  const readLists = () => {
    const byChunk = new Map<number, { changes: Map<number, Change[]>; count: number }>()
    for (const { key, value } of lists.getRange()) {
      const [id, index] = key
      const found = byChunk.get(id) ?? { changes: new Map<number, Change[]>(), count: 0 }
      byChunk.set(id, found)
      found.count = index + 1
      for (const [at, change] of value) found.changes.set(at, [...(found.changes.get(at) ?? []), change])
    }
    return byChunk
  }

  return {
    add: (message, text, isOpen) => {
      const open = chunkFor(roomFor(message, text))
      const { chunk, end } = open
      if (!chunk.bytes) throw new Error(`chunk ${chunk.id} has no bytes`)
      open.end = writeRecord(chunk.bytes, end, message, text, isOpen)
      chunk.messages += 1
      chunk.live += 1
      writer?.added(chunk, end, open.end)
      return { chunk, at: end }
    },
    save,
    change: (place, change) => {
      enlist(place, change)
      return note()
    },
    remove: place => {
      enlist(place, GONE)
      leave(place.chunk)
      return note()
    },
    write: row => {
      const pending: PendingRow = { row, isSafe: false }
      group.rows.push(pending)
      writer?.put(pending)
      return save()
    },
    read: ({ chunk, at }) => {
      const bytes = bytesIn(chunk)
      if (!bytes) throw new Error(`chunk ${chunk.id} is not in the store`)
      return readMessage(bytes, at)
    },
    textAt: ({ chunk, at }) => {
      const bytes = bytesIn(chunk)
      return bytes && textIn(bytes, at)
    },
    recovered: table => recovered.rows.filter(row => row.table === table),
    load: restore => {
      const listsOf = readLists()
      const load = (chunk: Chunk, bytes: Buffer): void => {
        const { id } = chunk
        lastId = Math.max(lastId, id)
        const { changes, count } = listsOf.get(id) ?? NO_LISTS
        chunk.lists = count
        const pending = recovered.changes.get(id) ?? []
        if (pending.length > 0) group.changes.set(chunk, pending)
        for (const [at, head] of headsIn(bytes)) {
          chunk.messages += 1
          const ofThis = [
            ...(changes.get(at) ?? NO_CHANGES),
            ...pending.filter(([place]) => place === at).map(([, change]) => change),
          ]
          if (ofThis.some(([what]) => what === 'gone')) continue
          chunk.live += 1
          restore(head, { chunk, at }, ofThis)
        }
        if (chunk.live === 0) group.emptied.add(chunk)
        else if (isSparse(chunk)) sparse.add(chunk)
      }
      const { chunks: longer } = recovered
      for (const { key: id, value } of chunks.getRange())
        if (!longer.has(id)) load({ ...createChunk(id, undefined), isStored: true }, value)
      for (const [id, bytes] of longer) {
        const chunk = { ...createChunk(id, bytes), isStored: chunks.get(id) !== undefined }
        group.chunks.push({ chunk, end: bytes.length })
        load(chunk, bytes)
      }
      for (const row of recovered.rows) group.rows.push({ row, isSafe: true })
      recovered = nothing()
      void commitWith(store.write)
    },
    tryAgain: () => {
      if (isOwed) void commitWith(store.writeLater)
    },
    takeSparse: function* () {
      for (const chunk of sparse) {
        sparse.delete(chunk)
        const bytes = isSparse(chunk) && chunks.get(chunk.id)
        if (bytes) yield { chunk, heads: [...headsIn(bytes)].map(([, head]) => head) }
      }
    },
  }
}
