/** Runs tasks one at a time, in the order in which they were added. */
export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>

export const createSerialQueue = (): SerialQueue => {
  let last: Promise<unknown> = Promise.resolve()
  return task => {
    const next = last.then(task)
    last = next.catch(() => undefined)
    return next
  }
}
