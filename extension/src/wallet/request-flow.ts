/** Wires the way of a request: intake, the approval window, carrying out, and reviews of stored requests. */
import { toFailure } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import type { AskedView } from '../messages.ts'
import { createCarryOut, createIntake, type Handle } from './intake/intake.ts'
import type { NodeReads } from './intake/node-reads.ts'
import { createReviews, type Reviews } from './intake/reviews.ts'
import { type Approvals, createApprovals, EXPIRED, REVOKED } from './requests/approvals.ts'
import { type ApprovalWindow, type Attention, createAttention, type WaitingProposal } from './requests/attention.ts'
import type { Context } from './requests/context.ts'
import { createInProgress } from './requests/in-progress.ts'
import { createRejections, type Rejections } from './requests/rejections.ts'
import type { Decision, Outcome } from './requests/requests.ts'
import type { LastAsked } from './sites/last-asked.ts'
import type { Requester } from './sites/requester.ts'
import type { SiteChoices } from './sites/site-choices.ts'
import type { SiteEvent } from './sites/sites.ts'
import { createCell, type Store } from './storage/store.ts'
import { report, toRpcError } from './work/failures.ts'

/** The context of every call, without what its request adds. */
export type SharedContext = Omit<Context, 'requester' | 'origin' | 'page' | 'network' | 'disconnect'> & {
  choices: SiteChoices
  lastAsked: LastAsked
}

export type RequestFlowParts = {
  window: ApprovalWindow
  session: Store
  shared: SharedContext
  nodeReads: NodeReads
  /** True once the settings are verified. */
  isVerified(): Promise<boolean>
  /** The waiting proposals of remote peers; none while the wallet is locked. */
  proposals(): Promise<readonly WaitingProposal[]>
  onSiteEvent(event: SiteEvent): void
  /**
   * Settles what an unlock decides, reconciles the sessions and shows new proposals. Then pushes the state to every open page
   * of the wallet, and starts the reviews that wait for their node.
   */
  refresh(): Promise<void>
}

export type RequestFlow = {
  handle: Handle
  /** Takes back what the requester was given, and rejects its pending requests. */
  disconnect(requester: Requester): Promise<void>
  approvals: Approvals
  attention: Attention
  rejections: Rejections
  reviews: Reviews
}

/** Reasons by which the wallet's own rules refuse a signature. */
const REFUSALS: ReadonlySet<string> = new Set(['messageForOther', 'ownVerifyingContract', 'unreadableData'])
const TYPED_DATA = /signTypedData/

const endOf = (decision: Decision | null, outcome: Outcome): AskedView['outcome'] => {
  if ('result' in outcome) return 'approved'
  if (decision?.approve) return 'failed'
  return decision?.failure?.reason === EXPIRED.reason ? 'expired' : 'rejected'
}

export const createRequestFlow = (parts: RequestFlowParts): RequestFlow => {
  const { window, session, shared, nodeReads, isVerified, proposals, onSiteEvent, refresh } = parts
  const { requests, networks, grants, vault, chain, sites, choices, lastAsked, now } = shared

  const contextOf = (requester: Requester, page: string | null, network: Network): Context => ({
    ...shared,
    requester,
    origin: requester.origin,
    page,
    network,
    disconnect,
  })

  const attention = createAttention({
    window,
    session,
    hasRequests: async () => (await requests.open()).length > 0,
    proposals,
    shown: createCell<readonly WaitingProposal[]>(session, 'shown-proposals', []),
    now,
  })
  const rejections = createRejections(session, now, () => void refresh().catch(report))
  const inProgress = createInProgress()
  const approvals = createApprovals({
    requests,
    inProgress,
    show: attention.show,
    showAgain: attention.showAgain,
    hide: attention.hide,
    carryOut: createCarryOut({ networks, grants, choices, rejections, nodeReads, inProgress, contextOf, refresh }),
    onEnd: async ({ requester, origin, effect, createdAt, decision }, outcome) => {
      if (requester.kind !== 'site' || effect.kind === 'unlock' || !(await sites.get(origin))) return
      await lastAsked.note({ origin, kind: effect.kind, at: createdAt, outcome: endOf(decision, outcome) })
    },
    onChange: refresh,
  })

  /** Notes what a connected site was refused, so that the person learns of it. */
  const onRefused = async ({ kind, origin }: Requester, method: string, error: unknown) => {
    const { reason } = toFailure(toRpcError(error))
    if (kind !== 'site' || reason === undefined || !REFUSALS.has(reason) || !(await sites.get(origin))) return
    const asked = TYPED_DATA.test(method) ? 'typedData' : 'message'
    await lastAsked.note({ origin, kind: asked, at: now(), outcome: 'refused' })
    await refresh()
  }

  const disconnect = async (requester: Requester) => {
    const { origin } = requester
    const wasConnected = await grants.revoke(requester)
    await lastAsked.forget(origin)
    if (!wasConnected) return
    onSiteEvent({ origin, event: 'accountsChanged', data: [] })
    const needless = (await requests.open()).filter(request => request.origin === origin && request.account !== null)
    await Promise.all(needless.map(({ key }) => approvals.withdraw(key, REVOKED)))
    await refresh()
  }

  return {
    handle: createIntake({
      vault,
      networks,
      grants,
      choices,
      rejections,
      inProgress,
      approvals,
      nodeReads,
      isVerified,
      setUp: attention.setUp,
      contextOf,
      now,
      onRefused: (...refused) => onRefused(...refused).catch(report),
    }),
    disconnect,
    approvals,
    attention,
    rejections,
    reviews: createReviews({ records: { requests, networks }, grants, vault, chain, contextOf, approvals, refresh }),
  }
}
