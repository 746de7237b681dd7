/** For tests of what happens a moment later, on a machine that may be busy. */
import { vi } from 'vitest'

/** Resolves with the result of `check` once it does not throw. Rejects with its last error after 30 seconds. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000, interval: 50 })
