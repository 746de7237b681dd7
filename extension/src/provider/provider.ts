/** The provider of a page, EIP-1193: https://eips.ethereum.org/EIPS/eip-1193 */
import { awaitable, isArray, type OwnPage, stringify } from './captured.ts'
import { type Connection, providerError, toPlain } from './connection.ts'
import { createEmitter, type Emitter } from './emitter.ts'
import { createLegacy, type Legacy } from './legacy.ts'
import { createSession, toNetworkVersion } from './session.ts'

export type Provider = Emitter &
  Legacy & {
    readonly isHeliograph: true
    /** Legacy properties; null until the page has sent a request. */
    readonly chainId: string | null
    readonly networkVersion: string | null
    readonly selectedAddress: string | null
    isConnected(): boolean
    /** Sends a request. Rejects with a ProviderError with a code of EIP-1193, EIP-1474 or JSON-RPC 2.0. */
    request(args: { method: string; params?: unknown }): Promise<unknown>
  }

const INVALID_REQUEST = -32600
const INVALID_PARAMS = -32602
const LIMIT_EXCEEDED = -32005
/** Maximum length of params as JSON, in characters: more than the wallet accepts, less than the limit of a port. */
const MAX_PARAMS = 8 << 20

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !isArray(value)

/** Copies params at once, so that later changes by the page have no effect. */
const parseParams = (params: object): unknown => {
  let plain: unknown
  try {
    plain = toPlain(params)
  } catch {
    // The exception's text may come from the page, so the error below states the rule instead.
  }
  if (plain === undefined) throw providerError(INVALID_PARAMS, 'params must be values that JSON can carry')
  if (stringify(plain).length > MAX_PARAMS)
    throw providerError(LIMIT_EXCEEDED, `params are longer than ${MAX_PARAMS} characters`)
  return plain
}

const parseRequest = (args: unknown): { method: string; params: unknown } => {
  if (!isObject(args)) throw providerError(INVALID_REQUEST, 'A request is one object with a method', args)
  const { method, params } = args
  if (typeof method !== 'string' || method === '')
    throw providerError(INVALID_REQUEST, 'method must be a string that is not empty', args)
  if (params !== undefined && (typeof params !== 'object' || params === null))
    throw providerError(INVALID_REQUEST, 'params must be an array or an object if given', args)
  return { method, params: params === undefined ? undefined : parseParams(params) }
}

/** True for methods that return the site's accounts. */
const tellsAccounts = (method: string): boolean => method === 'eth_accounts' || method === 'eth_requestAccounts'

export const createProvider = (page: OwnPage, connection: Connection): Provider => {
  // `emit` is assigned below, together with the provider. No event arrives before.
  const session = createSession(page, connection, (event, values) => emit(event, values))

  // Must be an async function, because libraries recognize EIP-1193 providers by an async `request`.
  const request = async (args: { method: string; params?: unknown }) => {
    const { method, params } = parseRequest(args)
    session.begin()
    const result = await awaitable(connection.send(method, params))
    if (tellsAccounts(method)) session.learnAccounts(result)
    return result
  }

  const target = {
    get isHeliograph() {
      return true as const
    },
    get chainId() {
      return session.chainId ?? null
    },
    get networkVersion() {
      return session.chainId === undefined ? null : toNetworkVersion(session.chainId)
    },
    get selectedAddress() {
      return session.accounts[0] ?? null
    },
    isConnected: session.isConnected,
    request,
    ...createLegacy(page, request, session),
  }
  const { emitter: provider, emit } = createEmitter(target, page.call, session.begin)
  return provider
}
