/** The page's end of the line to the wallet: sends requests, finds their answers, and sends them again when it must. */
import { FROM_PAGE, FROM_WALLET, type PageClose, type PageEvent, type PageRequest, type ToPage } from '../messages.ts'

/** The errors of EIP-1193 and JSON-RPC as pages get them: an Error with a code. */
export type ProviderError = Error & { code: number; data?: unknown }

export const providerError = (code: number, message: string, data?: unknown): ProviderError =>
  Object.assign(new Error(message), data === undefined ? { code } : { code, data })

export type Connection = {
  /** `params` is plain JSON. Rejects with a ProviderError. */
  send(method: string, params: unknown): Promise<unknown>
  onEvent(listener: (event: PageEvent) => void): void
  /** Open requests were sent again: what happened while the worker was stopped may have been told to nobody. */
  onResent(listener: () => void): void
  /** The wallet is gone and will not answer this page any more. `code` is one of a WebSocket's closing. */
  onClose(listener: (code: number, reason: string) => void): void
}

type Pending = { request: PageRequest; resolve(result: unknown): void; reject(error: ProviderError): void }

/** Waits before open requests are sent again, in ms: doubled each time until something is answered. */
const FIRST_WAIT = 50
const LONGEST_WAIT = 5_000

const ID_BYTES = 16

const DISCONNECTED = 4900

/** randomUUID exists only in secure contexts; plain http pages have getRandomValues. */
export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), byte => byte.toString(16).padStart(2, '0')).join('')

export const connectWallet = (page: Window): Connection => {
  const pending = new Map<string, Pending>()
  const listeners: ((event: PageEvent) => void)[] = []
  const resentListeners: (() => void)[] = []
  const closeListeners: ((code: number, reason: string) => void)[] = []
  let wait = FIRST_WAIT
  let willResend = false

  const post = (message: PageRequest) => page.postMessage({ source: FROM_PAGE, message }, '*')

  /** The worker stopped under open requests. It knows them by their ids, so nothing is asked or done twice. */
  const resend = () => {
    if (pending.size === 0 || willResend) return
    willResend = true
    setTimeout(() => {
      willResend = false
      for (const { request } of pending.values()) post(request)
      for (const listener of resentListeners) listener()
    }, wait)
    wait = Math.min(wait * 2, LONGEST_WAIT)
  }

  const close = ({ code, reason }: PageClose['closed']) => {
    for (const { reject } of pending.values()) reject(providerError(DISCONNECTED, reason))
    pending.clear()
    for (const listener of closeListeners) listener(code, reason)
  }

  const receive = (message: ToPage) => {
    if ('notice' in message) return resend()
    if ('closed' in message) return close(message.closed)
    if ('event' in message) {
      for (const listener of listeners) listener(message)
      return
    }
    const { resolve, reject } = pending.get(message.id) ?? {}
    pending.delete(message.id)
    wait = FIRST_WAIT
    if ('error' in message) reject?.(providerError(message.error.code, message.error.message, message.error.data))
    else resolve?.(message.result)
  }

  page.addEventListener('message', ({ source, data }) => {
    if (source === page && data?.source === FROM_WALLET) receive(data.message)
  })

  return {
    send: (method, params) =>
      new Promise((resolve, reject) => {
        const request = { id: randomHex(ID_BYTES), method, params }
        pending.set(request.id, { request, resolve, reject })
        post(request)
      }),
    onEvent: listener => void listeners.push(listener),
    onResent: listener => void resentListeners.push(listener),
    onClose: listener => void closeListeners.push(listener),
  }
}
