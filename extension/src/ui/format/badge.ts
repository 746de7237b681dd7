/** The badge that shows how well the wallet knows a site. */
import type { Finding } from '../../messages.ts'
import { isLoopback } from './origin.ts'
import { text } from './text.ts'
import { formatSince } from './times.ts'

/** A badge. `why` is the reason, which is always shown with it. */
export type Badge = { kind: 'connected' | 'unknown' | 'mismatch'; why: string }

/**
 * Returns a site's badge. "connected" is only for an https origin that was connected before, at the time `since`. It
 * says nothing about the site's intentions. A site that imitates another or signs in to another is always a mismatch.
 */
export const badgeOf = (
  origin: string,
  since: number | null,
  now: number,
  findings: readonly Pick<Finding, 'name'>[] = [],
): Badge => {
  const names = findings.map(({ name }) => name)
  if (names.includes('imitatedSite')) return { kind: 'mismatch', why: text('notTheSiteYouKnow') }
  if (names.includes('signInElsewhere')) return { kind: 'mismatch', why: text('namesAnotherSite') }
  if (since === null) return { kind: 'unknown', why: text('firstRequest') }
  if (origin.startsWith('https://')) return { kind: 'connected', why: formatSince(since, now) }
  return { kind: 'unknown', why: text(isLoopback(origin) ? 'onThisComputer' : 'notEncrypted') }
}
