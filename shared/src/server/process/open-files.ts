/** Adapts the maximum number of connections to the process's limit of open files. */
import { readFileSync } from 'node:fs'
import type { Logger } from './log.ts'

/** File descriptors for other uses: the store, webhook calls, and connections that have just closed. */
const RESERVED = 500

const OPEN_FILES = /^Max open files\s+(\d+)/m

/** Returns the limit of open files. Returns Infinity on other systems than Linux, which do not have this file. */
const mostOpenFiles = (): number => {
  try {
    return Number(OPEN_FILES.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * Reduces a number of connections to the available file descriptors. A server that runs out of descriptors would retry
 * accepting in a loop.
 */
export const roomFor = (connections: number, log: Logger): number => {
  const files = mostOpenFiles()
  const room = Math.max(files - RESERVED, 1)
  if (connections <= room) return connections
  log.warn({ connections, files, room }, 'the open file limit is too low for all connections')
  return room
}
