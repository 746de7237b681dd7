/** Counts the items that a transfer moves, and the expired items that it leaves out. */

export type Tally = {
  moved: (kind: string, amount: number) => void
  expired: (kind: string, amount: number) => void
  /** Adds a line to the result. */
  note: (line: string) => void
  /** Returns the result for the operator. */
  lines: () => string[]
}

/** `kinds` are the kinds in the order of the result. */
export const createTally = (kinds: readonly string[]): Tally => {
  const moved = new Map<string, number>(kinds.map(kind => [kind, 0]))
  const expired = new Map<string, number>()
  const notes: string[] = []
  const add = (counts: Map<string, number>, kind: string, amount: number): void => {
    counts.set(kind, (counts.get(kind) ?? 0) + amount)
  }
  const linesOf = (counts: Map<string, number>): string[] => [...counts].map(([kind, amount]) => `${amount} ${kind}`)
  return {
    moved: (kind, amount) => add(moved, kind, amount),
    expired: (kind, amount) => {
      if (amount > 0) add(expired, kind, amount)
    },
    note: line => {
      notes.push(line)
    },
    lines: () => [
      ...linesOf(moved),
      `expired and left out: ${linesOf(expired).sort().join(', ') || 'nothing'}`,
      ...notes,
    ],
  }
}
