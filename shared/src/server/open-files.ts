/** How many files and connections the system lets this process have open. */
import { readFileSync } from 'node:fs'
import type { Logger } from './log.ts'

/** Open files that are no connections of clients: the store, webhooks under way, and what was closed a moment ago. */
const RESERVED = 500

const OPEN_FILES = /^Max open files\s+(\d+)/m

/** The system's bound, where it says so in a file: on Linux. */
const mostOpenFiles = (): number => {
  try {
    return Number(OPEN_FILES.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** As many connections as are wanted, or as the system has room for. Without room to accept one, a server spins. */
export const roomFor = (connections: number, log: Logger): number => {
  const files = mostOpenFiles()
  const room = Math.max(files - RESERVED, 1)
  if (connections <= room) return connections
  log.warn({ connections, files, room }, 'the system lets this process have too few files open for all connections')
  return room
}
