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

const needsPress = ({ method, params }: UiCall): boolean => (method === 'decide' ? params.approve : SIGNING.has(method))

/** Opens a port and with it wakes the worker. After a disconnect, open another. */
export const connectUi = (): UiPort => {
  const port = browser.runtime.connect({ name: UI_PORT })
  return {
    post: message => {
      if (needsPress(message as UiCall) && !wasPressed()) throw new Error('Only a press in this page signs')
      port.postMessage(message)
    },
    onMessage: listener => port.onMessage.addListener(listener),
    onDisconnect: listener => port.onDisconnect.addListener(() => listener()),
  }
}
