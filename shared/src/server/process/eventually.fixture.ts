/** Waits for a result in tests, because a busy machine may take longer. */
import { vi } from 'vitest'

/** Resolves with the result of `check` once it does not throw. Rejects with its last error after 30 seconds. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000, interval: 50 })
