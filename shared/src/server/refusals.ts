/** What is refused or cut, counted by the setting it goes beyond: `topic-bytes`; or by `framing`, which no setting is for. */
import type { Metrics } from './metrics.ts'

export type Refused = (reason: string) => void

export const countRefusals = ({ counter }: Metrics): Refused => {
  const refusals = counter('refusals_total', 'What was refused or cut off, by the setting it went beyond', 'reason')
  return reason => refusals.inc({ reason })
}
