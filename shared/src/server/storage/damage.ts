/** What of a store cannot be read: told once in the log, and counted. */
import { basename } from 'node:path'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'

/** Bytes from offset `at` of a file that belong to no valid record. */
export type Damage = { path: string; at: number; bytes: number; reason: string }

/** `lastAt` is in ms of Unix time. */
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
      log.error({ file: basename(path), at, bytes, reason }, 'the store is damaged: what is in these bytes is lost')
    },
    report: () => found,
  }
}

/** Tells which numbers are missing around damage, where records that are numbered upwards are read in order. */
export const createLossTracker = (tell: (after: number, before: number | undefined) => void) => {
  let last = 0
  let isDamaged = false
  return {
    damaged: (): void => {
      isDamaged = true
    },
    /** A numbered record was read. One that was appended again has a lower number than those before it. */
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
