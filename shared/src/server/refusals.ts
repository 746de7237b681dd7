/** What is refused or cut, counted by the setting it goes beyond: `topic-bytes`; or by `framing`, which no setting is for. */
import type { Metrics } from './metrics.ts'
import { shareNames } from './shares.ts'

export type Refused = (reason: string) => void

/** Settings whose limits all clients share: while one is reached, clients are refused that did nothing wrong. */
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

/** Milliseconds for which a limit or a share counts as reached after the last refusal. */
const RECENT = 10_000

export type Refusals = {
  refused: Refused
  /** Names of shares of which somebody had no room of late: `address-subscriptions`. */
  usedUp: () => readonly string[]
  /** Why clients are refused that did nothing wrong, one sentence for each shared limit that is reached. */
  degraded: () => readonly string[]
}

/** `now` is in milliseconds of any steady clock. */
export const countRefusals = ({ counter }: Metrics, now = (): number => performance.now()): Refusals => {
  const refusals = counter('refusals_total', 'What was refused or cut off, by the setting it went beyond', 'reason')
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
