/**
 * Bounds the tokens that work for one address takes in each turn of the event loop. Further work is queued for later
 * turns, in order of arrival, so that no address delays the others.
 */
import { atEndOfTurn, endOfTurn, TOKENS_A_TURN } from '../process/turn.ts'

/** Maximum bytes of queued work per address. Each item counts as at least LEAST_BYTES. */
const MOST_WAITING = 16 * 1024 * 1024
const LEAST_BYTES = 512
/** Cost in tokens of work that threw. */
const FAILED_COST = 1

/** Does the work. Returns its cost in tokens. */
type Act = () => number
type Waiting = { act: Act; bytes: number }
/** An address's queued work. `spent` is the number of its spent tokens that this turn and later turns must cover. */
type Line = { spent: number; waiting: Waiting[]; bytes: number }

export type AddressTurns = {
  /** True if the address has tokens left in this turn and no queued work. */
  isFree: (address: string) => boolean
  /** Counts tokens against this turn, and against later turns when this one has too few. */
  spend: (address: string, tokens: number) => void
  /** Queues work for a later turn. Returns false without queuing it if the address has too much queued work already. */
  wait: (address: string, bytes: number, act: Act) => boolean
  /** Does work now if the address is free or exempt (undefined); otherwise queues it. Returns false like `wait`. */
  take: (address: string | undefined, bytes: number, act: Act) => boolean
  /** Resolves when no work is queued. */
  settled: () => Promise<void>
}

/** Calls `onFault` with errors that work throws. Other work continues. */
export const createAddressTurns = (onFault: (fault: unknown) => void): AddressTurns => {
  const lines = new Map<string, Line>()

  const perform = (act: Act): number => {
    try {
      return act()
    } catch (fault) {
      onFault(fault)
      return FAILED_COST
    }
  }

  const advance = (line: Line): void => {
    line.spent = Math.max(line.spent - TOKENS_A_TURN, 0)
    let done = 0
    for (const { act, bytes } of line.waiting) {
      if (line.spent >= TOKENS_A_TURN) break
      done += 1
      line.bytes -= bytes
      line.spent += perform(act)
    }
    line.waiting.splice(0, done)
  }

  const advanceAll = (): void => {
    for (const [address, line] of lines) {
      advance(line)
      if (line.spent === 0 && line.waiting.length === 0) lines.delete(address)
    }
    if (lines.size > 0) atEndOfTurn(advanceAll)
  }

  const lineOf = (address: string): Line => {
    const known = lines.get(address)
    if (known) return known
    const line: Line = { spent: 0, waiting: [], bytes: 0 }
    lines.set(address, line)
    if (lines.size === 1) atEndOfTurn(advanceAll)
    return line
  }

  const isFree: AddressTurns['isFree'] = address => {
    const line = lines.get(address)
    return !line || (line.spent < TOKENS_A_TURN && line.waiting.length === 0)
  }

  const spend: AddressTurns['spend'] = (address, tokens) => {
    lineOf(address).spent += tokens
  }

  const wait: AddressTurns['wait'] = (address, length, act) => {
    const line = lineOf(address)
    const bytes = Math.max(length, LEAST_BYTES)
    if (line.bytes + bytes > MOST_WAITING) return false
    line.bytes += bytes
    line.waiting.push({ act, bytes })
    return true
  }

  return {
    isFree,
    spend,
    wait,
    take: (address, bytes, act) => {
      if (address === undefined) perform(act)
      else if (isFree(address)) spend(address, perform(act))
      else return wait(address, bytes, act)
      return true
    },
    settled: async () => {
      while ([...lines.values()].some(({ waiting }) => waiting.length > 0)) await endOfTurn()
    },
  }
}
