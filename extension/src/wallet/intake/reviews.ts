/** Reviews stored requests again: with the person's changes, once their node answers, and after an unlock. */
import { toFailure } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import type { TransactionEdit } from '../../messages.ts'
import type { Vault } from '../keys/vault.ts'
import { findMethod } from '../methods/index.ts'
import type { Networks } from '../networks/networks.ts'
import { type Chain, chainUntil, isUnreachable } from '../networks/node.ts'
import type { Approvals } from '../requests/approvals.ts'
import { type Context, requireAccount } from '../requests/context.ts'
import { assertRevision, type Requests, type WalletRequest } from '../requests/requests.ts'
import { unreachable } from '../review/transaction.ts'
import type { Grants, Requester } from '../sites/requester.ts'
import { rpcError } from '../text/errors.ts'
import { toRpcError } from '../work/failures.ts'
import { createCompleting } from './completing.ts'

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
  /** Starts the reviews that wait for their node. */
  lookForWaiting(): Promise<void>
  /** Checks pending requests again after an unlock, which answers some and makes others invalid. */
  settleUnlocked(): Promise<void>
}

export const createReviews = (parts: ReviewsParts): Reviews => {
  const { records, grants, vault, chain, contextOf, approvals, refresh } = parts
  const { requests, networks } = records

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

  const edit: Reviews['edit'] = (key, change) => completing.run(key, signal => reviewAgain(key, change, signal))

  const completing = createCompleting({
    open: async () => ((await vault.phase()) === 'unlocked' ? requests.open() : []),
    review: async key => {
      await edit(key, {})
      await refresh()
    },
    giveUp: async (key, error) => {
      if (!isUnreachable(error)) {
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
    },
  })

  const settle = async ({ key, requester, effect, account }: WalletRequest) => {
    if (effect.kind === 'unlock') return approvals.release(key)
    if (account === null) return
    await requireAccount({ requester, grants, vault }, account).catch(error =>
      approvals.reject(key, toFailure(toRpcError(error))),
    )
  }

  return {
    edit,
    lookForWaiting: completing.look,
    settleUnlocked: async () => {
      if ((await vault.phase()) === 'unlocked') await Promise.all((await requests.open()).map(settle))
    },
  }
}
