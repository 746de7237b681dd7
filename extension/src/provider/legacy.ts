/**
 * APIs from before EIP-1193 that old pages still use: `enable`, `sendAsync`, and `send` in three forms. Here `params` may be
 * null, which JSON-RPC 1.0 libraries send for a method without params.
 */
import { awaitable, copyArray, createList, isArray, isFulfilled, type OwnPage, setOwn } from './captured.ts'
import { type ProviderError, providerError } from './connection.ts'
import { type Session, toNetworkVersion } from './session.ts'

type Payload = { id?: unknown; method: string; params?: unknown }
type Response = { id: unknown; jsonrpc: '2.0' } & ({ result: unknown } | { error: unknown })
type Callback = (error: unknown, response?: unknown) => void
type Request = (args: { method: string; params?: unknown }) => Promise<unknown>

export type Legacy = {
  /** Resolves with the accounts once the user has connected the site. */
  enable(): Promise<unknown>
  /** Takes a JSON-RPC payload or a list. The callback gets the error and the response, or the list of responses. */
  sendAsync(payload: unknown, callback: Callback): Promise<void>
  /** Takes a method and params, a payload and a callback, or only a payload, which is answered synchronously. */
  send(first: unknown, second?: unknown): unknown
}

const UNSUPPORTED_METHOD = 4200
const INVALID_REQUEST = -32600

const isPayload = (value: unknown): value is Payload => typeof value === 'object' && value !== null

const answered = (id: unknown, result: unknown): Response => ({ id, jsonrpc: '2.0', result })

const refused = (id: unknown, { code, message, data }: ProviderError): Response => {
  const error = { code, message }
  return { id, jsonrpc: '2.0', error: data === undefined ? error : setOwn(error, 'data', data) }
}

/** A callback's error and response. */
type Outcome = { error: unknown; response: unknown }

export const createLegacy = (page: OwnPage, ownRequest: Request, session: Session): Legacy => {
  const request: Request = ({ method, params }) => ownRequest({ method, params: params ?? undefined })

  /** Returns the response to one payload, and the error for the callback. */
  const ask = async (payload: unknown): Promise<Outcome> => {
    const { id, ...args } = isPayload(payload) ? payload : { id: undefined, method: '' }
    try {
      return { error: null, response: answered(id, await awaitable(request(args))) }
    } catch (error) {
      return { error, response: refused(id, error as ProviderError) }
    }
  }

  /** Returns the responses to a list of payloads, which are sent concurrently. */
  const askAll = async (payloads: readonly unknown[]): Promise<Outcome> => {
    const asked = createList<Promise<Outcome>>()
    for (let at = 0; at < payloads.length; at++) asked[at] = ask(payloads[at])
    const responses = createList<unknown>()
    for (let at = 0; at < asked.length; at++) responses[at] = (await awaitable(asked[at] as Promise<Outcome>)).response
    return { error: null, response: copyArray(responses) }
  }

  const sendAsync = async (payload: unknown, callback: Callback) => {
    // Without a callback the response would be lost, so nothing is sent and the returned promise rejects.
    if (typeof callback !== 'function') throw providerError(INVALID_REQUEST, 'sendAsync takes a payload and a callback')
    const { error, response } = await awaitable(isArray(payload) ? askAll(payload) : ask(payload))
    page.call(callback, [error, response])
  }

  const askByName = async (method: string, params: unknown) =>
    answered(undefined, await awaitable(request({ method, params })))

  /** Returns the result of a method whose value is cached in the session. */
  const known = ({ method, params }: Payload): unknown => {
    switch (method) {
      case 'eth_accounts':
        return copyArray(session.accounts)
      case 'eth_coinbase':
        return session.accounts[0] ?? null
      case 'net_version':
        return session.chainId === undefined ? null : toNetworkVersion(session.chainId)
      case 'eth_uninstallFilter':
        void isFulfilled(request({ method, params }))
        return true
      default:
        throw providerError(UNSUPPORTED_METHOD, `${method} needs a callback; or use request()`)
    }
  }

  return {
    enable: () => request({ method: 'eth_requestAccounts' }),
    sendAsync,
    send: (first, second) => {
      if (typeof first === 'string') return askByName(first, second)
      if (typeof second === 'function') return sendAsync(first, second as Callback)
      if (!isPayload(first)) throw providerError(INVALID_REQUEST, 'send takes a method or a payload', first)
      session.begin()
      return answered(first.id, known(first))
    },
  }
}
