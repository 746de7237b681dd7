/** Structured logs on standard error: one JSON object per line. Standard output has the lines that operators read. */
import { createHash } from 'node:crypto'
import { type Logger, pino } from 'pino'

export type { Logger }

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

const STDERR = 2
/**
 * Maximum bytes of lines that are buffered while they cannot be written, such as on a full
 * disk. Further lines are dropped.
 */
const WAITING_BYTES = 1024 * 1024

/**
 * Opens standard error. If its reader has exited or the disk is full, log lines are
 * lost, but the process keeps running.
 */
const destination = () => {
  const stream = pino.destination({ fd: STDERR, sync: true, maxLength: WAITING_BYTES })
  stream.on('error', () => undefined)
  return stream
}

/**
 * Creates a logger. Never log keys, tokens, message bodies, whole topics, webhook URLs, or URLs with a
 * query. Log `topicMark` and a reason instead.
 */
export const createLog = (name: string, level: LogLevel): Logger =>
  pino({ level, base: { name }, timestamp: pino.stdTimeFunctions.isoTime }, destination())

const MARK_LENGTH = 8

/** Returns a short hash that identifies a topic in the log without revealing it. */
export const topicMark = (topic: string): string =>
  createHash('sha256').update(topic).digest('hex').slice(0, MARK_LENGTH)
