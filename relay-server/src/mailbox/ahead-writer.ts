/** Writes ahead what the commits of a mailbox bring later: all that was done in a turn of the event loop is one entry. */
import { endOfTurn } from '@heliograph/shared/server/turn'
import type { AheadRecord } from './ahead-record.ts'
import type { Change, Chunk, Group, PendingRow } from './message-tables.ts'
import type { WriteAheadLog } from './write-ahead-log.ts'

/** Bytes from which on the commits are waited for. */
const MOST_AHEAD = 64 * 1024 * 1024

type Fresh = {
  /** Bytes of chunks, from the first that is not written to the last. */
  added: Map<Chunk, { from: number; to: number }>
  gone: AheadRecord['gone']
  changes: AheadRecord['changes']
  rows: PendingRow[]
  /** Where all this is for the store. */
  groups: Set<Group>
}

const isWithin = (range: { from: number; to: number } | undefined, at: number): boolean =>
  range !== undefined && range.from <= at && at < range.to

const nothing = (): Fresh => ({ added: new Map(), gone: [], changes: [], rows: [], groups: new Set() })

/** `stored` resolves when the store has what went into a group; it is asked when the log does not take it. */
export const createAheadWriter = (log: WriteAheadLog, stored: (group: Group) => Promise<void>) => {
  /** What no turn has written, a part for each group: what is refused is refused with its commit. */
  const parts = [nothing()]
  const fresh = (): Fresh => parts.at(-1) ?? nothing()
  let turn: Promise<void> | undefined
  let last: Promise<void> = Promise.resolve()

  /** False if the log does not take it. */
  const append = ({ added, gone, changes, rows }: Fresh): boolean => {
    if (added.size + gone.length + changes.length + rows.length === 0) return true
    if (log.length() > MOST_AHEAD) return false
    const chunks: AheadRecord['chunks'] = []
    const bytes: Buffer[] = []
    for (const [chunk, { from, to }] of added) {
      // One without bytes has been stored meanwhile.
      if (!chunk.bytes) continue
      chunks.push([chunk.id, from, to - from])
      bytes.push(chunk.bytes.subarray(from, to))
    }
    const record: AheadRecord = { chunks, gone, changes, rows: rows.map(({ row }) => row) }
    try {
      log.append({ record, bytes })
    } catch {
      return false
    }
    for (const row of rows) row.isSafe = true
    return true
  }

  /** What nobody took goes with what comes next: the bytes of a chunk are read back from its beginning. */
  const putBack = ({ added, gone, changes, rows, groups }: Fresh): void => {
    for (const row of rows) row.isRefused = true
    const next = parts[0] ?? nothing()
    for (const group of groups) next.groups.add(group)
    for (const [chunk, { from, to }] of added) next.added.set(chunk, { from, to: next.added.get(chunk)?.to ?? to })
    next.gone = [...gone, ...next.gone]
    next.changes = [...changes, ...next.changes]
  }

  const write = async (): Promise<void> => {
    await endOfTurn()
    const taken = parts.shift() ?? nothing()
    if (parts.length === 0) {
      parts.push(nothing())
      turn = undefined
    }
    if (append(taken)) return
    try {
      await Promise.all([...taken.groups].map(stored))
    } catch (refused) {
      putBack(taken)
      throw refused
    }
  }

  const save = (group: Group): Promise<void> => {
    fresh().groups.add(group)
    if (turn) return turn
    turn = last.then(write)
    last = turn.catch(() => undefined)
    return turn
  }

  return {
    /** A record was written to a chunk. */
    added: (chunk: Chunk, from: number, to: number): void => {
      const before = fresh().added.get(chunk)
      if (before) before.to = to
      else fresh().added.set(chunk, { from, to })
    },
    /** What becomes of a record that is not written goes with it: one that was refused goes with its end. */
    changed: (chunk: Chunk, at: number, change: Change): void => {
      // Mostly there is one part.
      const part = parts.length === 1 ? fresh() : (parts.find(({ added }) => isWithin(added.get(chunk), at)) ?? fresh())
      if (change[0] === 'gone') part.gone.push(chunk.id, at)
      else part.changes.push([chunk.id, at, change])
    },
    put: (row: PendingRow): void => {
      fresh().rows.push(row)
    },
    /** What follows goes into another group. */
    split: (): void => {
      if (turn) parts.push(nothing())
      turn = undefined
    },
    /** Resolves when all of this turn is safe, and after the turns before; throws why the disk did not take it. */
    save,
    /** As the last `save`, and does not throw. */
    noted: (): Promise<void> => last,
  }
}
