/** Creates the wallet's errors from its reasons. */
import { errorsOf, foreignError, type RpcError, type RpcErrorObject } from '@heliograph/shared/errors'
import { failingOf, valueErrorsOf } from '@heliograph/shared/evm/value-error'
import type { FailureView, ReasonView } from '../../messages.ts'
import { type Reason, reasons } from './reasons.ts'

/** Creates an RpcError: `rpcError('invalidParams', 'nonceUsed', { nonce: '3', next: '5' })`. */
export const rpcError = errorsOf(reasons)

export const valueError = valueErrorsOf(reasons)

/** Throws a ValueError about a value at a place. */
export const fail: ReturnType<typeof failingOf<typeof reasons>> = failingOf(reasons)

/** Creates an error that a node or a relay returned. Its text comes from the other program. */
export const answeredError = (error: RpcErrorObject, reason: Reason): RpcError => foreignError(error, reason)

/** Returns the error as sites and peers receive it, without the node's host. */
export const withoutNode = (error: RpcError): RpcError => {
  if (error.reason !== 'nodeUnreadable') return error
  const { network = '', method = '', answer = '' } = error.values
  return rpcError('chainDisconnected', 'nodeUnreadable', { network, node: 'node', method, answer })
}

/** Returns the parts of an error that the wallet's pages receive. */
export const reasonView = ({ reason, values }: ReasonView): ReasonView => ({ reason, values })

export const failureView = ({ code, reason, values }: FailureView): FailureView => ({ code, reason, values })
