/** Serves wallet pages: their calls over ports, and state updates to all of them. */
import { RpcError } from '@heliograph/shared/errors'
import type { Runtime } from 'webextension-polyfill'
import { type FailureView, type ToUi, UI_PORT, type UiCall, type UiState } from '../messages.ts'
import type { Ui } from '../wallet/pages/parts.ts'
import { failureView, report, rpcError, toRpcError } from '../wallet/text/errors.ts'
import browser from './api.ts'

export type UiPorts = {
  /**
   * Sends each page the members of the state that have changed since the page's last update. Compares them by identity.
   */
  push(state: UiState): void
  /** True while a page of the wallet is open. */
  isOpen(): boolean
}

/** Read-only methods, which open pages call automatically. Other calls count as user activity. */
const LOOKS = /^(?:get|read|review)[A-Z]/

/** True for a page of this extension, as reported by the browser. Only these can call UI methods. */
const isOwnPage = ({ sender }: Runtime.Port) =>
  sender?.id === browser.runtime.id && sender.url?.startsWith(browser.runtime.getURL('')) === true

const answer = async (ui: Ui, { id, method, params }: UiCall): Promise<ToUi> => {
  try {
    if (!Object.hasOwn(ui, method)) throw rpcError('methodNotFound')
    // The method determines the type of params, but the compiler cannot infer this through the lookup.
    const handler = ui[method] as (given: typeof params) => Promise<unknown>
    return { id, result: await handler(params) }
  } catch (error) {
    return { id, error: failureView(toRpcError(error)) }
  }
}

/** Returns the members of a state that a page does not have yet. */
const changesOf = (known: UiState | null, state: UiState): Partial<UiState> =>
  Object.fromEntries(Object.entries(state).filter(([name, part]) => known?.[name as keyof UiState] !== part))

/**
 * Returns the state, or the refusal if a newer version of the wallet wrote the data on disk. Throws any other error.
 */
const stateOf = async (ui: Ui): Promise<UiState | { refusal: FailureView }> => {
  try {
    return await ui.getState(null)
  } catch (error) {
    if (error instanceof RpcError && error.reason === 'dataNewer') return { refusal: failureView(error) }
    throw error
  }
}

/** URL of the popup, which only the user can open, not a site or a request. */
const POPUP = 'popup.html'

/** Serves the pages. Calls `onUse` before handling a user action, and `onOpen` when the user opens the popup. */
export const serveUi = (ui: () => Ui, onUse: () => Promise<void>, onOpen: () => Promise<void>): UiPorts => {
  /** Open pages and the state that each has. */
  const ports = new Map<Runtime.Port, UiState | null>()

  const give = (port: Runtime.Port, state: UiState) => {
    port.postMessage({ state: changesOf(ports.get(port) ?? null, state) } satisfies ToUi)
    ports.set(port, state)
  }

  browser.runtime.onConnect.addListener(port => {
    if (port.name !== UI_PORT || !isOwnPage(port)) return
    ports.set(port, null)
    if (port.sender?.url?.startsWith(browser.runtime.getURL(POPUP))) onOpen().catch(report)
    port.onDisconnect.addListener(() => void ports.delete(port))
    const sendState = async () => {
      const first = await stateOf(ui())
      // If a state was pushed meanwhile, it is newer, so `first` is dropped.
      if (ports.get(port) !== null) return
      if ('refusal' in first) port.postMessage(first)
      else give(port, first)
    }
    sendState().catch(report)
    port.onMessage.addListener(async message => {
      const call = message as UiCall
      if (!LOOKS.test(call.method)) await onUse().catch(report)
      const reply = await answer(ui(), call)
      if (ports.has(port)) port.postMessage(reply)
    })
  })

  return {
    push: state => {
      for (const port of ports.keys()) give(port, state)
    },
    isOpen: () => ports.size > 0,
  }
}
