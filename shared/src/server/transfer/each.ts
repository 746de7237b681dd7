/** Runs the steps of a transfer with limited concurrency. */

/** Maximum number of concurrent steps, which hides most of the network's latency. */
const AT_ONCE = 16

/**
 * Runs `work` for each item, with limited concurrency. Rejects with the first error, once the running work has settled.
 */
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
