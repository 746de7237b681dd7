/**
 * Puts back what this server relies on after Redis may have lost it: a restart without its files, a replica that took over
 * before it had everything, or deleted keys.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../process/log.ts'
import { RETRY_AFTER } from './limits.ts'

/** Milliseconds after a loss during which the server is degraded. */
const SAID_FOR = 10 * 60_000
/** Milliseconds in which several signs of a loss count as one. Shards are looked at in turns. */
const TOGETHER = 60_000

export type Recovery = {
  /** Adds work that puts something back. It must be idempotent, and reject if it has to be repeated. */
  onRestore: (work: () => Promise<void>) => void
  /** Starts to put back everything, since something may be missing. Repeats it until it succeeds. */
  restore: () => void
  /** Counts and logs a loss of stored data, and puts back everything. */
  lost: () => void
  /** Number of losses since the start. */
  losses: () => number
  /** A sentence for some minutes after a loss. */
  degraded: () => readonly string[]
  /** Stops repeating. */
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
        log.warn({ err }, 'what this server relies on could not be put back into Redis')
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
        log.error('Redis lost stored data; what this server relies on is put back')
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
