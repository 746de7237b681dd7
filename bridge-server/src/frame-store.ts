/**
 * Frames on the disk. All that is asked for while a commit is under way goes into the next one. A frame that is on the
 * disk has no text in memory any more; what the disk does not take stays in memory and is tried again.
 */
import type { Logger } from '@heliograph/shared/server/log'
import { NOBODY, type Payers } from '@heliograph/shared/server/shares'
import type { Store } from '@heliograph/shared/server/store'

/** A frame that somebody published. Frames have numbers in the order of their coming; `at` is in ms of Unix time. */
export type Frame = {
  readonly seq: number
  readonly topic: string
  readonly at: number
  /** Bytes of its text. */
  readonly size: number
  /** The number of the session that sent it; none has that of a frame of an earlier process. */
  readonly publisher: number
  /** Who pays for it while it waits; nobody for a frame of an earlier process. */
  readonly payers: Payers
  /** Until it is on the disk. */
  text: string | undefined
  /** It is to be on the disk; `isStored` says that it is. */
  isKept: boolean
  isStored: boolean
}

export type FrameStore = {
  /** The frames of an earlier process, in order. */
  load: () => Generator<Frame>
  /** Has the frame survive a crash, in a few milliseconds. */
  keep: (frame: Frame) => void
  /** Nobody needs the frame any more. */
  forget: (frame: Frame) => void
  textOf: (frame: Frame) => string
  /** Tries again what the disk did not take. Resolves when it has all, or does not take it either. */
  save: () => Promise<void>
  /** How many frames are on the disk. */
  count: () => number
}

/** Bytes of the frames of a commit; what does not fit goes into the next. One that is small finds room where there is little. */
const COMMIT_BYTES = 256 * 1024
/** Bytes that a record takes besides its text, more or less. */
const RECORD_BYTES = 100

const NO_SESSION = 0
const STORED = { payers: NOBODY, isKept: true, isStored: true }

export const openFrameStore = (store: Store, log: Logger): FrameStore => {
  const table = store.table<[topic: string, text: string, at: number], number>('frames', 'msgpack')
  let count = 0
  /** What is to be written, and what is to be removed. */
  const kept = new Set<Frame>()
  let gone = new Set<Frame>()
  let saving: Promise<void> | undefined

  const write = async (written: Iterable<Frame>, removed: Iterable<Frame>): Promise<boolean> => {
    const puts = [...written].map(({ seq, topic, text = '', at }) => table.put(seq, [topic, text, at]))
    await Promise.all([...puts, ...[...removed].map(({ seq }) => table.remove(seq))])
    return true
  }

  /** A store that is full is left to what makes room. */
  const canKeep = (): boolean => kept.size > 0 && store.failure() === undefined

  /** Takes out what is to be written next, and counts its bytes. */
  const takeKept = (written: Set<Frame>): number => {
    let bytes = 0
    for (const frame of kept) {
      if (bytes >= COMMIT_BYTES) break
      kept.delete(frame)
      written.add(frame)
      bytes += frame.size + RECORD_BYTES
    }
    return bytes
  }

  const commit = async (): Promise<void> => {
    const written = new Set<Frame>()
    let removed = new Set<Frame>()
    const begin = (): number => {
      ;[removed, gone] = [gone, removed]
      return canKeep() ? takeKept(written) : 0
    }
    try {
      await store.write([() => write(written, removed)], begin)
    } catch (failure) {
      for (const frame of written) if (!gone.has(frame)) kept.add(frame)
      for (const frame of removed) gone.add(frame)
      throw failure
    }
    for (const frame of written) {
      frame.text = undefined
      frame.isStored = true
      count += 1
    }
    for (const { isStored } of removed) if (isStored) count -= 1
  }

  const saveAll = async (): Promise<void> => {
    try {
      while (gone.size > 0 || canKeep()) await commit()
    } catch (err) {
      log.error({ err }, 'the store does not take frames')
    }
    saving = undefined
  }

  const save = async (): Promise<void> => {
    if (gone.size > 0 || canKeep()) saving ??= saveAll()
    await saving
  }

  return {
    load: function* () {
      for (const { key: seq, value } of table.getRange()) {
        const [topic, text, at] = value
        count += 1
        yield { seq, topic, at, size: Buffer.byteLength(text), publisher: NO_SESSION, text: undefined, ...STORED }
      }
    },
    keep: frame => {
      if (frame.isKept) return
      frame.isKept = true
      kept.add(frame)
      void save()
    },
    forget: frame => {
      if (!frame.isKept) return
      kept.delete(frame)
      gone.add(frame)
      void save()
    },
    textOf: ({ seq, text }) => {
      const found = text ?? table.get(seq)?.[1]
      if (found === undefined) throw new Error(`frame ${seq} is not in the store`)
      return found
    },
    save,
    count: () => count,
  }
}
