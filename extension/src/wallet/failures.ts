/** What leaves the wallet when something fails: an error for whoever asked, and a trace of what nobody foresaw. */
import { RpcError, toErrorObject } from '@heliograph/shared/errors'
import { ValueError } from '@heliograph/shared/evm/hex'

const FRAME = /^\s*at .*:\d+:\d+\)?$/

/**
 * Logs where an unforeseen error came from. Its kind and its frames only: the message may repeat the value on which the
 * code failed, and that may be a secret.
 */
export const report = (thrown: unknown): void => {
  const { name, stack = '' } = thrown instanceof Error ? thrown : { name: typeof thrown }
  console.error([`Unforeseen ${name}`, ...stack.split('\n').filter(line => FRAME.test(line))].join('\n'))
}

/** The error that may go out. One that no rule of the wallet threw is reported, and says nothing outside. */
export const toRpcError = (thrown: unknown): RpcError => {
  if (thrown instanceof RpcError) return thrown
  if (!(thrown instanceof ValueError)) report(thrown)
  const { code, message } = toErrorObject(thrown)
  return new RpcError(code, message)
}
