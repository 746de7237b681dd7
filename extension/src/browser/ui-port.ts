/** The line from one of the wallet's own pages to the background. */
import browser from 'webextension-polyfill'
import { UI_PORT } from '../messages.ts'

export type UiPort = {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onDisconnect(listener: () => void): void
}

/** Opens a port and with it wakes the worker. After a disconnect, open another. */
export const connectUi = (): UiPort => {
  const port = browser.runtime.connect({ name: UI_PORT })
  return {
    post: message => port.postMessage(message),
    onMessage: listener => port.onMessage.addListener(listener),
    onDisconnect: listener => port.onDisconnect.addListener(() => listener()),
  }
}
