/** A client whose node runs calls to an account as if the account already had its code. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import { isObject } from '@heliograph/shared/evm/json'
import type { Network } from '@heliograph/shared/network'
import { type Chain, chainUntil, type Question, type Read } from '../networks/node.ts'

const isCallTo = (account: Address, call: unknown): boolean =>
  isObject(call) && typeof call.to === 'string' && sameAddress(call.to, account)

/** Returns the client with the state override of https://geth.ethereum.org/docs/interacting-with-geth/rpc/objects */
export const withCode = (chain: Chain, account: Address, code: Hex): Chain => {
  const state = { [account]: { code } }

  /** Simulates the first block's calls with the code. */
  const inBlocks = (asked: unknown): unknown => {
    const [first, ...others] = isObject(asked) && Array.isArray(asked.blockStateCalls) ? asked.blockStateCalls : []
    const calls: readonly unknown[] = isObject(first) && Array.isArray(first.calls) ? first.calls : []
    if (!calls.some(call => isCallTo(account, call))) return asked
    return { ...(asked as object), blockStateCalls: [{ ...first, stateOverrides: state }, ...others] }
  }

  const changed = (method: string, params: readonly unknown[]): readonly unknown[] => {
    const [call, tag = 'latest', options] = params
    if (method === 'eth_simulateV1') return [inBlocks(call), tag]
    if (!isCallTo(account, call)) return params
    if (method === 'debug_traceCall') return [call, tag, { ...(options as object), stateOverrides: state }]
    return method === 'eth_call' || method === 'eth_estimateGas' ? [call, tag, state] : params
  }
  const change = ({ method, params }: Question): Question => ({ method, params: changed(method, params) })

  const ask: Chain = (network, method, params = []) => chain(network, method, changed(method, params))
  const { all, read } = chain
  return Object.assign(ask, {
    ...(all && { all: (network: Network, questions: readonly Question[]) => all(network, questions.map(change)) }),
    ...(read && {
      read: <T>(network: Network, question: Question, toValue: Read<T>) => read(network, change(question), toValue),
    }),
    until: (signal: AbortSignal) => withCode(chainUntil(chain, signal), account, code),
  })
}
