/**
 * Asks the ENS contracts on Ethereum: https://docs.ens.domains/ensip/1, and https://docs.ens.domains/ensip/10 for names
 * that the resolver of a parent answers for.
 */

import type { RpcError } from '@heliograph/shared/errors'
import { type Address, toAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { askAll, type Chain, type Outcome, type Question } from '../networks/node.ts'
import { isRevert, revertDataOf } from '../networks/reverts.ts'
import { rpcError } from '../text/errors.ts'
import { isTrue, resolveCall, resolverCall, supportsResolveCall, toAnsweredAddress, toAnsweredBytes } from './calls.ts'
import { type AskGateway, askGateways, callbackCall, hostsOf, MAX_ROUNDS, toLookup } from './gateways.ts'

/** https://docs.ens.domains/learn/deployments */
export const REGISTRY = toAddress('0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e')

/**
 * Ethereum, the person's node of it, and how gateways are asked. Without `askGateway` none is: a name that needs one is then
 * refused with its hosts. `signal` ends all questions.
 */
export type EnsParts = { chain: Chain; network: Network; askGateway: AskGateway | null; signal: AbortSignal }

/** The answer of a name's resolver, null for none, and the hosts of the gateways that it came from. */
export type Answered = { answer: unknown; hosts: readonly string[] }

const NOTHING: Answered = { answer: null, hosts: [] }

const callTo = (to: Address, data: Hex): Question => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })

/** An outcome's result, undefined for a revert. An error of the node says nothing about the name, and is thrown. */
const resultOf = (outcome: Outcome | undefined): unknown => {
  if (outcome === undefined) throw rpcError('internal')
  if (!('error' in outcome)) return outcome.result
  if (!isRevert(outcome.error)) throw outcome.error
  return undefined
}

/**
 * The resolver of the name, or of its closest parent that has one. Throws an error of the node: a missing answer would let a
 * parent answer for a name that has its own resolver.
 */
const findResolver = async (
  { chain, network }: EnsParts,
  name: string,
): Promise<{ resolver: Address; isOwn: boolean } | undefined> => {
  const labels = name.split('.')
  const names = labels.map((_, at) => labels.slice(at).join('.'))
  const questions = names.map(one => callTo(REGISTRY, resolverCall(one)))
  for (const [at, outcome] of (await askAll(chain, network, questions)).entries()) {
    if ('error' in outcome) throw outcome.error
    const resolver = toAnsweredAddress(outcome.result)
    if (resolver !== undefined) return { resolver, isOwn: at === 0 }
  }
  return undefined
}

/** Follows a contract to its gateways, and returns their answer to it. Throws if they may not be asked, or do not answer. */
const follow = async (parts: EnsParts, name: string, to: Address, failed: RpcError): Promise<Answered> => {
  const { chain, network, askGateway, signal } = parts
  const hosts = new Set<string>()
  let error = failed
  for (let round = 0; ; round++) {
    const lookup = toLookup(to, revertDataOf(error))
    // A gateway's answer that the contract rejects must not pass for a name without an address.
    if (lookup === null && hosts.size > 0)
      throw rpcError('chainDisconnected', 'gatewaysSilent', { hosts: [...hosts].join(', ') })
    if (lookup === null) return { answer: null, hosts: [] }
    if (askGateway === null) throw rpcError('invalidInput', 'nameOffChain', { name, hosts: hostsOf(lookup).join(', ') })
    if (round === MAX_ROUNDS) throw rpcError('invalidInput', 'lookupRefused')
    const { answer, host } = await askGateways(lookup, askGateway, signal)
    hosts.add(host)
    const [returned] = await askAll(chain, network, [callTo(to, callbackCall(lookup, answer))])
    const result = resultOf(returned)
    if (!returned || !('error' in returned)) return { answer: result, hosts: [...hosts] }
    error = returned.error
  }
}

/** The answer of the name's resolver to a call, as the called function returns it. Throws like `follow`, and 4901. */
export const askResolver = async (parts: EnsParts, name: string, data: Hex): Promise<Answered> => {
  const { chain, network } = parts
  const found = await findResolver(parts, name)
  if (found === undefined) return NOTHING
  const { resolver, isOwn } = found
  // Asked together, so that a name takes two messages to the node.
  const [supports, resolved, answered] = await askAll(chain, network, [
    callTo(resolver, supportsResolveCall),
    callTo(resolver, resolveCall(name, data)),
    callTo(resolver, data),
  ])
  const isExtended = isTrue(resultOf(supports))
  if (!isExtended && !isOwn) return NOTHING
  const outcome = isExtended ? resolved : answered
  const result = resultOf(outcome)
  const reply =
    outcome && 'error' in outcome ? await follow(parts, name, resolver, outcome.error) : { answer: result, hosts: [] }
  return isExtended ? { ...reply, answer: toAnsweredBytes(reply.answer) ?? null } : reply
}
