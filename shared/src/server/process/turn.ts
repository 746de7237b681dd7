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
 * Runs a callback at the end of this turn, in the order of the calls. Callbacks added meanwhile run in the next turn. A
 * callback that throws causes a warning on standard error and does not stop the others.
 */
export const atEndOfTurn = (act: () => void): void => {
  if (asked.push(act) === 1) setImmediate(end)
}

/** Resolves at the end of this turn. */
export const endOfTurn = (): Promise<void> => new Promise(atEndOfTurn)

/** Tokens (see `message` in connection.ts) that one address may spend per turn: about a millisecond of work. */
export const TOKENS_A_TURN = 50

/**
 * Calls `begin` for all items in order. One turn of the event loop begins items for about TOKENS_A_TURN tokens, so that
 * a long list does not delay other work. Resolves with all results.
 */
export const settleInTurns = async <T, R>(
  items: readonly T[],
  begin: (item: T) => Promise<R>,
  tokensOf: (item: T) => number = () => 1,
): Promise<PromiseSettledResult<R>[]> => {
  const settled: Promise<PromiseSettledResult<R>[]>[] = []
  let tokens = 0
  for (const item of items) {
    while (tokens >= TOKENS_A_TURN) {
      await endOfTurn()
      tokens -= TOKENS_A_TURN
    }
    // `allSettled` handles each promise at once, so that no rejection counts as unhandled.
    settled.push(Promise.allSettled([begin(item)]))
    tokens += tokensOf(item)
  }
  return (await Promise.all(settled)).flat()
}

/** Returns a clock that reads the time at most once per turn. */
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
