/** The line from one of the wallet's own pages to the background. */
import { wasPressed } from '../hardening/presses.ts'
import { UI_PORT, type UiCall, type UiMethod } from '../messages.ts'
import browser from './api.ts'

export type UiPort = {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onDisconnect(listener: () => void): void
}

/** Methods that sign or let a peer ask for signatures. They need a press in the page. */
const SIGNING: ReadonlySet<UiMethod> = new Set<UiMethod>([
  'approveProposal',
  'cancelTransaction',
  'removeDelegation',
  'revokeAllowance',
  'sendOwn',
  'speedUp',
])

/** Calls that a press made, as JSON: the page sends one again when the worker stopped before it answered. */
const pressed = new Set<string>()

/** Methods that the background counts once, however often it is asked. */
const COUNTED_ONCE: ReadonlySet<UiMethod> = new Set<UiMethod>(['approveProposal', 'decide'])

const needsPress = ({ method, params }: UiCall): boolean => (method === 'decide' ? params.approve : SIGNING.has(method))

/** Opens a port and with it wakes the worker. After a disconnect, open another. */
export const connectUi = (): UiPort => {
  const port = browser.runtime.connect({ name: UI_PORT })
  return {
    post: message => {
      const call = message as UiCall
      if (needsPress(call)) {
        const text = JSON.stringify(call)
        if (!wasPressed() && !pressed.has(text)) throw new Error('Only a press in this page signs')
        if (COUNTED_ONCE.has(call.method)) pressed.add(text)
      }
      port.postMessage(message)
    },
    onMessage: listener => port.onMessage.addListener(listener),
    onDisconnect: listener => port.onDisconnect.addListener(() => listener()),
  }
}
