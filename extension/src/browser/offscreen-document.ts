/**
 * Chromium's offscreen document, which the worker opens for what only a document can do: keeping sockets open, and
 * writing to the clipboard. There is at most one. Firefox has none, because its background is a document.
 */
import { createSerialQueue } from '../wallet/work/turns.ts'
import browser from './api.ts'

const PAGE = 'offscreen.html'

/** Why the document is open, in the browser's words. */
export type OffscreenReason = 'WORKERS' | 'CLIPBOARD'

/** Chromium APIs that the polyfill's types lack. */
type Chromium = {
  offscreen?: {
    createDocument(options: { url: string; reasons: string[]; justification: string }): Promise<void>
    closeDocument(): Promise<void>
  }
  runtime: { getContexts(filter: { contextTypes: string[] }): Promise<unknown[]> }
}

export type OffscreenDocument = {
  /** Runs tasks one at a time, so that none closes the document that another one uses. */
  inTurn<T>(task: () => Promise<T>): Promise<T>
  /** Opens the document if it is closed. Resolves to true if it was open. Call it in turn. */
  open(reason: OffscreenReason, justification: string): Promise<boolean>
  /** Closes the document if it is open. Call it in turn. */
  close(): Promise<void>
}

/** Returns null if the browser has no offscreen documents. */
export const createOffscreenDocument = (): OffscreenDocument | null => {
  const { offscreen, runtime } = browser as unknown as Chromium
  if (!offscreen) return null
  const isOpen = async () => (await runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] })).length > 0
  return {
    inTurn: createSerialQueue(),
    open: async (reason, justification) => {
      if (await isOpen()) return true
      await offscreen.createDocument({ url: PAGE, reasons: [reason], justification })
      return false
    },
    close: async () => {
      if (await isOpen()) await offscreen.closeDocument()
    },
  }
}
