/** Converts exceptions to RPC errors, and logs the unexpected ones. */
import { RpcError, toFailure } from '@heliograph/shared/errors'
import { ValueError } from '@heliograph/shared/evm/value-error'

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
