/** The badge that says how well the wallet knows a site. */
import type { Finding } from '../../messages.ts'
import { isLoopback } from './origin.ts'
import { text } from './text.ts'
import { formatSince } from './times.ts'

/** `why` is the reason, always shown with the badge. */
export type Badge = { kind: 'connected' | 'unknown' | 'mismatch'; why: string }

/**
 * Connected only if the browser reports an https origin that was connected before, which says nothing about its intentions.
 * `since` is the time of that connection, or null. A site that imitates another or signs in to another is always a mismatch.
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
