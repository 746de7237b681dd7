/** Keeps the global values and the clock that a file replaced out of the files that run after it in the same process. */
import { afterAll, vi } from 'vitest'

afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.useRealTimers()
})
