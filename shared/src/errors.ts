/**
 * The table of all JSON-RPC error codes that the wallet and the servers return, and the errors with these codes.
 * Sources: JSON-RPC 2.0 §5.1, EIP-1193, EIP-1474, EIP-3326, EIP-5792; relay codes as WalletConnect v2 clients expect them.
 */
import { ValueError } from './evm/value-error.ts'
import { type Catalogue, fillIn, type Values, type ValuesIn, valuesFor } from './reasons.ts'

/** Code and default message by name. An error with its own reason has the reason's text instead of the message. */
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
  upgradeRejected: [5750, 'The upgrade of the account was rejected'],
  atomicityUnsupported: [5760, 'Unsupported atomicity'],
  unauthenticated: [3000, 'Authentication failed'],
  tooManyRequests: [3001, 'Too many requests'],
} as const satisfies Record<string, readonly [code: number, message: string]>

/** Name of an error code. */
export type ErrorName = keyof typeof errorCodes

const namesByCode: ReadonlyMap<number, string> = new Map(
  Object.entries(errorCodes).map(([name, [code]]) => [code, name]),
)

/** Name of a code in the table, or `other`. Used as a metric label. */
export const nameOfCode = (code: number): string => namesByCode.get(code) ?? 'other'

/** The error object of a JSON-RPC 2.0 response. */
export type RpcErrorObject = { code: number; message: string; data?: unknown }

/**
 * An error as plain data. `message` is its English text. `data` has the form that an EIP or a client defines for the
 * method; most errors have no data.
 */
export type Failure = RpcErrorObject & { reason: string; values: Values }

/** Thrown by request handlers; becomes the `error` member of the JSON-RPC response. */
export class RpcError extends Error implements Failure {
  override name = 'RpcError'
  readonly code: number
  readonly reason: string
  readonly values: Values
  readonly data?: unknown

  constructor({ code, reason, values, message, data }: Failure) {
    super(message)
    this.code = code
    this.reason = reason
    this.values = values
    if (data !== undefined) this.data = data
  }

  /** The error object for sites and peers. It omits the reason, because the method defines what `data` contains. */
  toJSON(): RpcErrorObject {
    return errorObject(this)
  }
}

/** The members of a JSON-RPC error object, without reason and values. */
export const errorObject = ({ code, message, data }: RpcErrorObject): RpcErrorObject =>
  data === undefined ? { code, message } : { code, message, data }

/** An error object with the reason in `data: { reason, values }`, for clients of a relay. */
export const errorObjectWithReason = ({ code, message, reason, values }: Failure): RpcErrorObject => ({
  code,
  message,
  data: { reason, values },
})

type Rest<Text extends string> = keyof ValuesIn<Text> extends never
  ? [values?: Readonly<Record<string, never>>, data?: unknown]
  : [values: ValuesIn<Text>, data?: unknown]

/**
 * Makes an error from a code's name, a reason in the catalogue and the reason's values. The reason defaults to the
 * code's name, which must then be in the catalogue.
 */
type Maker<C extends Catalogue, Made> = {
  (name: ErrorName & keyof C): Made
  <R extends keyof C & string>(name: ErrorName, reason: R, ...rest: Rest<C[R]>): Made
}

/**
 * Returns a function that makes failures (plain data) from one catalogue. Unknown reasons and missing values do not
 * compile:
 *
 *     const failure = failuresOf({ tooLong: '{place}: longer than {limit} characters' } as const)
 *     failure('limitExceeded', 'tooLong', { place: 'params', limit: 100 })
 */
export const failuresOf =
  <C extends Catalogue>(catalogue: C): Maker<C, Failure> =>
  (name: ErrorName, reason: string = name, values: Values = {}, data?: unknown): Failure => {
    const text = catalogue[reason] ?? reason
    const kept = valuesFor(text, values)
    return {
      code: errorCodes[name][0],
      reason,
      values: kept,
      message: fillIn(text, kept),
      ...(data !== undefined && { data }),
    }
  }

/**
 * Like `failuresOf`, but for errors to throw. Each part of the code calls it once: `const rpcError =
 * errorsOf(catalogue)`.
 */
export const errorsOf = <C extends Catalogue>(catalogue: C): Maker<C, RpcError> => {
  const failure: (name: ErrorName, reason?: string, values?: Values, data?: unknown) => Failure = failuresOf(
    catalogue as Catalogue,
  )
  return (name: ErrorName, reason?: string, values?: Values, data?: unknown) =>
    new RpcError(failure(name, reason, values, data))
}

/**
 * Makes an RpcError from another program's error response, with the same code, text and data. `reason` says which
 * program answered; its only value is `text`, cut to a limited length.
 */
export const foreignError = ({ code, message, data }: RpcErrorObject, reason: string): RpcError =>
  new RpcError({ code, reason, values: valuesFor('{text}', { text: message }), message, data })

const internal = failuresOf({ internal: errorCodes.internal[1] })

/**
 * Turns a thrown value into a failure. A ValueError becomes -32602 with its reason. Any other error becomes -32603
 * `internal`, without its text, which may hold internals.
 */
export const toFailure = (thrown: unknown): Failure => {
  if (thrown instanceof RpcError) {
    const { code, reason, values, message, data } = thrown
    return { code, reason, values, message, ...(data !== undefined && { data }) }
  }
  if (!(thrown instanceof ValueError)) return internal('internal')
  const { reason, values, message } = thrown
  return { code: errorCodes.invalidParams[0], reason, values, message }
}
