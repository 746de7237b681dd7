/** Work that keeps the processor busy for a second or more, done behind everything else that the worker has to do. */

type Scheduler = { postTask<T>(work: () => Promise<T>, options: { priority: 'background' }): Promise<T> }

/**
 * Derivations of noble give way every few milliseconds, where there is one by `scheduler.yield`. That alone would let
 * nothing else through: what goes on after a yield comes before other tasks of its priority, messages and storage among
 * them. It keeps the priority it began with, so it begins with the lowest.
 * https://developer.mozilla.org/docs/Web/API/Prioritized_Task_Scheduling_API
 */
export const longWork = <T>(work: () => Promise<T>): Promise<T> => {
  const { scheduler } = globalThis as { scheduler?: Scheduler }
  return scheduler ? scheduler.postTask(work, { priority: 'background' }) : work()
}
