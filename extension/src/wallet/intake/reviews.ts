/**
 * Reviews stored requests again: with the person's changes, once their node answers, and after an unlock. Each request has
 * one review at a time: a new one or the end of the request aborts it. After a stop of the worker, `lookForWaiting` starts
 * them again.
 */
import { toFailure } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import type { TransactionEdit } from '../../messages.ts'
import type { Vault } from '../keys/vault.ts'
import { findMethod } from '../methods/index.ts'
import type { Networks } from '../networks/networks.ts'
import { type Chain, chainUntil, isUnavailable } from '../networks/node.ts'
import type { Approvals } from '../requests/approvals.ts'
import { type Context, requireAccount } from '../requests/context.ts'
import { assertRevision, type Requests, type WalletRequest } from '../requests/requests.ts'
import { unreachable } from '../review/transaction.ts'
import type { Grants, Requester } from '../sites/requester.ts'
import { rpcError } from '../text/errors.ts'
import { toRpcError } from '../work/failures.ts'

export type ReviewsParts = {
  records: { requests: Requests; networks: Pick<Networks, 'get'> }
  grants: Pick<Grants, 'siteOf'>
  vault: Vault
  chain: Chain
  contextOf(requester: Requester, page: string | null, network: Network): Context
  approvals: Pick<Approvals, 'reject' | 'release'>
  refresh(): Promise<void>
}

export type Reviews = {
  /** Reviews an open request again with the person's changes. Throws -32602 if it is decided or cannot be changed. */
  edit(key: string, edit: TransactionEdit): Promise<void>
  /** Starts the missing reviews of requests that wait for their node, and aborts those that are no longer needed. */
  lookForWaiting(): Promise<void>
  /** Checks pending requests again after an unlock, which answers some and makes others invalid. */
  settleUnlocked(): Promise<void>
}

const isWaitingForNode = ({ findings }: Pick<WalletRequest, 'findings'>): boolean =>
  findings.some(({ name }) => name === 'waitingForNode')

export const createReviews = (parts: ReviewsParts): Reviews => {
  const { records, grants, vault, chain, contextOf, approvals, refresh } = parts
  const { requests, networks } = records
  /** Running reviews by the key of their request. */
  const running = new Map<string, AbortController>()

  const openOf = async (key: string) => (await requests.open()).find(open => open.key === key)

  const reviewAgain = async (key: string, edit: TransactionEdit, signal: AbortSignal) => {
    const request = await openOf(key)
    const network = request && (await networks.get(request.chainId))
    const method = network && findMethod(request.method, network.prefixes)
    if (!method || !('act' in method) || !method.edit) throw rpcError('invalidParams', 'requestGone')
    const context = { ...contextOf(request.requester, request.page, network), chain: chainUntil(chain, signal) }
    const draft = await method.edit(context, request, edit)
    // Otherwise a concurrent edit would be lost.
    const revised = await requests.revise(key, current => {
      assertRevision(current, request.revision)
      return draft
    })
    if (!revised) throw rpcError('invalidParams', 'requestDecided')
  }

  const edit: Reviews['edit'] = async (key, change) => {
    running.get(key)?.abort()
    const controller = new AbortController()
    running.set(key, controller)
    try {
      await reviewAgain(key, change, controller.signal)
    } finally {
      if (running.get(key) === controller) running.delete(key)
    }
  }

  /** Open requests, while they can be reviewed. */
  const reviewable = async () => ((await vault.phase()) === 'unlocked' ? requests.open() : [])

  const findWaiting = async (key: string) =>
    (await reviewable()).find(request => request.key === key && isWaitingForNode(request))

  /** Shows that the node is unreachable, or rejects the request if the review found it invalid. */
  const giveUp = async (key: string, error: unknown) => {
    if (!isUnavailable(error)) {
      await approvals.reject(key, toFailure(toRpcError(error)))
      return
    }
    const request = await openOf(key)
    const network = request && (await networks.get(request.chainId))
    if (!network) return
    await requests.revise(key, current => ({
      ...current,
      findings: current.findings.map(found => (found.name === 'waitingForNode' ? unreachable(network) : found)),
    }))
    await refresh()
  }

  /** Reviews a request that waits for its node, unless it is being reviewed. */
  const complete = async (key: string): Promise<void> => {
    const before = await findWaiting(key)
    if (!before || running.has(key)) return
    try {
      await edit(key, {})
      await refresh()
    } catch (error) {
      const now = await findWaiting(key)
      // Another review has replaced this one, or the request is gone.
      if (!now || running.has(key)) return
      if (now.revision !== before.revision) return complete(key)
      await giveUp(key, error)
    }
  }

  const settle = async ({ key, requester, effect, account }: WalletRequest) => {
    if (effect.kind === 'unlock') return approvals.release(key)
    if (account === null) return
    await requireAccount({ requester, grants, vault }, account).catch(error =>
      approvals.reject(key, toFailure(toRpcError(error))),
    )
  }

  return {
    edit,
    lookForWaiting: async () => {
      const open = await reviewable()
      for (const [key, controller] of running) if (!open.some(request => request.key === key)) controller.abort()
      const left = open.filter(request => isWaitingForNode(request) && !running.has(request.key))
      await Promise.all(left.map(({ key }) => complete(key)))
    },
    settleUnlocked: async () => {
      await Promise.all((await reviewable()).map(settle))
    },
  }
}
