/** How far the wallet knows a site. */
import { isLoopback } from './origin.ts'
import { text } from './text.ts'
import { formatSince } from './times.ts'

/** The reason always follows the badge. */
export type Badge = { kind: 'verified' | 'unknown'; why: string }

/** Verified only when the browser reports an https origin that was connected before; `since` is when, or null. */
export const badgeOf = (origin: string, since: number | null, now: number): Badge => {
  if (since === null) return { kind: 'unknown', why: text('firstRequest') }
  if (origin.startsWith('https://')) return { kind: 'verified', why: formatSince(since, now) }
  return { kind: 'unknown', why: text(isLoopback(origin) ? 'onThisComputer' : 'notEncrypted') }
}
