/**
 * Frames on the disk. All that is asked for while a commit is under way goes into the next one. A frame that is on the
 * disk has no text in memory any more; what the disk does not take stays in memory and is tried again.
 */
import type { Logger } from '@heliograph/shared/server/log'
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
  /** Tries again what the disk did not take. */
  retry: () => void
  /** How many frames are on the disk. */
  count: () => number
}

const NOBODY = 0
const STORED = { isKept: true, isStored: true }

export const openFrameStore = (store: Store, log: Logger): FrameStore => {
  const table = store.table<[topic: string, text: string, at: number], number>('frames', 'msgpack')
  let count = 0
  /** What goes into the next commit, and whether that was asked for. */
  let kept = new Set<Frame>()
  let gone = new Set<Frame>()
  let isAsked = false

  const write = async (frames: Iterable<Frame>, removed: Iterable<Frame>): Promise<boolean> => {
    const puts = [...frames].map(({ seq, topic, text = '', at }) => table.put(seq, [topic, text, at]))
    await Promise.all([...puts, ...[...removed].map(({ seq }) => table.remove(seq))])
    return true
  }

  const commit = async (): Promise<void> => {
    let [written, removed] = [new Set<Frame>(), new Set<Frame>()]
    const begin = (): Promise<boolean> => {
      ;[written, removed, kept, gone, isAsked] = [kept, gone, written, removed, false]
      return write(written, removed)
    }
    try {
      await store.write([begin])
    } catch (err) {
      log.error({ err }, 'the store does not take frames')
      for (const frame of written) if (!gone.has(frame)) kept.add(frame)
      for (const frame of removed) gone.add(frame)
      return
    }
    for (const frame of written) {
      frame.text = undefined
      frame.isStored = true
      count += 1
    }
    for (const { isStored } of removed) if (isStored) count -= 1
  }

  const commitSoon = (): void => {
    if (isAsked) return
    isAsked = true
    void commit()
  }

  return {
    load: function* () {
      for (const { key: seq, value } of table.getRange()) {
        const [topic, text, at] = value
        count += 1
        yield { seq, topic, at, size: Buffer.byteLength(text), publisher: NOBODY, text: undefined, ...STORED }
      }
    },
    keep: frame => {
      if (frame.isKept) return
      frame.isKept = true
      kept.add(frame)
      commitSoon()
    },
    forget: frame => {
      if (!frame.isKept) return
      kept.delete(frame)
      gone.add(frame)
      commitSoon()
    },
    textOf: ({ seq, text }) => {
      const found = text ?? table.get(seq)?.[1]
      if (found === undefined) throw new Error(`frame ${seq} is not in the store`)
      return found
    },
    retry: () => {
      if (kept.size + gone.size > 0) commitSoon()
    },
    count: () => count,
  }
}
