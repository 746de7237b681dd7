/** Values that failed to decrypt. They are kept, not overwritten, because they may still be recoverable. */
import type { Store } from '../storage/store.ts'

const NAME = 'unverified'

/** Maximum number of values set aside. The first ones are kept, because later ones were written after a reset. */
const MAX_KEPT = 20

/** Sets aside a stored value. Afterwards its name reads as absent. */
export const setAside = async (local: Store, name: string, stored: unknown): Promise<void> => {
  const kept = await local.get(NAME)
  const others = Array.isArray(kept) ? kept : []
  if (others.length < MAX_KEPT) await local.set(NAME, [...others, { name, stored }])
  await local.remove(name)
}
