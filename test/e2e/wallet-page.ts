/** A page of the wallet as a program: its calls to the background, over the port that its screens use. */
import type { Page } from 'playwright-core'
import type { ToUi, UiMethod, UiMethods, UiState } from '../../extension/src/messages.ts'

/** Just what is used of the browser's API in the page. */
type Chrome = {
  runtime: {
    connect(options: { name: string }): {
      postMessage(message: unknown): void
      disconnect(): void
      onMessage: { addListener(listener: (message: ToUi) => void): void }
    }
  }
}
declare const chrome: Chrome

export type Answered<M extends UiMethod> = { result: UiMethods[M][1]; states: UiState[] }

/** Calls a method. Resolves with its result and the states that were pushed meanwhile; rejects with its error's text. */
export const callWallet = <M extends UiMethod>(page: Page, method: M, params: UiMethods[M][0]): Promise<Answered<M>> =>
  page.evaluate(
    call =>
      new Promise<Answered<M>>((resolve, reject) => {
        const port = chrome.runtime.connect({ name: 'ui' })
        const states: UiState[] = []
        port.onMessage.addListener(message => {
          if ('state' in message) {
            states.push(message.state)
            return
          }
          port.disconnect()
          if ('error' in message) reject(new Error(message.error.message))
          else resolve({ result: message.result as UiMethods[M][1], states })
        })
        port.postMessage({ id: 1, ...call })
      }),
    { method: method as string, params },
  )
