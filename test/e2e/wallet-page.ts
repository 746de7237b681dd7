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
      onDisconnect: { addListener(listener: () => void): void }
    }
  }
}
declare const chrome: Chrome

export type Answered<M extends UiMethod> = { result: UiMethods[M][1]; states: UiState[] }

/** Change nothing, so that a worker which was stopped meanwhile is asked again. */
const READING: ReadonlySet<UiMethod> = new Set<UiMethod>(['getState', 'getVersion', 'getActivity', 'readPairing'])

/** How long a worker may take for what only reads, and for anything, in ms: a port to a worker that goes may stay silent. */
const READING_TIME = 5_000
const ACTING_TIME = 40_000

/** Asks once; null when the worker was stopped before it has answered, or says nothing for too long. */
const askOnce = <M extends UiMethod>(page: Page, method: M, params: UiMethods[M][0]): Promise<Answered<M> | null> =>
  page.evaluate(
    ({ patience, ...call }) =>
      new Promise<Answered<M> | null>((resolve, reject) => {
        const port = chrome.runtime.connect({ name: 'ui' })
        const states: UiState[] = []
        const giveUp = () => {
          port.disconnect()
          resolve(null)
        }
        const timer = setTimeout(giveUp, patience)
        port.onDisconnect.addListener(giveUp)
        port.onMessage.addListener(message => {
          if ('state' in message) {
            states.push(message.state)
            return
          }
          clearTimeout(timer)
          port.disconnect()
          if ('error' in message) reject(new Error(message.error.message))
          else resolve({ result: message.result as UiMethods[M][1], states })
        })
        port.postMessage({ id: 1, ...call })
      }),
    { method: method as string, params, patience: READING.has(method) ? READING_TIME : ACTING_TIME },
  )

/**
 * Calls a method. Resolves with its result and the states that were pushed meanwhile; rejects with its error's text, and
 * when the worker was stopped before it had done what changes something.
 */
export const callWallet = async <M extends UiMethod>(
  page: Page,
  method: M,
  params: UiMethods[M][0],
): Promise<Answered<M>> => {
  const answered = await askOnce(page, method, params)
  if (answered) return answered
  if (READING.has(method)) return callWallet(page, method, params)
  throw new Error(`The worker was stopped before it had answered ${method}`)
}
