/**
 * Frames in the store. One that is stored has no text in memory any more; one that the disk refuses stays in memory and is
 * tried again.
 */
import type { Logger } from '@heliograph/shared/server/log'
import { NOBODY, type Payers } from '@heliograph/shared/server/shares'
import type { Store } from '@heliograph/shared/server/storage/store'

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
  /** Until it is stored. */
  text: string | undefined
  /** It is to be stored; `isStored` says that it is. */
  isKept: boolean
  isStored: boolean
}

export type FrameStore = {
  /** The frames of an earlier process, in order. */
  load: () => Generator<Frame>
  /** Makes the frame survive a crash, from the end of this turn on. */
  keep: (frame: Frame) => void
  /** Nobody needs the frame any more. */
  forget: (frame: Frame) => void
  /** The text of a frame; undefined if the store has it no more, or damaged. */
  textOf: (frame: Frame) => string | undefined
  /** Tries again what the disk refused. Resolves when all is stored, or refused again. */
  save: () => Promise<void>
  /** How many frames are stored. */
  count: () => number
}

const NO_SESSION = 0
const STORED = { payers: NOBODY, isKept: true, isStored: true }

export const openFrameStore = (store: Store, log: Logger): FrameStore => {
  const table = store.table<[topic: string, text: string, at: number], number>('frames')
  let count = 0
  /** Kept frames that are not stored yet. */
  const unstored = new Map<Frame, Promise<void>>()
  /** Kept frames that the disk refused. */
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
      if (refused.size === 1) log.error({ err }, 'the store does not take frames')
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
      // A store that is full is left to what makes room.
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
    textOf: ({ seq, text }) => text ?? table.get(seq)?.[1],
    save: async () => {
      if (store.failure() === undefined) for (const frame of [...refused]) put(frame)
      await Promise.all(unstored.values())
    },
    count: () => count,
  }
}
