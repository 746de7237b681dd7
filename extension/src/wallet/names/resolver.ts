/**
 * Queries the ENS contracts on Ethereum: https://docs.ens.domains/ensip/1, and https://docs.ens.domains/ensip/10 for
 * names without a resolver, which the resolver of a parent name answers.
 */

import type { RpcError } from '@heliograph/shared/errors'
import { type Address, toAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { Outcome } from '../networks/answers.ts'
import { askAll, type Chain, type Question } from '../networks/node.ts'
import { isRevert, revertDataOf } from '../networks/reverts.ts'
import { rpcError } from '../text/errors.ts'
import { isTrue, resolveCall, resolverCall, supportsResolveCall, toAnsweredAddress, toAnsweredBytes } from './calls.ts'
import { type AskGateway, askGateways, callbackCall, hostsOf, MAX_ROUNDS, toLookup } from './gateways.ts'

/** The ENS registry: https://docs.ens.domains/learn/deployments */
export const REGISTRY = toAddress('0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e')

/**
 * The Ethereum network with the user's node, and how gateways are queried. If `askGateway` is null, a name that needs a
 * gateway is refused with an error that lists the hosts. `signal` aborts all queries.
 */
export type EnsParts = { chain: Chain; network: Network; askGateway: AskGateway | null; signal: AbortSignal }

/** Result of a name's resolver, null if there is none, and the hosts of the gateways that supplied it. */
export type Answered = { answer: unknown; hosts: readonly string[] }

const NOTHING: Answered = { answer: null, hosts: [] }

const callTo = (to: Address, data: Hex): Question => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })

/** Returns an outcome's result, undefined for a revert. Throws node errors, which say nothing about the name. */
const resultOf = (outcome: Outcome | undefined): unknown => {
  if (outcome === undefined) throw rpcError('internal')
  if (!('error' in outcome)) return outcome.result
  if (!isRevert(outcome.error)) throw outcome.error
  return undefined
}

/**
 * Finds the resolver of the name or of its closest parent that has one. Throws any node error: otherwise a parent could
 * answer for a name that has its own resolver.
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

/**
 * Queries the gateways to which a contract refers, and returns the contract's result. Throws if gateways may not be
 * queried or do not respond.
 */
const follow = async (parts: EnsParts, name: string, to: Address, failed: RpcError): Promise<Answered> => {
  const { chain, network, askGateway, signal } = parts
  const hosts = new Set<string>()
  let error = failed
  for (let round = 0; ; round++) {
    const lookup = toLookup(to, revertDataOf(error))
    // If the contract rejects a gateway's response, this throws, because null would mean that the name has no address.
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

/** Calls the name's resolver and returns the called function's result. Throws like `follow`, and 4901. */
export const askResolver = async (parts: EnsParts, name: string, data: Hex): Promise<Answered> => {
  const { chain, network } = parts
  const found = await findResolver(parts, name)
  if (found === undefined) return NOTHING
  const { resolver, isOwn } = found
  // Sent together, so resolving a name takes only two requests to the node.
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
