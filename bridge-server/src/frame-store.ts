/**
 * Stores frames on disk. Frees a frame's text from memory once it is stored. A frame that the disk refuses stays in
 * memory, and its write is retried.
 */

import { NOBODY, type Payers } from '@heliograph/shared/server/limits/shares'
import type { Logger } from '@heliograph/shared/server/process/log'
import type { Store } from '@heliograph/shared/server/storage/store'
import { NO_SESSION, type QueuedFrame } from './frame-queue.ts'

/** A queued frame. `seq` increases in order of arrival on all topics; `at` is Unix time in milliseconds. */
export type Frame = QueuedFrame & {
  readonly at: number
  /** Length of the text in UTF-8 bytes. */
  readonly size: number
  /** The accounts charged while it is queued. NOBODY for a frame of an earlier process. */
  readonly payers: Payers
  /** True after `keep` was called. `isStored` is true once the write has succeeded. */
  isKept: boolean
  isStored: boolean
}

export type FrameStore = {
  /** Yields the frames of earlier processes, in order. */
  load: () => Generator<Frame>
  /** Stores the frame. It survives a crash after the end of this turn of the event loop. */
  keep: (frame: Frame) => void
  /** Deletes the frame. */
  forget: (frame: Frame) => void
  /** Returns a stored frame's text. Returns undefined if it is no longer stored, or damaged. */
  textOf: (seq: number) => string | undefined
  /** Retries refused frames. Resolves when every frame is stored or refused again. */
  save: () => Promise<void>
  /** Returns the number of stored frames. */
  count: () => number
}

const STORED = { payers: NOBODY, isKept: true, isStored: true }

/** A row of the table of frames, whose key is the sequence number. `at` is Unix time in milliseconds. */
export type StoredFrame = [topic: string, text: string, at: number]

/** Name of the table of frames. */
export const FRAMES = 'frames'

export const openFrameStore = (store: Store, log: Logger): FrameStore => {
  const table = store.table<StoredFrame, number>(FRAMES)
  let count = 0
  /** Frames being written. */
  const unstored = new Map<Frame, Promise<void>>()
  /** Frames that the disk refused. */
  const refused = new Set<Frame>()

  const write = async (frame: Frame): Promise<void> => {
    const { seq, topic, text = '', at } = frame
    try {
      await table.put(seq, [topic, text, at])
      if (!unstored.has(frame)) return
      frame.text = undefined
      frame.isStored = true
      count += 1
    } catch (err) {
      if (unstored.has(frame)) refused.add(frame)
      if (refused.size === 1) log.error({ err }, 'the store refuses frames')
    } finally {
      unstored.delete(frame)
    }
  }

  const put = (frame: Frame): void => {
    refused.delete(frame)
    unstored.set(frame, Promise.resolve())
    unstored.set(frame, write(frame))
  }

  return {
    load: function* () {
      for (const [seq, [topic, text, at]] of table.entries()) {
        count += 1
        yield { seq, topic, at, size: Buffer.byteLength(text), publisher: NO_SESSION, text: undefined, ...STORED }
      }
    },
    keep: frame => {
      if (frame.isKept) return
      frame.isKept = true
      // While the store fails, this write would fail too, so the frame waits in `refused` until `save` retries it.
      if (store.failure() === undefined) put(frame)
      else refused.add(frame)
    },
    forget: frame => {
      if (!frame.isKept) return
      refused.delete(frame)
      unstored.delete(frame)
      if (frame.isStored) count -= 1
      table.remove(frame.seq).catch(() => undefined)
    },
    textOf: seq => table.get(seq)?.[1],
    save: async () => {
      if (store.failure() === undefined) for (const frame of [...refused]) put(frame)
      await Promise.all(unstored.values())
    },
    count: () => count,
  }
}
