/** Carries out approved requests. */
import type { Network } from '@heliograph/shared/network'
import { findMethod } from '../methods/index.ts'
import type { Networks } from '../networks/networks.ts'
import type { Context } from '../requests/context.ts'
import type { InProgress } from '../requests/in-progress.ts'
import { ChangedSince, type WalletRequest } from '../requests/requests.ts'
import type { Grants, Requester } from '../sites/requester.ts'
import { rpcError } from '../text/errors.ts'
import { report } from '../work/failures.ts'
import { type Deferred, deferredOf } from './first-unlock.ts'
import type { NodeReads } from './node-reads.ts'

export type CarryOutParts = {
  networks: Pick<Networks, 'get'>
  grants: Pick<Grants, 'networkOf'>
  nodeReads: Pick<NodeReads, 'read'>
  inProgress: Pick<InProgress, 'assertWanted'>
  contextOf(requester: Requester, page: string | null, network: Network): Context
  publish(): Promise<void>
}

/** Carries out an approved request and resolves with its result. Throws ChangedSince if it must be decided again. */
export type CarryOut = (request: WalletRequest) => Promise<unknown>

export const createCarryOut = (parts: CarryOutParts): CarryOut => {
  const { networks, grants, nodeReads, inProgress, contextOf, publish } = parts

  /** Reviews a request that arrived before the settings were verified. Throws ChangedSince with the draft to decide. */
  const review = async ({ key, requester, page, method: name }: WalletRequest, { params, chainId }: Deferred) => {
    const network = chainId === undefined ? await grants.networkOf(requester) : await networks.get(chainId)
    const method = findMethod(name, network.prefixes)
    if (!method || !('act' in method)) throw rpcError('methodNotFound')
    const preparing = () => method.prepare(contextOf(requester, page, network), params)
    const draft = await (method.readsNode
      ? nodeReads.read(requester, network, () => inProgress.assertWanted(key), preparing)
      : preparing())
    if ('answer' in draft) return draft.answer
    throw new ChangedSince({ chainId: network.chainId, ...draft })
  }

  return async request => {
    const deferred = deferredOf(request)
    if (deferred) return review(request, deferred)
    const network = await networks.get(request.chainId)
    const method = findMethod(request.method, network.prefixes)
    if (!method || !('act' in method)) throw rpcError('methodNotFound')
    const result = await method.act(contextOf(request.requester, request.page, network), request)
    // The result does not depend on whether the pages could be updated.
    publish().catch(report)
    return result
  }
}
