/** A service, and the server that runs it. */

/**
 * A running server. `stop` completes pending requests, closes everything and releases port and files, within
 * `stopSeconds`.
 */
export type Running = { url: string; stop: () => Promise<void> }

/** Name ("Heliograph Relay"), version of the interface, and prefix of the environment variables. */
export type Service = { name: string; version: string; prefix: string }
