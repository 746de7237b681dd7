/** Work on stored requests: carrying out approved ones, reviewing again, and checking again after an unlock. */
import { rpcError } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import type { TransactionEdit } from '../../messages.ts'
import type { Vault } from '../keys/vault.ts'
import { findMethod } from '../methods/index.ts'
import type { Networks } from '../networks/networks.ts'
import { type Chain, chainUntil, isUnreachable } from '../networks/node.ts'
import { APPROVED, type Approvals, REJECTED } from '../requests/approvals.ts'
import { type Context, requireAccount } from '../requests/context.ts'
import type { InProgress } from '../requests/in-progress.ts'
import { assertRevision, ChangedSince, type Requests, type WalletRequest } from '../requests/requests.ts'
import { unreachable } from '../review/transaction.ts'
import type { Grants } from '../sites/grants.ts'
import type { Requester } from '../sites/requester.ts'
import { report, toRpcError } from '../work/failures.ts'
import { createCompleting } from './completing.ts'
import { type Deferred, deferredOf } from './first-unlock.ts'
import type { NodeReads } from './node-reads.ts'

export type RequestWorkParts = {
  records: { requests: Requests; networks: Pick<Networks, 'get'> }
  grants: Pick<Grants, 'of' | 'networkOf'>
  vault: Vault
  chain: Chain
  nodeReads: Pick<NodeReads, 'read'>
  contextOf(requester: Requester, page: string | null, network: Network): Context
  inProgress: Pick<InProgress, 'assertWanted'>
  decide: Approvals['decide']
  publish(): Promise<void>
}

export type RequestWork = {
  /** Carries out an approved request and resolves with its result. Throws ChangedSince if it must be decided again. */
  carryOut(request: WalletRequest): Promise<unknown>
  /** Reviews an open request again with the user's changes. Throws -32602 if it is decided or cannot be changed. */
  edit(key: string, edit: TransactionEdit): Promise<void>
  /** Starts the reviews that wait for their node. */
  lookForWaiting(): Promise<void>
  /** Checks pending requests again after an unlock, which answers some and makes others invalid. */
  settleUnlocked(): Promise<void>
}

export const createRequestWork = (parts: RequestWorkParts): RequestWork => {
  const { records, grants, vault, chain, nodeReads, contextOf, inProgress, decide, publish } = parts
  const { requests, networks } = records

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

  const carryOut: RequestWork['carryOut'] = async request => {
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

  const openOf = async (key: string) => (await requests.open()).find(open => open.key === key)

  const reviewAnew = async (key: string, edit: TransactionEdit, signal: AbortSignal) => {
    const request = await openOf(key)
    const network = request && (await networks.get(request.chainId))
    const method = network && findMethod(request.method, network.prefixes)
    if (!method || !('act' in method) || !method.edit)
      throw rpcError('invalidParams', 'There is no open request of this id with anything to settle')
    const context = { ...contextOf(request.requester, request.page, network), chain: chainUntil(chain, signal) }
    const draft = await method.edit(context, request, edit)
    // Otherwise a concurrent edit would be lost.
    const revised = await requests.revise(key, current => {
      assertRevision(current, request.revision)
      return draft
    })
    if (!revised) throw rpcError('invalidParams', 'The request is decided already')
  }

  const edit: RequestWork['edit'] = (key, change) => completing.run(key, signal => reviewAnew(key, change, signal))

  const completing = createCompleting({
    open: async () => ((await vault.phase()) === 'unlocked' ? requests.open() : []),
    review: async key => {
      await edit(key, {})
      await publish()
    },
    giveUp: async (key, error) => {
      if (!isUnreachable(error)) {
        await decide(key, { ...REJECTED, reason: toRpcError(error).toJSON() })
        return
      }
      const request = await openOf(key)
      const network = request && (await networks.get(request.chainId))
      if (!network) return
      await requests.revise(key, current => ({
        ...current,
        findings: current.findings.map(found => (found.name === 'waitingForNode' ? unreachable(network) : found)),
      }))
      await publish()
    },
  })

  const settle = async ({ key, requester, effect, account }: WalletRequest) => {
    if (effect.kind === 'unlock') return decide(key, APPROVED)
    if (account === null) return
    await requireAccount({ requester, grants, vault }, account).catch(error =>
      decide(key, { ...REJECTED, reason: toRpcError(error).toJSON() }),
    )
  }

  return {
    carryOut,
    edit,
    lookForWaiting: completing.look,
    settleUnlocked: async () => {
      if ((await vault.phase()) === 'unlocked') await Promise.all((await requests.open()).map(settle))
    },
  }
}
