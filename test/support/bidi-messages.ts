/** The messages of WebDriver BiDi that the tests' proxy reads and makes: https://w3c.github.io/webdriver-bidi/ */

export type Command = { id: number; method: string }
export type Answer = { type: 'success'; id: number; result: unknown } | { type: 'error'; id: number; error: string }
export type Event = { type: 'event'; method: string; params: Record<string, unknown> }

/** Sends a command. Resolves with its result; rejects with the browser's error. */
export type Send = (method: string, params: object) => Promise<unknown>

/** Whether a command failed because its context is gone. */
export const isNoSuchFrame = (error: unknown): boolean => error instanceof Error && error.message === 'no such frame'
