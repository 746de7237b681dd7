/** Those who ask over HTTP in tests. */
import type { Caller } from './addresses.ts'

/** Somebody on this machine. */
export const local: Caller = { key: '127.0.0.1', isLocal: true }
/** Somebody elsewhere. */
export const remote: Caller = { key: '203.0.113.7', isLocal: false }
