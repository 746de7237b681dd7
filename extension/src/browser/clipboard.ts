/** Writes to the clipboard from the background, with the permission for it. */
import type { CopyOrder } from '../messages.ts'
import browser from './api.ts'
import type { OffscreenDocument } from './offscreen-document.ts'

/** `document` is null in Firefox, whose background is a document itself. */
export const createClipboard =
  (document: OffscreenDocument | null) =>
  async (text: string): Promise<void> => {
    if (document === null) return navigator.clipboard.writeText(text)
    await document.inTurn(async () => {
      const wasOpen = await document.open('CLIPBOARD', 'Copies the address of your account')
      try {
        const isCopied: unknown = await browser.runtime.sendMessage({ copy: text } satisfies CopyOrder)
        if (isCopied !== true) throw new Error('The clipboard did not take the address')
      } finally {
        if (!wasOpen) await document.close()
      }
    })
  }
