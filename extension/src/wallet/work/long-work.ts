/** Runs work that takes a second or more of processor time at a lower priority than all other work in the worker. */

type Scheduler = { postTask<T>(work: () => Promise<T>, options: { priority: 'background' }): Promise<T> }

/**
 * Runs work at the lowest priority. noble's key derivations yield every few milliseconds, with `scheduler.yield` if it
 * exists. Yielding alone would not let other work run, because a continuation runs before other tasks of the same
 * priority, such as messages and storage. A continuation keeps its task's initial priority, so the task is started at
 * the lowest. https://developer.mozilla.org/docs/Web/API/Prioritized_Task_Scheduling_API
 */
export const longWork = <T>(work: () => Promise<T>): Promise<T> => {
  const { scheduler } = globalThis as { scheduler?: Scheduler }
  return scheduler ? scheduler.postTask(work, { priority: 'background' }) : work()
}
