/**
 * Counts refusals by the setting that was exceeded (`topic-bytes`). Refusals for framing exceed no setting and count as
 * `framing`.
 */
import type { Metrics } from '../metrics/metrics.ts'
import { shareNames } from './shares.ts'

export type Refused = (reason: string) => void

/** Limits shared by all clients. While one is reached, well-behaved clients are refused too. */
const SHARED_LIMITS: ReadonlySet<string> = new Set([
  'connections',
  'subscriptions',
  'store-messages',
  'store-frames',
  'store-bytes',
  'watches',
  'unsent-total',
])

/** Shares of one address, client or topic, and the rate of an address. */
const SHARES: ReadonlySet<string> = new Set([...shareNames, 'address-rate'])

/** Milliseconds after the last refusal during which a limit or share counts as reached. */
const RECENT = 10_000

export type Refusals = {
  refused: Refused
  /** Names of shares that were used up recently: `address-subscriptions`. */
  usedUp: () => readonly string[]
  /** One sentence for each shared limit that was reached recently. */
  degraded: () => readonly string[]
}

/** `now` is any monotonic clock in milliseconds. */
export const countRefusals = ({ counter }: Metrics, now = (): number => performance.now()): Refusals => {
  const refusals = counter(
    'refusals_total',
    'Refused requests and closed connections, by the exceeded setting',
    'reason',
  )
  const lastAt = new Map<string, number>()
  const recent = (names: ReadonlySet<string>): string[] =>
    [...lastAt].flatMap(([name, at]) => (names.has(name) && now() - at < RECENT ? name : []))
  return {
    refused: reason => {
      refusals.inc({ reason })
      if (SHARED_LIMITS.has(reason) || SHARES.has(reason)) lastAt.set(reason, now())
    },
    usedUp: () => recent(SHARES),
    degraded: () => recent(SHARED_LIMITS).map(setting => `the limit ${setting} is reached`),
  }
}
