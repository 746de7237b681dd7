/**
 * Frames of one address take so many tokens in a turn of the event loop. What comes beyond them waits for the next turns,
 * in the order in which it came, so that no address holds up the others.
 */
import { atEndOfTurn, endOfTurn, TOKENS_A_TURN } from './turn.ts'

/** Bytes of frames that may wait for one address, each counted as `LEAST_BYTES` at least. */
const MOST_WAITING = 16 * 1024 * 1024
const LEAST_BYTES = 512

type Waiting<T> = { to: T; frame: Buffer }
/** An address that has spent tokens in this turn, or more than those of a turn before. */
type Line<T> = { spent: number; waiting: Waiting<T>[]; bytes: number }

export type FrameTurns<T> = {
  /** Handles a frame now, or a copy of it in a later turn. False if too much of that address waits. */
  take: (address: object, to: T, frame: Buffer) => boolean
  /** Resolves when no frame waits. */
  settled: () => Promise<void>
}

const bytesOf = (frame: Buffer): number => Math.max(frame.length, LEAST_BYTES)

/** `handle` returns how many tokens a frame took. It may not throw. */
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
      // The frame is gone when this returns.
      if (line.bytes <= MOST_WAITING) return line.waiting.push({ to, frame: Buffer.from(frame) }) > 0
      line.bytes -= bytesOf(frame)
      return false
    },
    settled: async () => {
      while ([...lines.values()].some(({ waiting }) => waiting.length > 0)) await endOfTurn()
    },
  }
}
