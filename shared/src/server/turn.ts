/** The end of a turn of the event loop, when all frames that came together have been taken. */

let asked: (() => void)[] = []

const end = (): void => {
  const due = asked
  asked = []
  for (const act of due)
    try {
      act()
    } catch (fault) {
      process.emitWarning(fault instanceof Error ? fault : String(fault))
    }
}

/**
 * Acts at the end of this turn, after what asked before. What is asked for meanwhile comes in the next. An act that throws
 * becomes a warning on standard error and stops no other act.
 */
export const atEndOfTurn = (act: () => void): void => {
  if (asked.push(act) === 1) setImmediate(end)
}

/** Resolves at the end of this turn. */
export const endOfTurn = (): Promise<void> => new Promise(atEndOfTurn)

/** Tokens of work, see `message` in connection.ts, that one client gets in a turn: about a millisecond. */
export const TOKENS_A_TURN = 50

/**
 * Begins on all items in order, some in each turn of the event loop, so that a long list holds up nobody else. Resolves with
 * how each ended.
 */
export const settleInTurns = async <T, R>(
  items: readonly T[],
  begin: (item: T) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> => {
  const begun: Promise<PromiseSettledResult<R>[]>[] = []
  for (let start = 0; start < items.length; start += TOKENS_A_TURN) {
    if (start > 0) await endOfTurn()
    begun.push(Promise.allSettled(items.slice(start, start + TOKENS_A_TURN).map(begin)))
  }
  return (await Promise.all(begun)).flat()
}

/** A clock that is read once in a turn, however often it is asked. */
export const createTurnClock = (read: () => number): (() => number) => {
  let time = 0
  let isRead = false
  const forget = (): void => {
    isRead = false
  }
  return () => {
    if (isRead) return time
    isRead = true
    atEndOfTurn(forget)
    time = read()
    return time
  }
}
