/** Reports unreadable parts of the store in the log and counts them. */
import { basename } from 'node:path'
import type { Metrics } from '../metrics/metrics.ts'
import type { Logger } from '../process/log.ts'

/** Bytes from offset `at` of a file that are not part of a valid record. */
export type Damage = { path: string; at: number; bytes: number; reason: string }

/** `lastAt` is Unix time in milliseconds. */
export type DamageReport = { places: number; bytes: number; lastAt?: number }

export type DamageLog = { note: (damage: Damage) => void; report: () => DamageReport }

export const describeDamage = ({ path, at, bytes, reason }: Damage): string =>
  `${basename(path)}: ${bytes} bytes from offset ${at} cannot be read: ${reason}`

export const createDamageLog = (log: Logger, { gauge }: Metrics, now: () => number = Date.now): DamageLog => {
  let found: DamageReport = { places: 0, bytes: 0 }
  gauge(
    'storage_damaged_places',
    'Places in the files of the store that could not be read since the start',
    () => found.places,
  )
  gauge('storage_damaged_bytes', 'Bytes of the store that could not be read since the start', () => found.bytes)
  return {
    note: damage => {
      found = { places: found.places + 1, bytes: found.bytes + damage.bytes, lastAt: now() }
      const { path, at, bytes, reason } = damage
      log.error(
        { file: basename(path), at, bytes, reason },
        'the store is damaged: the contents of these bytes are lost',
      )
    },
    report: () => found,
  }
}

/**
 * Reports gaps in the record numbers at damaged places, while a log with ascending numbers is read. `tell` gets the
 * numbers before and after the gap.
 */
export const createLossTracker = (tell: (after: number, before: number | undefined) => void) => {
  let last = 0
  let isDamaged = false
  return {
    damaged: (): void => {
      isDamaged = true
    },
    /** Called for each numbered record. A compacted record has a lower number than earlier ones. */
    read: (number: number): void => {
      if (number <= last) return
      if (isDamaged && number > last + 1) tell(last, number)
      isDamaged = false
      last = number
    },
    end: (): void => {
      if (isDamaged) tell(last, undefined)
    },
  }
}
