/** In-memory version of the trusted store's methods that sealed cells use. */
import type { Sealing } from './sealed-cell.ts'

export const trustedInMemory = (): Sealing['trusted'] => {
  const noted = new Map<string, number>()
  return {
    noted: async name => noted.get(name) ?? 0,
    note: async (name, revision) => void noted.set(name, revision),
    reset: async () => {},
  }
}
