/** Values that could not be opened. They are kept aside instead of being overwritten, in case somebody can read them yet. */
import type { Store } from '../store.ts'

const NAME = 'unverified'

/** The first ones are kept: what comes later was written over a value that had been set aside. */
const MAX_KEPT = 20

/** Moves a stored value out of the way. The value of that name reads as absent afterwards. */
export const setAside = async (local: Store, name: string, stored: unknown): Promise<void> => {
  const kept = await local.get(NAME)
  const others = Array.isArray(kept) ? kept : []
  if (others.length < MAX_KEPT) await local.set(NAME, [...others, { name, stored }])
  await local.remove(name)
}
