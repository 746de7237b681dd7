/** Shares for tests that are not about shares. */
import { createShares, type Resource, resources, type ShareLimits, type Shares } from './shares.ts'

/** Unlimited shares, except for the given limits. */
export const sharesOf = (limits: Partial<Record<Resource, number>> = {}): Shares => {
  const open = Object.fromEntries(resources.map(resource => [resource, Number.POSITIVE_INFINITY])) as ShareLimits
  return createShares({ ...open, ...limits })
}
