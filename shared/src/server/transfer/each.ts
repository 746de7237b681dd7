/** Runs the steps of a transfer, some at a time. */

/** Steps under way at once, so that few of them wait for the network alone. */
const AT_ONCE = 16

/** Runs `work` for each item, some at a time. Rejects with the first error, after the work under way has ended. */
export const each = async <T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  for await (const item of items) {
    const step: Promise<void> = work(item)
      .catch(thrown => {
        failures.push(thrown)
      })
      .finally(() => running.delete(step))
    running.add(step)
    if (running.size >= AT_ONCE) await Promise.race(running)
    if (failures.length > 0) break
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
}
