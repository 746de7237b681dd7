/** Structured logs: one JSON object a line, on standard error. Standard output keeps the lines meant for a person. */
import { createHash } from 'node:crypto'
import { type Logger, pino } from 'pino'

export type { Logger }

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

const STDERR = 2

/**
 * A logger. What is logged never holds keys, tokens, message bodies, whole topics, webhook addresses, or URLs with a
 * query: callers pass `topicMark` and reasons.
 */
export const createLog = (name: string, level: LogLevel): Logger =>
  pino(
    { level, base: { name }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: STDERR, sync: true }),
  )

const MARK_LENGTH = 8

/** A mark that tells the lines of one topic from those of another and gives nothing of the topic away. */
export const topicMark = (topic: string): string =>
  createHash('sha256').update(topic).digest('hex').slice(0, MARK_LENGTH)
