/** The offscreen document's end of the clipboard. The document never has the focus, so only an old function copies. */
import type { Runtime } from 'webextension-polyfill'
import type { CopyOrder } from '../messages.ts'
import browser from './api.ts'

const isOrder = (message: unknown): message is CopyOrder =>
  typeof message === 'object' && message !== null && 'copy' in message

/** Returns true if the text was copied. */
const copy = (text: string): boolean => {
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}

export const serveClipboard = (): void => {
  browser.runtime.onMessage.addListener((message: unknown, sender: Runtime.MessageSender) => {
    if (sender.id !== browser.runtime.id || sender.tab || !isOrder(message)) return undefined
    return Promise.resolve(copy(message.copy))
  })
}
