/**
 * The table of all JSON-RPC error codes that the wallet and the servers return.
 * Sources: JSON-RPC 2.0 §5.1, EIP-1193, EIP-1474, EIP-3326, EIP-5792; relay codes as WalletConnect v2 clients expect them.
 */
import { ValueError } from './evm/hex.ts'

export const errorCodes = {
  parseError: [-32700, 'Parse error'],
  invalidRequest: [-32600, 'Invalid request'],
  methodNotFound: [-32601, 'Method not found'],
  invalidParams: [-32602, 'Invalid params'],
  internal: [-32603, 'Internal error'],
  invalidInput: [-32000, 'Invalid input'],
  resourceNotFound: [-32001, 'Resource not found'],
  resourceUnavailable: [-32002, 'Resource unavailable'],
  transactionRejected: [-32003, 'Transaction rejected'],
  methodNotSupported: [-32004, 'Method not supported'],
  limitExceeded: [-32005, 'Limit exceeded'],
  userRejected: [4001, 'The request was rejected'],
  unauthorized: [4100, 'The account or method is not authorized'],
  unsupportedMethod: [4200, 'The method is not supported'],
  disconnected: [4900, 'Disconnected from all chains'],
  chainDisconnected: [4901, 'Disconnected from this chain'],
  unrecognizedChain: [4902, 'Unrecognized chain'],
  unsupportedCapability: [5700, 'Unsupported capability'],
  unsupportedChain: [5710, 'Unsupported chain'],
  duplicateCalls: [5720, 'Duplicate id'],
  unknownCalls: [5730, 'Unknown id'],
  tooManyCalls: [5740, 'Too many calls'],
  atomicityUnsupported: [5760, 'Unsupported atomicity'],
  unauthenticated: [3000, 'Authentication failed'],
  tooManyRequests: [3001, 'Too many requests'],
} as const satisfies Record<string, readonly [code: number, message: string]>

export type ErrorName = keyof typeof errorCodes

const namesByCode: ReadonlyMap<number, string> = new Map(
  Object.entries(errorCodes).map(([name, [code]]) => [code, name]),
)

/** Name of a code in the table, or `other`. Used as a metric label. */
export const nameOfCode = (code: number): string => namesByCode.get(code) ?? 'other'

/** The error object of a JSON-RPC 2.0 response. */
export type RpcErrorObject = { code: number; message: string; data?: unknown }

/** Thrown by request handlers; becomes the `error` member of the JSON-RPC response. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  readonly data?: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    if (data !== undefined) this.data = data
  }

  toJSON(): RpcErrorObject {
    const { code, message, data } = this
    return data === undefined ? { code, message } : { code, message, data }
  }
}

/** Makes an RpcError from the table. `message` overrides the table's default text. */
export const rpcError = (name: ErrorName, message?: string, data?: unknown): RpcError => {
  const [code, text] = errorCodes[name]
  return new RpcError(code, message ?? text, data)
}

/**
 * Turns a thrown value into an error object. A ValueError becomes -32602 with its text. Any other error becomes
 * -32603 without its text, which may hold internals.
 */
export const toErrorObject = (thrown: unknown): RpcErrorObject => {
  if (thrown instanceof RpcError) return thrown.toJSON()
  return (thrown instanceof ValueError ? rpcError('invalidParams', thrown.message) : rpcError('internal')).toJSON()
}
