/** One at a time: tasks run in the order in which they were given, each after the one before has ended. */
export type Turns = <T>(task: () => Promise<T>) => Promise<T>

export const createTurns = (): Turns => {
  let last: Promise<unknown> = Promise.resolve()
  return task => {
    const next = last.then(task)
    last = next.catch(() => undefined)
    return next
  }
}
