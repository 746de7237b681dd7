/** HTTP callers for tests. */
import type { Caller } from '../limits/addresses.ts'

/** A client on this machine. */
export const local: Caller = { key: '127.0.0.1', isLocal: true }
/** A client elsewhere. */
export const remote: Caller = { key: '203.0.113.7', isLocal: false }
