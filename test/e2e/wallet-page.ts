/** Calls the background from a wallet page, over the same port as its screens. */
import type { Page } from 'playwright-core'
import type { ToUi, UiMethod, UiMethods, UiState } from '../../extension/src/messages.ts'

/** The part of the browser's API that is used in the page. */
export type Runtime = {
  connect(options: { name: string }): {
    postMessage(message: unknown): void
    disconnect(): void
    onMessage: { addListener(listener: (message: ToUi) => void): void }
    onDisconnect: { addListener(listener: () => void): void }
  }
}
declare const chrome: { runtime: Runtime }

export type Answered<M extends UiMethod> = { result: UiMethods[M][1]; states: UiState[] }

/** Methods that only read. They are retried if the worker was stopped. */
const READING: ReadonlySet<UiMethod> = new Set<UiMethod>(['getState', 'getVersion', 'getActivity', 'readPairing'])

/** Timeouts of reading and other methods, in ms. A port to a stopping worker can stay silent. */
const READING_TIME = 5_000
const ACTING_TIME = 40_000

/** Calls once. Resolves with null if the worker was stopped before it responded, or at the timeout. */
const askOnce = <M extends UiMethod>(page: Page, method: M, params: UiMethods[M][0]): Promise<Answered<M> | null> =>
  page.evaluate(
    ({ patience, ...call }) =>
      new Promise<Answered<M> | null>((resolve, reject) => {
        const port = chrome.runtime.connect({ name: 'ui' })
        const states: UiState[] = []
        const state = {} as UiState
        const giveUp = () => {
          port.disconnect()
          resolve(null)
        }
        const timer = setTimeout(giveUp, patience)
        port.onDisconnect.addListener(giveUp)
        port.onMessage.addListener(message => {
          if ('state' in message) states.push({ ...Object.assign(state, message.state) })
          if (!('id' in message)) return
          clearTimeout(timer)
          port.disconnect()
          if ('error' in message) reject(new Error(message.error.reason))
          else resolve({ result: message.result as UiMethods[M][1], states })
        })
        port.postMessage({ id: 1, ...call })
      }),
    { method: method as string, params, patience: READING.has(method) ? READING_TIME : ACTING_TIME },
  )

/**
 * Calls a method. Resolves with its result and the states that were pushed meanwhile. Rejects with the error's reason,
 * or if the worker was stopped during a method that changes something.
 */
export const callWallet = async <M extends UiMethod>(
  page: Page,
  method: M,
  params: UiMethods[M][0],
): Promise<Answered<M>> => {
  const answered = await askOnce(page, method, params)
  if (answered) return answered
  if (READING.has(method)) return callWallet(page, method, params)
  throw new Error(`The worker was stopped before it responded to ${method}`)
}
