/**
 * Opens the page's port to the background before the built-in objects are frozen, which takes a while. Meanwhile, the
 * background starts and reads the state, which it sends to every page that connects.
 */
import { UI_PORT } from '../messages.ts'

/** The used part of `runtime.Port`. */
export type Port = {
  postMessage(message: unknown): void
  onMessage: { addListener(listener: (message: unknown) => void): void }
  onDisconnect: { addListener(listener: () => void): void }
}

/** The browser's API, before `api.ts` removes it from the global object. */
declare const chrome: { runtime: { connect(info: { name: string }): Port } }

export const firstPort = chrome.runtime.connect({ name: UI_PORT })
