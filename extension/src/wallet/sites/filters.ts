/**
 * Records which site created which node filter. Nodes identify filters only by id, so a site could otherwise read or
 * remove another site's filter.
 */
import { createCell, type Store } from '../storage/store.ts'

type Filter = { origin: string; chainId: number; id: string }

export type Filters = {
  note(filter: Filter): Promise<void>
  /** True if the site created the filter on this chain's node. */
  has(filter: Filter): Promise<boolean>
  /** Removes a site's filters, which it can then no longer read. */
  forget(origin: string): Promise<void>
}

/**
 * Limits of recorded filters, per site and overall; the newest are kept. Nodes drop filters that are not read for some
 * minutes.
 */
export const MAX_FILTERS_PER_SITE = 50
export const MAX_FILTERS = 1_000

const isSame = (one: Filter, other: Filter) =>
  one.origin === other.origin && one.chainId === other.chainId && one.id === other.id

export const createFilters = (session: Store): Filters => {
  const cell = createCell<readonly Filter[]>(session, 'filters', [])
  return {
    note: async filter => {
      await cell.update(known => {
        const others = known.filter(other => !isSame(other, filter))
        const dropped = others.filter(({ origin }) => origin === filter.origin).slice(0, -MAX_FILTERS_PER_SITE + 1)
        return [...others.filter(other => !dropped.includes(other)).slice(-MAX_FILTERS + 1), filter]
      })
    },
    has: async filter => (await cell.read()).some(other => isSame(other, filter)),
    forget: async origin => {
      await cell.update(known => known.filter(filter => filter.origin !== origin))
    },
  }
}
