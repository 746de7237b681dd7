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
