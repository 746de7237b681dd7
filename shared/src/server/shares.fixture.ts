/** Shares that no test reaches by accident. */
import { createShares, type Resource, resources, type ShareLimits, type Shares } from './shares.ts'

/** Shares without limits, but for those named. */
export const sharesOf = (limits: Partial<Record<Resource, number>> = {}): Shares => {
  const open = Object.fromEntries(resources.map(resource => [resource, Number.POSITIVE_INFINITY])) as ShareLimits
  return createShares({ ...open, ...limits })
}
