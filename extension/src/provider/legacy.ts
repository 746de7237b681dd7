/** How pages asked before EIP-1193: `enable`, `sendAsync`, and `send` in its three shapes. Old pages still do. */
import { type ProviderError, providerError } from './connection.ts'
import { type Session, toNetworkVersion } from './session.ts'

type Payload = { id?: unknown; method: string; params?: unknown }
type Response = { id: unknown; jsonrpc: '2.0' } & ({ result: unknown } | { error: unknown })
type Callback = (error: unknown, response?: unknown) => void
type Request = (args: { method: string; params?: unknown }) => Promise<unknown>

export type Legacy = {
  /** The accounts, once the person has connected the site. */
  enable(): Promise<unknown>
  /** A JSON-RPC payload or a list of them; the callback gets the error and the response, or the list of responses. */
  sendAsync(payload: unknown, callback: Callback): Promise<void>
  /** A method and its params, a payload and a callback, or a payload alone, which is answered at once or not at all. */
  send(first: unknown, second?: unknown): unknown
}

const UNSUPPORTED_METHOD = 4200
const INVALID_REQUEST = -32600

const isPayload = (value: unknown): value is Payload => typeof value === 'object' && value !== null

const responseOf = (id: unknown, outcome: { result: unknown } | { error: unknown }): Response => ({
  id,
  jsonrpc: '2.0',
  ...outcome,
})

const toErrorObject = ({ code, message, data }: ProviderError) => ({
  code,
  message,
  ...(data !== undefined && { data }),
})

export const createLegacy = (request: Request, session: Session): Legacy => {
  /** The response to one payload, and the error as the callback gets it. */
  const ask = async (payload: unknown): Promise<[error: unknown, response: Response]> => {
    const { id, ...args } = isPayload(payload) ? payload : { id: undefined, method: '' }
    try {
      return [null, responseOf(id, { result: await request(args) })]
    } catch (error) {
      return [error, responseOf(id, { error: toErrorObject(error as ProviderError) })]
    }
  }

  const sendAsync = async (payload: unknown, callback: Callback) => {
    // Without one the answer would reach nobody, so nothing is asked: the site hears of it where it waits for a promise.
    if (typeof callback !== 'function') throw providerError(INVALID_REQUEST, 'sendAsync takes a payload and a callback')
    const [error, response] = Array.isArray(payload)
      ? [null, (await Promise.all(payload.map(ask))).map(([, each]) => each)]
      : await ask(payload)
    try {
      callback(error, response)
    } catch (thrown) {
      reportError(thrown)
    }
  }

  /** What a page may ask without waiting: what is known of the session, as far as it has begun. */
  const known = ({ method, params }: Payload): unknown => {
    switch (method) {
      case 'eth_accounts':
        return [...session.accounts]
      case 'eth_coinbase':
        return session.accounts[0] ?? null
      case 'net_version':
        return session.chainId === undefined ? null : toNetworkVersion(session.chainId)
      case 'eth_uninstallFilter':
        request({ method, params }).catch(() => undefined)
        return true
      default:
        throw providerError(UNSUPPORTED_METHOD, `${method} needs a callback, or request`)
    }
  }

  return {
    enable: () => request({ method: 'eth_requestAccounts' }),
    sendAsync,
    send: (first, second) => {
      if (typeof first === 'string') {
        return request({ method: first, params: second }).then(result => responseOf(undefined, { result }))
      }
      if (typeof second === 'function') return sendAsync(first, second as Callback)
      if (!isPayload(first)) throw providerError(INVALID_REQUEST, 'send takes a method or a payload', first)
      session.begin()
      return responseOf(first.id, { result: known(first) })
    },
  }
}
