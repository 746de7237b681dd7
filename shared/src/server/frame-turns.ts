/**
 * Limits the tokens that one address may spend per turn of the event loop. Further frames are queued for the next
 * turns, in order, so that no address delays the others.
 */
import { atEndOfTurn, endOfTurn, TOKENS_A_TURN } from './turn.ts'

/** Maximum bytes of queued frames per address. Each frame counts as at least `MIN_FRAME_BYTES`. */
const MAX_QUEUED_BYTES = 16 * 1024 * 1024
const MIN_FRAME_BYTES = 512

type Waiting<T> = { to: T; frame: Buffer }
/** An address with queued frames, or with tokens spent in this turn or still owed. */
type Line<T> = { spent: number; waiting: Waiting<T>[]; bytes: number }

export type FrameTurns<T> = {
  /** Handles a frame now, or queues a copy of it. False if the queue of the address is full. */
  take: (address: object, to: T, frame: Buffer) => boolean
  /** Resolves when no frame is queued. */
  settled: () => Promise<void>
}

const bytesOf = (frame: Buffer): number => Math.max(frame.length, MIN_FRAME_BYTES)

/** `handle` returns the cost of a frame in tokens. It must not throw. */
export const createFrameTurns = <T>(handle: (to: T, frame: Buffer) => number): FrameTurns<T> => {
  const lines = new Map<object, Line<T>>()

  const advance = (line: Line<T>): void => {
    line.spent = Math.max(line.spent - TOKENS_A_TURN, 0)
    let handled = 0
    for (const { to, frame } of line.waiting) {
      if (line.spent >= TOKENS_A_TURN) break
      handled += 1
      line.bytes -= bytesOf(frame)
      line.spent += handle(to, frame)
    }
    line.waiting.splice(0, handled)
  }

  const advanceAll = (): void => {
    for (const [address, line] of lines) {
      advance(line)
      if (line.spent === 0 && line.waiting.length === 0) lines.delete(address)
    }
    if (lines.size > 0) atEndOfTurn(advanceAll)
  }

  const lineOf = (address: object): Line<T> => {
    const known = lines.get(address)
    if (known) return known
    const line: Line<T> = { spent: 0, waiting: [], bytes: 0 }
    lines.set(address, line)
    if (lines.size === 1) atEndOfTurn(advanceAll)
    return line
  }

  return {
    take: (address, to, frame) => {
      const line = lineOf(address)
      if (line.spent < TOKENS_A_TURN && line.waiting.length === 0) {
        line.spent += handle(to, frame)
        return true
      }
      line.bytes += bytesOf(frame)
      // The buffer is reused when this returns.
      if (line.bytes <= MAX_QUEUED_BYTES) return line.waiting.push({ to, frame: Buffer.from(frame) }) > 0
      line.bytes -= bytesOf(frame)
      return false
    },
    settled: async () => {
      while ([...lines.values()].some(({ waiting }) => waiting.length > 0)) await endOfTurn()
    },
  }
}
