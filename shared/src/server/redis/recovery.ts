/**
 * Restores data that this server relies on after Redis may have lost it: because Redis restarted without its files, a
 * lagging replica took over, or keys were deleted.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../process/log.ts'
import { RETRY_AFTER } from './limits.ts'

/** Milliseconds after a loss during which the server reports itself as degraded. */
const SAID_FOR = 10 * 60_000
/**
 * Milliseconds within which several detections count as one loss. One loss is detected several times, because shards
 * are checked one after the other.
 */
const TOGETHER = 60_000

export type Recovery = {
  /** Adds work that restores data. It must be idempotent, and must reject if it has to be repeated. */
  onRestore: (work: () => Promise<void>) => void
  /** Starts restoring everything, because data may be missing. Retries until it succeeds. */
  restore: () => void
  /** Counts and logs a loss of stored data, and restores everything. */
  lost: () => void
  /** Number of losses since the start. */
  losses: () => number
  /** Returns a sentence during the 10 minutes after a loss. */
  degraded: () => readonly string[]
  /** Stops retrying. */
  close: () => void
}

export const createRecovery = (log: Logger, now: () => number = Date.now): Recovery => {
  const works: (() => Promise<void>)[] = []
  let isNeeded = false
  let isRunning = false
  let isOpen = true
  let losses = 0
  let lostAt = Number.NEGATIVE_INFINITY

  const run = async (): Promise<void> => {
    isRunning = true
    while (isNeeded && isOpen) {
      isNeeded = false
      try {
        for (const work of works) await work()
      } catch (err) {
        isNeeded = true
        log.warn({ err }, 'data that this server relies on could not be restored in Redis')
        await pause(RETRY_AFTER, undefined, { ref: false })
      }
    }
    isRunning = false
  }

  const restore = (): void => {
    isNeeded = true
    if (!isRunning) void run()
  }

  return {
    onRestore: work => {
      works.push(work)
    },
    restore,
    lost: () => {
      if (now() - lostAt >= TOGETHER) {
        losses += 1
        lostAt = now()
        log.error('Redis lost stored data; restoring the data that this server relies on')
      }
      restore()
    },
    losses: () => losses,
    degraded: () =>
      now() - lostAt < SAID_FOR ? [`Redis lost stored messages, noticed at ${new Date(lostAt).toISOString()}`] : [],
    close: () => {
      isOpen = false
    },
  }
}
