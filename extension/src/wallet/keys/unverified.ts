/** Values that failed to decrypt. They are kept instead of overwritten, so that they may still be recovered. */
import type { Store } from '../storage/store.ts'

const NAME = 'unverified'

/** Only the first ones are kept: later ones were written after a reset. */
const MAX_KEPT = 20

/** Moves a stored value aside. Its name reads as absent afterwards. */
export const setAside = async (local: Store, name: string, stored: unknown): Promise<void> => {
  const kept = await local.get(NAME)
  const others = Array.isArray(kept) ? kept : []
  if (others.length < MAX_KEPT) await local.set(NAME, [...others, { name, stored }])
  await local.remove(name)
}
