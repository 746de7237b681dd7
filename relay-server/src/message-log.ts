/**
 * The messages of a mailbox as they lie in LMDB: in chunks, each with as many messages of one commit as fit. A message
 * costs a few hundred bytes of a chunk, and no write of its own: a chunk whose messages have all gone is removed, and
 * until then a change of who waits is a line in a list beside it. The newest chunks stay in memory, too, for the
 * deliveries that mostly follow at once.
 */
import type { Store, Write } from '@heliograph/shared/server/store'
import { type ChunkMemory, createChunkMemory } from './chunk-memory.ts'
import type { Client, Message } from './mailbox.ts'
import { type Head, readHead, readMessage, roomFor, writeRecord } from './message-record.ts'

/** Where a message lies: a chunk, and the offset of its record. */
export type Place = { readonly chunk: Chunk; readonly at: number }

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

/**
 * What became of a message: it has gone; a client has it, while others wait; or it waits for these clients, and, if
 * open, for the first other one that comes.
 */
export type Change =
  | readonly [what: 'gone']
  | readonly [what: 'acknowledged', client: Client]
  | readonly [what: 'waits', isOpen: boolean, clients: readonly Client[]]

/** Takes a stored message as it is read back: where it lies, and what has changed since, in order. */
export type Restore = (head: Head, place: Place, changes: readonly Change[]) => void

export type MessageLog = {
  /** Writes a message down; `save` stores it. It can be read at once. */
  add: (message: Message, isOpen: boolean) => Place
  /** Resolves when all that was written down and noted so far survives a crash; throws why the disk did not take it. */
  save: () => Promise<void>
  /** Notes a change of who waits. Resolves when it survives a crash, or is left for the next write to take along. */
  change: (place: Place, change: Change) => Promise<void>
  /** Takes a message out. Resolves as `change`. */
  remove: (place: Place) => Promise<void>
  /** Another write, which takes effect together with what is stored at the same time. Resolves as `save`. */
  write: (write: Write) => Promise<void>
  read: (place: Place) => Message
  /**
   * Hands over all stored messages, when the log is opened. One that was being moved comes twice, the second time as it
   * is.
   */
  load: (restore: Restore) => void
  /** Chunks of which little is left, each once, with the heads of all that is or was in them. */
  takeSparse: () => Generator<{ chunk: Chunk; heads: Head[] }>
}

/** A chunk is worth tidying when no more than one message in this many is left. */
const SPARSE = 4

const isSparse = ({ messages, live }: Chunk): boolean => live > 0 && live * SPARSE <= messages

const GONE: Change = ['gone']

const NO_CHANGES: readonly Change[] = []
const NO_LISTS = { changes: new Map<number, Change[]>(), count: 0 }

/** What goes into one commit. `saved` throws when the store does not take it; `noted` does not. */
type Group = {
  chunks: { chunk: Chunk; end: number }[]
  changes: Map<Chunk, [at: number, change: Change][]>
  emptied: Set<Chunk>
  writes: Write[]
  saved?: Promise<void>
  noted?: Promise<void>
}

const createGroup = (): Group => ({ chunks: [], changes: new Map(), emptied: new Set(), writes: [] })

const bytesOf = ({ chunks }: Group): number => chunks.reduce((sum, { end }) => sum + end, 0)

/** Heads of the records of a chunk, by their offsets. */
const headsIn = function* (bytes: Buffer): Generator<[at: number, head: Head]> {
  for (let at = 0; at < bytes.length; ) {
    const head = readHead(bytes, at)
    yield [at, head]
    at = head.end
  }
}

export const openMessageLog = (store: Store, memory: ChunkMemory = createChunkMemory()): MessageLog => {
  const chunks = store.table<Buffer, number>('chunks', 'binary')
  const lists = store.table<[at: number, change: Change][], [chunk: number, index: number]>('changes', 'msgpack')
  const sparse = new Set<Chunk>()
  let lastId = 0
  let group = createGroup()

  const leave = (chunk: Chunk): void => {
    chunk.live -= 1
    if (chunk.live === 0) {
      group.emptied.add(chunk)
      memory.release(chunk)
    }
    if (isSparse(chunk)) sparse.add(chunk)
    else sparse.delete(chunk)
  }

  /** The chunk with room for so many bytes that the next commit stores, and where its records end. */
  const chunkFor = (room: number) => {
    const last = group.chunks.at(-1)
    if (last?.chunk.bytes && last.end + room <= last.chunk.bytes.length) return last
    lastId += 1
    const bytes = memory.take(room)
    const open = { chunk: { id: lastId, bytes, isStored: false, messages: 0, live: 0, lists: 0 }, end: 0 }
    group.chunks.push(open)
    return open
  }

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
      if (chunk.live > 0) continue
      yield chunks.remove(chunk.id)
      for (let index = 0; index < chunk.lists; index++) yield lists.remove([chunk.id, index])
    }
  }

  const commit = async ({ chunks: added, changes, emptied, writes }: Group): Promise<boolean> => {
    const puts: Promise<boolean>[] = writes.map(write => write())
    for (const { chunk, end } of added)
      if (chunk.bytes && chunk.live > 0) puts.push(chunks.put(chunk.id, chunk.bytes.subarray(0, end)))
    await Promise.all(new Set([...puts, ...putLists(changes), ...removeChunks(emptied)]))
    return true
  }

  const settle = ({ chunks: stored }: Group): void => {
    for (const { chunk } of stored) {
      chunk.isStored = true
      memory.keep(chunk)
    }
  }

  /** What was refused besides messages is tried again with whatever is written next. */
  const retry = ({ changes, emptied }: Group): void => {
    for (const [chunk, list] of changes) group.changes.set(chunk, [...list, ...(group.changes.get(chunk) ?? [])])
    for (const chunk of emptied) group.emptied.add(chunk)
  }

  const save = (): Promise<void> => {
    if (group.saved) return group.saved
    const opened = group
    const begin = (): number => {
      group = createGroup()
      return bytesOf(opened)
    }
    opened.saved = store.write([() => commit(opened)], begin)
    opened.noted = opened.saved.then(
      () => settle(opened),
      () => retry(opened),
    )
    return opened.saved
  }

  const note = (): Promise<void> => {
    void save()
    return group.noted ?? Promise.resolve()
  }

  const enlist = ({ chunk, at }: Place, change: Change): void => {
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
    add: (message, isOpen) => {
      const open = chunkFor(roomFor(message))
      const { chunk, end } = open
      if (!chunk.bytes) throw new Error(`chunk ${chunk.id} has no bytes`)
      open.end = writeRecord(chunk.bytes, end, message, isOpen)
      chunk.messages += 1
      chunk.live += 1
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
    write: write => {
      group.writes.push(write)
      return save()
    },
    read: ({ chunk, at }) => {
      const bytes = chunk.bytes ?? chunks.getBinaryFast(chunk.id)
      if (!bytes) throw new Error(`chunk ${chunk.id} is not in the store`)
      return readMessage(bytes, at)
    },
    load: restore => {
      const changesIn = readLists()
      for (const { key: id, value } of chunks.getRange()) {
        lastId = id
        const { changes, count } = changesIn.get(id) ?? NO_LISTS
        const chunk: Chunk = { id, bytes: undefined, isStored: true, messages: 0, live: 0, lists: count }
        for (const [at, head] of headsIn(value)) {
          chunk.messages += 1
          const ofThis = changes.get(at) ?? NO_CHANGES
          if (ofThis.some(([what]) => what === 'gone')) continue
          chunk.live += 1
          restore(head, { chunk, at }, ofThis)
        }
        if (chunk.live === 0) group.emptied.add(chunk)
        else if (isSparse(chunk)) sparse.add(chunk)
      }
      void note()
    },
    takeSparse: function* () {
      for (const chunk of sparse) {
        if (!chunk.isStored) continue
        sparse.delete(chunk)
        const bytes = isSparse(chunk) && chunks.get(chunk.id)
        if (bytes) yield { chunk, heads: [...headsIn(bytes)].map(([, head]) => head) }
      }
    },
  }
}
