/**
 * The page's connection to the wallet: copies params to plain JSON, sends requests, matches responses, and repeats
 * requests when the worker stopped.
 */
import { FROM_PAGE, FROM_WALLET, type PageClose, type PageEvent, type PageRequest } from '../messages.ts'
import {
  createList,
  createPromise,
  createRecord,
  getPrototypeOf,
  hasOwn,
  isArray,
  isFiniteNumber,
  keys,
  NativeError,
  type OwnPage,
  objectPrototype,
  parse,
  setOwn,
  stringify,
} from './captured.ts'

const isPlain = (value: object): boolean => {
  if (hasOwn(value, 'toJSON')) return false
  const prototype = getPrototypeOf(value)
  return isArray(value) || prototype === null || prototype === objectPrototype
}

/** Returns the value after JSON serialization; undefined if JSON omits it. */
const byJson = (value: unknown): unknown => {
  const text: string | undefined = stringify(value)
  return text === undefined ? undefined : parse(text)
}

/**
 * Copies a value like `JSON.parse(JSON.stringify(value))`, without calling a `toJSON` that the page, or an old library
 * in it, added to Object.prototype or Array.prototype. Returns undefined for values that JSON omits. Throws where JSON
 * does: on bigints, cycles and throwing getters. The copy has no prototypes.
 */
export const toPlain = (value: unknown): unknown => {
  // JSON cannot carry -0. Adding 0 turns it into 0.
  if (typeof value === 'number') return isFiniteNumber(value) ? value + 0 : null
  if (typeof value === 'bigint') return byJson(value)
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (!isPlain(value)) return byJson(value)
  if (isArray(value)) {
    const list = createList<unknown>()
    for (let at = 0; at < value.length; at++) list[at] = toPlain(value[at]) ?? null
    return list
  }
  const record = createRecord<unknown>()
  const names = keys(value)
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string
    const copy = toPlain((value as Record<string, unknown>)[name])
    if (copy !== undefined) record[name] = copy
  }
  return record
}

/** Error that a page gets. `code` is from EIP-1193 or JSON-RPC. */
export type ProviderError = Error & { code: number; data?: unknown }

export const providerError = (code: number, message: string, data?: unknown): ProviderError => {
  const error = setOwn(new NativeError(message), 'code', code)
  return (data === undefined ? error : setOwn(error, 'data', data)) as ProviderError
}

export type Connection = {
  /** Sends a request. `params` is plain JSON. Rejects with a ProviderError. */
  send(method: string, params: unknown): Promise<unknown>
  onEvent(listener: (event: PageEvent) => void): void
  /** Registers a listener for repeated requests. Events may have been lost while the worker was stopped. */
  onResent(listener: () => void): void
  /**
   * Registers a listener that is called when the wallet no longer answers this page. `code` is a WebSocket close code.
   */
  onClose(listener: (code: number, reason: string) => void): void
}

type Pending = { request: PageRequest; resolve(result: unknown): void; reject(error: ProviderError): void }

/** Milliseconds until open requests are repeated. Doubles until a request is answered. */
const FIRST_WAIT = 50
const LONGEST_WAIT = 5_000

const ID_BYTES = 16

const DISCONNECTED = 4900

/** Reads an own property of a message, ignoring properties that a page added to Object.prototype. */
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

  /** Open requests in the order of sending. */
  const open = (): Pending[] => {
    const all = createList<Pending>()
    const ids = keys(pending)
    for (let at = 0; at < ids.length; at++) all[at] = pending[ids[at] as string] as Pending
    return all
  }

  /** Repeats open requests after the worker stopped. Their ids prevent duplicates. */
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

  // Messages are not validated: those from the wallet match messages.ts, and a page that forges messages only harms
  // itself.
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
