/** What is refused or cut, counted by the setting it goes beyond: `topic-bytes`; or by `framing`, which no setting is for. */
import type { Metrics } from './metrics.ts'

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

/** Milliseconds for which a shared limit counts as reached after the last refusal. */
const RECENT = 10_000

export type Refusals = {
  refused: Refused
  /** Why clients are refused that did nothing wrong, one sentence for each shared limit that is reached. */
  degraded: () => readonly string[]
}

/** `now` is in milliseconds of any steady clock. */
export const countRefusals = ({ counter }: Metrics, now = (): number => performance.now()): Refusals => {
  const refusals = counter('refusals_total', 'What was refused or cut off, by the setting it went beyond', 'reason')
  const lastAt = new Map<string, number>()
  return {
    refused: reason => {
      refusals.inc({ reason })
      if (SHARED_LIMITS.has(reason)) lastAt.set(reason, now())
    },
    degraded: () =>
      [...lastAt].flatMap(([setting, at]) => (now() - at < RECENT ? `the limit ${setting} is reached` : [])),
  }
}
