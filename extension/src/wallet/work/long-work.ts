/** Runs work that takes a second or more of processor time with a lower priority than everything else in the worker. */

type Scheduler = { postTask<T>(work: () => Promise<T>, options: { priority: 'background' }): Promise<T> }

/**
 * noble's key derivations yield every few milliseconds, with `scheduler.yield` if it exists. That alone would not let
 * other work run: a continuation after a yield comes before other tasks of its priority, such as messages and storage.
 * It keeps its initial priority, so this starts it with the lowest.
 * https://developer.mozilla.org/docs/Web/API/Prioritized_Task_Scheduling_API
 */
export const longWork = <T>(work: () => Promise<T>): Promise<T> => {
  const { scheduler } = globalThis as { scheduler?: Scheduler }
  return scheduler ? scheduler.postTask(work, { priority: 'background' }) : work()
}
