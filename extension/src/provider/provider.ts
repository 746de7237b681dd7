/** The provider of a page, EIP-1193: https://eips.ethereum.org/EIPS/eip-1193 */
import type { Connection } from './connection.ts'
import { providerError } from './connection.ts'
import { createEmitter, type Emitter } from './emitter.ts'

export type Provider = Emitter & {
  readonly isHeliograph: true
  isConnected(): boolean
  /** Rejects with a ProviderError; its codes are those of EIP-1193, EIP-1474 and JSON-RPC 2.0. */
  request(args: { method: string; params?: unknown }): Promise<unknown>
}

const INVALID_REQUEST = -32600
const INVALID_PARAMS = -32602

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The request as plain JSON, copied at once: what the page changes afterwards changes nothing. */
const parseRequest = (args: unknown): { method: string; params: unknown } => {
  if (!isObject(args)) throw providerError(INVALID_REQUEST, 'A request is one object with a method', args)
  const { method, params } = args
  if (typeof method !== 'string' || method === '')
    throw providerError(INVALID_REQUEST, 'method must be a string that is not empty', args)
  if (params !== undefined && (typeof params !== 'object' || params === null))
    throw providerError(INVALID_REQUEST, 'params must be an array or an object where they are given', args)
  try {
    return { method, params: params === undefined ? undefined : JSON.parse(JSON.stringify(params)) }
  } catch {
    throw providerError(INVALID_PARAMS, 'params must be values that JSON can carry')
  }
}

export const createProvider = (connection: Connection): Provider => {
  let state: 'apart' | 'connecting' | 'connected' = 'apart'

  const { emitter, emit } = createEmitter({
    isHeliograph: true as const,
    isConnected: () => state === 'connected',
    request: async (args: { method: string; params?: unknown }) => {
      const { method, params } = parseRequest(args)
      void connect()
      return connection.send(method, params)
    },
  })

  /** Learns the chain with the page's first request, not at load: a page that asks for nothing wakes no worker. */
  const connect = async () => {
    if (state !== 'apart') return
    state = 'connecting'
    try {
      const chainId = await connection.send('eth_chainId', undefined)
      state = 'connected'
      emit('connect', { chainId })
    } catch {
      state = 'apart'
    }
  }

  connection.onEvent(({ event, data }) => emit(event, data))
  return emitter
}
