/** A client for a network's nodes whose every request can be refused before it is sent. */
import { askAll, askAs, type Chain, chainUntil } from './node.ts'

/**
 * Returns the same client, but `before` is called with the number of calls in each request before it is sent. If it
 * rejects, the request is not sent and rejects with the same error.
 */
export const guardChain = (chain: Chain, before: (calls: number) => Promise<void>): Chain => {
  const ask: Chain = async (network, method, params) => {
    await before(1)
    return chain(network, method, params)
  }
  return Object.assign(ask, {
    all: (async (network, questions) => {
      await before(questions.length)
      return askAll(chain, network, questions)
    }) satisfies Chain['all'],
    read: (async (network, question, read) => {
      await before(1)
      return askAs(chain, network, question, read)
    }) satisfies Chain['read'],
    until: (signal: AbortSignal) => guardChain(chainUntil(chain, signal), before),
  })
}
