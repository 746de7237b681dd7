/** Connection from a wallet page to the background. */
import { wasPressed } from '../hardening/presses.ts'
import { REPEATABLE, UI_PORT, type UiCall, type UiMethod, type UiPort } from '../messages.ts'
import browser from './api.ts'
import type { Port } from './first-port.ts'

/** Methods that sign or let a peer request signatures. They need a click or key press in the page. */
const SIGNING: ReadonlySet<UiMethod> = new Set<UiMethod>([
  'approveProposal',
  'cancelTransaction',
  'removeDelegation',
  'revokeAllowance',
  'sendOwn',
  'speedUp',
])

/** Calls already allowed by a press, as JSON. The page repeats a call if the worker stopped before responding. */
const pressed = new Set<string>()

const needsPress = ({ method, params }: UiCall): boolean => (method === 'decide' ? params.approve : SIGNING.has(method))

const toUiPort = (port: Port): UiPort => ({
  post: message => {
    const call = message as UiCall
    if (needsPress(call)) {
      const text = JSON.stringify(call)
      if (!wasPressed() && !pressed.has(text)) throw new Error('Only a press in this page signs')
      if (REPEATABLE.has(call.method)) pressed.add(text)
    }
    port.postMessage(message)
  },
  onMessage: listener => port.onMessage.addListener(listener),
  onDisconnect: listener => port.onDisconnect.addListener(() => listener()),
})

/**
 * Connects to the background: first over the port that is already open, later over a new one, which wakes the worker.
 * Call it again after a disconnect.
 */
export const createConnect = (first: Port): (() => UiPort) => {
  let opened: Port | null = first
  return () => {
    const port = opened ?? browser.runtime.connect({ name: UI_PORT })
    opened = null
    return toUiPort(port)
  }
}
