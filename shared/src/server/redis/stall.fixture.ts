/** Stalls of the own process, as on a busy machine. */
import { setImmediate as turn } from 'node:timers/promises'

/** Starts some work and blocks the process for that many milliseconds. Then timers run before anything is read. */
export const stallAfter = async <T>(start: () => Promise<T>, milliseconds: number): Promise<T> => {
  await turn()
  const work = start()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
  return work
}
