/** Callbacks at the end of a turn of the event loop, after all frames that arrived together were handled. */

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
 * Runs a callback at the end of this turn, in the order of the calls. Callbacks added meanwhile run in the next turn. One
 * that throws causes a warning on standard error and does not stop the others.
 */
export const atEndOfTurn = (act: () => void): void => {
  if (asked.push(act) === 1) setImmediate(end)
}

/** Resolves at the end of this turn. */
export const endOfTurn = (): Promise<void> => new Promise(atEndOfTurn)

/** Tokens (see `message` in connection.ts) that one address may spend per turn: about a millisecond of work. */
export const TOKENS_A_TURN = 50

/**
 * Calls `begin` for all items in order, a few per turn of the event loop, so that a long list does not delay other work.
 * Resolves with all results.
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

/** A clock that is read at most once per turn. */
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
