/** The WebDriver BiDi messages that the tests' proxy reads and writes: https://w3c.github.io/webdriver-bidi/ */

export type Command = { id: number; method: string }
export type Answer = { type: 'success'; id: number; result: unknown } | { type: 'error'; id: number; error: string }
export type Event = { type: 'event'; method: string; params: Record<string, unknown> }

/** Sends a command. Resolves with its result; rejects with the browser's error. */
export type Send = (method: string, params: object) => Promise<unknown>

/** True if a command failed because its context no longer exists. */
export const isNoSuchFrame = (error: unknown): boolean => error instanceof Error && error.message === 'no such frame'
