/**
 * The messages of a mailbox as they lie in LMDB: in chunks, each with as many messages of one commit as fit. A message
 * costs a few hundred bytes of a chunk, and no write of its own: a chunk whose messages have all gone is removed, and
 * until then a change of who waits is a line in a list beside it.
 */
import type { Store, Write } from '@heliograph/shared/server/store'
import type { Client, Message } from './mailbox.ts'
import { type Head, readHead, readMessage, roomFor, writeRecord } from './message-record.ts'

/** Bytes of a chunk that is full: four pages of LMDB, less the head of the first. A longer message has its own. */
const CHUNK_BYTES = 4 * 4096 - 16

/** Where a message lies: a chunk, and the offset of its record. */
export type Place = { chunk: Chunk; at: number }

/**
 * `live` counts the messages of the chunk that have not gone, `changes` the lists of changes beside it. Before its
 * commit it cannot be read.
 */
export type Chunk = { id: number; messages: number; live: number; changes: number; isSafe: boolean }

/**
 * What became of a message: it has gone; a client has it, while others wait; or it waits for these
 * clients, and, if open, for the first other one that comes.
 */
export type Change =
  | readonly [what: 'gone']
  | readonly [what: 'acknowledged', client: Client]
  | readonly [what: 'waits', isOpen: boolean, clients: readonly Client[]]

/** What a message needs to be stored. Its place is set when it is. */
export type Item = { isOpen: boolean; place: Place | undefined; message: Message | undefined }

/** A stored message as it is read back: where it lies and what has changed since, in order. */
export type Loaded = Head & { place: Place; changes: readonly Change[] }

export type MessageLog = {
  /**
   * Stores messages that carry their text, or moves them to the end. Resolves when they survive a crash; throws why the
   * disk did not take them.
   */
  add: (items: readonly Item[]) => Promise<void>
  /** Notes a change of who waits. Resolves when it survives a crash, or is left for the next write to take along. */
  change: (item: Item, change: Change) => Promise<void>
  /** Takes a message out, stored or not. Resolves as `change`. */
  remove: (item: Item) => Promise<void>
  /** Another write, which takes effect together with what is stored at the same time. */
  write: (write: Write) => Promise<void>
  /** The stored message. Throws if it is not in the store. */
  read: (place: Place) => Message
  /** All stored messages, when the log is opened. */
  load: () => Generator<Loaded>
  /** Chunks of which little is left, each once, with the heads of all that is or was in them. */
  takeSparse: () => Generator<{ chunk: Chunk; heads: Head[] }>
}

/** A chunk is worth tidying when no more than one message in this many is left. */
const SPARSE = 4

const isSparse = ({ messages, live }: Chunk): boolean => live > 0 && live * SPARSE <= messages

const GONE: Change = ['gone']

/** What goes into one commit. `saved` throws when the store does not take it; `noted` does not. */
type Group = {
  items: Item[]
  chunks: Chunk[]
  changes: { item: Item; change: Change }[]
  emptied: Set<Chunk>
  writes: Write[]
  saved?: Promise<void>
  noted?: Promise<void>
}

const createGroup = (): Group => ({ items: [], chunks: [], changes: [], emptied: new Set(), writes: [] })

/** Heads of the records of a chunk, by their offsets. */
const headsIn = function* (bytes: Buffer): Generator<[at: number, head: Head]> {
  for (let at = 0; at < bytes.length; ) {
    const head = readHead(bytes, at)
    yield [at, head]
    at = head.end
  }
}

export const openMessageLog = (store: Store): MessageLog => {
  const chunks = store.table<Buffer, number>('chunks', 'binary')
  const lists = store.table<[at: number, change: Change][], [chunk: number, index: number]>('changes', 'msgpack')
  const sparse = new Set<Chunk>()
  let lastChunk = 0
  let group = createGroup()

  const leave = ({ chunk }: Place): void => {
    chunk.live -= 1
    if (chunk.live === 0) group.emptied.add(chunk)
    if (isSparse(chunk)) sparse.add(chunk)
    else sparse.delete(chunk)
  }

  const putChunks = function* ({ items, chunks: made }: Group): Generator<Promise<boolean>> {
    let chunk: Chunk | undefined
    let bytes = Buffer.alloc(0)
    let end = 0
    for (const item of items) {
      const { message, isOpen, place } = item
      if (!message) continue
      const room = roomFor(message)
      if (!chunk || end + room > bytes.length) {
        if (chunk) yield chunks.put(chunk.id, bytes.subarray(0, end))
        lastChunk += 1
        chunk = { id: lastChunk, messages: 0, live: 0, changes: 0, isSafe: false }
        made.push(chunk)
        bytes = Buffer.allocUnsafeSlow(Math.max(room, CHUNK_BYTES))
        end = 0
      }
      item.place = { chunk, at: end }
      chunk.messages += 1
      chunk.live += 1
      end = writeRecord(bytes, end, message, isOpen)
      if (place) leave(place)
    }
    if (chunk) yield chunks.put(chunk.id, bytes.subarray(0, end))
  }

  const putChanges = function* (changes: Group['changes']): Generator<Promise<boolean>> {
    const byChunk = new Map<Chunk, [number, Change][]>()
    for (const { item, change } of changes) {
      if (!item.place || item.place.chunk.live === 0) continue
      const { chunk, at } = item.place
      const list = byChunk.get(chunk) ?? []
      byChunk.set(chunk, list)
      list.push([at, change])
    }
    for (const [chunk, list] of byChunk) {
      yield lists.put([chunk.id, chunk.changes], list)
      chunk.changes += 1
    }
  }

  const removeChunks = function* (emptied: Iterable<Chunk>): Generator<Promise<boolean>> {
    for (const { id, changes } of emptied) {
      yield chunks.remove(id)
      for (let index = 0; index < changes; index++) yield lists.remove([id, index])
    }
  }

  const commit = async (taken: Group): Promise<boolean> => {
    const done = [...taken.writes.map(write => write()), ...putChunks(taken), ...putChanges(taken.changes)]
    // Moving messages has emptied further chunks: `leave` has noted them with what comes next.
    for (const chunk of group.emptied) taken.emptied.add(chunk)
    group.emptied.clear()
    await Promise.all(new Set([...done, ...removeChunks(taken.emptied)]))
    return true
  }

  const settle = ({ chunks: made }: Group): void => {
    for (const chunk of made) chunk.isSafe = true
  }

  /** What was refused besides messages is tried again with whatever is written next. */
  const keep = ({ changes, emptied }: Group): void => {
    group.changes.unshift(...changes)
    for (const chunk of emptied) group.emptied.add(chunk)
  }

  const save = (): Promise<void> => {
    if (group.saved) return group.saved
    const opened = group
    opened.saved = store.write([
      () => {
        group = createGroup()
        return commit(opened)
      },
    ])
    opened.noted = opened.saved.then(
      () => settle(opened),
      () => keep(opened),
    )
    return opened.saved
  }

  const note = (): Promise<void> => {
    void save()
    return group.noted ?? Promise.resolve()
  }

  return {
    add: items => {
      for (const item of items) group.items.push(item)
      return save()
    },
    change: (item, change) => {
      group.changes.push({ item, change })
      return note()
    },
    remove: item => {
      item.message = undefined
      if (item.place) {
        group.changes.push({ item, change: GONE })
        leave(item.place)
      }
      return note()
    },
    write: write => {
      group.writes.push(write)
      return save()
    },
    read: ({ chunk, at }) => {
      const bytes = chunks.getBinaryFast(chunk.id)
      if (!bytes) throw new Error(`chunk ${chunk.id} is not in the store`)
      return readMessage(bytes, at)
    },
    load: function* () {
      const changesIn = new Map<number, Map<number, Change[]>>()
      const listsOf = new Map<number, number>()
      for (const { key, value } of lists.getRange()) {
        const [id, index] = key
        listsOf.set(id, index + 1)
        const byPlace = changesIn.get(id) ?? new Map<number, Change[]>()
        changesIn.set(id, byPlace)
        for (const [at, change] of value) byPlace.set(at, [...(byPlace.get(at) ?? []), change])
      }
      for (const { key: id, value } of chunks.getRange()) {
        lastChunk = id
        const chunk: Chunk = { id, messages: 0, live: 0, changes: listsOf.get(id) ?? 0, isSafe: true }
        const found: Loaded[] = []
        for (const [at, head] of headsIn(value)) {
          chunk.messages += 1
          const changes = changesIn.get(id)?.get(at) ?? []
          if (!changes.some(([what]) => what === 'gone')) found.push({ ...head, place: { chunk, at }, changes })
        }
        chunk.live = found.length
        if (chunk.live === 0) group.emptied.add(chunk)
        yield* found
      }
      void note()
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
