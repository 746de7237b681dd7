/** The page's end of the line to the wallet: sends requests, finds their answers, and sends them again when it must. */
import { FROM_PAGE, FROM_WALLET, type PageClose, type PageEvent, type PageRequest } from '../messages.ts'
import { createList, createPromise, createRecord, hasOwn, keys, NativeError, setOwn } from './captured.ts'
import type { OwnPage } from './page.ts'

/** The errors of EIP-1193 and JSON-RPC as pages get them: an Error with a code. */
export type ProviderError = Error & { code: number; data?: unknown }

export const providerError = (code: number, message: string, data?: unknown): ProviderError => {
  const error = setOwn(new NativeError(message), 'code', code)
  return (data === undefined ? error : setOwn(error, 'data', data)) as ProviderError
}

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

/** An own property of a message; what a page has put into Object.prototype is no part of it. */
const read = (message: unknown, name: string): unknown =>
  typeof message === 'object' && message !== null && hasOwn(message, name)
    ? (message as Record<string, unknown>)[name]
    : undefined

export const connectWallet = (page: OwnPage): Connection => {
  let pending = createRecord<Pending>()
  const listeners = createList<(event: PageEvent) => void>()
  const resentListeners = createList<() => void>()
  const closeListeners = createList<(code: number, reason: string) => void>()
  let wait = FIRST_WAIT
  let willResend = false

  const post = (message: PageRequest) => page.post({ source: FROM_PAGE, message })

  /** What is open, in the order in which it was asked. */
  const open = (): Pending[] => {
    const all = createList<Pending>()
    const ids = keys(pending)
    for (let at = 0; at < ids.length; at++) all[at] = pending[ids[at] as string] as Pending
    return all
  }

  /** The worker stopped under open requests. It knows them by their ids, so nothing is asked or done twice. */
  const resend = () => {
    if (willResend || keys(pending).length === 0) return
    willResend = true
    page.later(() => {
      willResend = false
      const all = open()
      for (let at = 0; at < all.length; at++) post((all[at] as Pending).request)
      for (let at = 0; at < resentListeners.length; at++) resentListeners[at]?.()
    }, wait)
    wait = wait * 2 > LONGEST_WAIT ? LONGEST_WAIT : wait * 2
  }

  const close = ({ code, reason }: PageClose['closed']) => {
    const all = open()
    pending = createRecord()
    for (let at = 0; at < all.length; at++) all[at]?.reject(providerError(DISCONNECTED, reason))
    for (let at = 0; at < closeListeners.length; at++) closeListeners[at]?.(code, reason)
  }

  const answer = (id: string, message: unknown) => {
    const request = pending[id]
    delete pending[id]
    wait = FIRST_WAIT
    const error = read(message, 'error')
    if (error === undefined) request?.resolve(read(message, 'result'))
    else
      request?.reject(
        providerError(read(error, 'code') as number, read(error, 'message') as string, read(error, 'data')),
      )
  }

  // Whatever comes from the wallet is as messages.ts says; what the page itself forges harms the page alone.
  page.onMessage(data => {
    if (read(data, 'source') !== FROM_WALLET) return
    const message = read(data, 'message')
    const closed = read(message, 'closed')
    const id = read(message, 'id')
    if (read(message, 'notice') !== undefined) resend()
    else if (closed !== undefined) close(closed as PageClose['closed'])
    else if (read(message, 'event') !== undefined)
      for (let at = 0; at < listeners.length; at++) listeners[at]?.(message as PageEvent)
    else if (typeof id === 'string') answer(id, message)
  })

  return {
    send: (method, params) =>
      createPromise((resolve, reject) => {
        const request = { id: page.randomHex(ID_BYTES), method, params }
        pending[request.id] = { request, resolve, reject }
        post(request)
      }),
    onEvent: listener => {
      listeners[listeners.length] = listener
    },
    onResent: listener => {
      resentListeners[resentListeners.length] = listener
    },
    onClose: listener => {
      closeListeners[closeListeners.length] = listener
    },
  }
}
