/** Stalls this process, as a busy machine does. */
import { setImmediate as turn } from 'node:timers/promises'

/** Starts work and blocks the process for that many milliseconds. Afterwards timers run before anything is read. */
export const stallAfter = async <T>(start: () => Promise<T>, milliseconds: number): Promise<T> => {
  await turn()
  const work = start()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
  return work
}
