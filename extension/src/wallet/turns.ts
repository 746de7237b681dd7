/** Runs tasks one at a time, in the order in which they were added. */
export type Turns = <T>(task: () => Promise<T>) => Promise<T>

export const createTurns = (): Turns => {
  let last: Promise<unknown> = Promise.resolve()
  return task => {
    const next = last.then(task)
    last = next.catch(() => undefined)
    return next
  }
}
