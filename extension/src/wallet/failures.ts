/** What leaves the wallet when something fails: an error for whoever asked, and a trace of what nobody foresaw. */
import { RpcError, toErrorObject } from '@heliograph/shared/errors'
import { ValueError } from '@heliograph/shared/evm/hex'

/** A line of a stack: `at f (url:1:2)` or `at url:1:2` in V8, `f@url:1:2` in SpiderMonkey. */
const FRAME = /^(?:\s*at .*:\d+:\d+\)?|\S*@[a-z-]+:\/\/\S+:\d+:\d+)$/

/** The frames of an error. V8 puts the name and the message before them, SpiderMonkey does not. */
const framesOf = ({ name, message, stack = '' }: Error): string[] => {
  const head = `${name}: ${message}`
  const lines = (stack.startsWith(head) ? stack.slice(head.length) : stack).split('\n')
  return lines.filter(line => FRAME.test(line))
}

/**
 * Logs the name and the frames of an unexpected error. The message is left out: it may repeat the value on which the code
 * failed, which may be a secret.
 */
export const report = (thrown: unknown): void => {
  const [name, frames] = thrown instanceof Error ? [thrown.name, framesOf(thrown)] : [typeof thrown, []]
  console.error([`Unforeseen ${name}`, ...frames].join('\n'))
}

/** The error that may go out. One that no rule of the wallet threw is reported, and says nothing outside. */
export const toRpcError = (thrown: unknown): RpcError => {
  if (thrown instanceof RpcError) return thrown
  if (!(thrown instanceof ValueError)) report(thrown)
  const { code, message } = toErrorObject(thrown)
  return new RpcError(code, message)
}
