/** Creates the wallet's errors from its reasons, converts exceptions to them, and logs the unexpected ones. */
import { errorsOf, foreignError, RpcError, type RpcErrorObject, toFailure } from '@heliograph/shared/errors'
import { failingOf, ValueError, valueErrorsOf } from '@heliograph/shared/evm/value-error'
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

/** Matches a stack frame: `at f (url:1:2)` or `at url:1:2` in V8, `f@url:1:2` in SpiderMonkey. */
const FRAME = /^(?:\s*at .*:\d+:\d+\)?|\S*@[a-z-]+:\/\/\S+:\d+:\d+)$/

/** Returns the frames in an error's stack. V8 puts name and message before them; SpiderMonkey does not. */
const framesOf = ({ name, message, stack = '' }: Error): string[] => {
  const head = `${name}: ${message}`
  const lines = (stack.startsWith(head) ? stack.slice(head.length) : stack).split('\n')
  return lines.filter(line => FRAME.test(line))
}

/**
 * Logs an unexpected error's name and stack frames. Omits its message, which may quote the value that caused it,
 * possibly a secret.
 */
export const report = (thrown: unknown): void => {
  const [name, frames] = thrown instanceof Error ? [thrown.name, framesOf(thrown)] : [typeof thrown, []]
  console.error([`Unforeseen ${name}`, ...frames].join('\n'))
}

/** Converts an exception to an RPC error. Unexpected errors are logged and returned without details. */
export const toRpcError = (thrown: unknown): RpcError => {
  if (thrown instanceof RpcError) return thrown
  if (!(thrown instanceof ValueError)) report(thrown)
  return new RpcError(toFailure(thrown))
}
