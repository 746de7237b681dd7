/** Wires the flow of a request: the desk, the approval window, and the parts that end or record requests. */
import { toFailure } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import type { AskedView } from '../messages.ts'
import { type ApprovalWindow, type Attention, createAttention, type WaitingProposal } from './requests/attention.ts'
import type { Context } from './requests/context.ts'
import { createDesk, type Desk, EXPIRED, REVOKED } from './requests/desk.ts'
import { createDrafting } from './requests/draft.ts'
import { createRejections, createSiteQueues, type NodeReads, type Rejections } from './requests/gate.ts'
import type { Panels } from './requests/panels.ts'
import type { Decision, Outcome, WalletRequest } from './requests/store.ts'
import type { LastAsked, Requester, SiteChoices, SiteEvent } from './sites/sites.ts'
import { createCell, type Store } from './storage/store.ts'
import { report, rpcError, toRpcError } from './text/errors.ts'

/** Context of every call, without the parts that each request adds. */
export type SharedContext = Omit<Context, 'requester' | 'origin' | 'page' | 'network' | 'disconnect'> & {
  choices: SiteChoices
  lastAsked: LastAsked
}

export type RequestFlowParts = {
  window: ApprovalWindow
  panels: Panels
  /** True if the user sees a window of the browser. */
  isInFront(): Promise<boolean>
  /** Called when a new request waits, but the user may not see it. */
  onUnseen(request: WalletRequest): Promise<void>
  session: Store
  shared: SharedContext
  nodeReads: NodeReads
  /** True once the settings are verified. */
  isVerified(): Promise<boolean>
  /** Returns the pending proposals of remote peers. Empty while the wallet is locked. */
  proposals(): Promise<readonly WaitingProposal[]>
  onSiteEvent(event: SiteEvent): void
}

export type RequestFlow = {
  desk: Desk
  /** Revokes the requester's grants, and rejects its pending requests. */
  disconnect(requester: Requester): Promise<void>
  attention: Attention
  rejections: Rejections
}

/** Reasons for which the wallet's own rules refuse a signature. */
const REFUSALS: ReadonlySet<string> = new Set(['messageForOther', 'ownVerifyingContract', 'unreadableData'])
const TYPED_DATA = /signTypedData/

const endOf = (decision: Decision | null, outcome: Outcome): AskedView['outcome'] => {
  if ('result' in outcome) return 'approved'
  if (decision?.approve) return 'failed'
  return decision?.failure?.reason === EXPIRED.reason ? 'expired' : 'rejected'
}

export const createRequestFlow = (parts: RequestFlowParts): RequestFlow => {
  const { window, panels, isInFront, onUnseen, session } = parts
  const { shared, nodeReads, isVerified, proposals, onSiteEvent } = parts
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
    panels,
    session,
    places: async () => (await requests.open()).map(({ panel }) => panel ?? null),
    proposals,
    shown: createCell<readonly WaitingProposal[]>(session, 'shown-proposals', []),
    now,
  })
  const rejections = createRejections(session, now)
  /** Notes that a connected site's request was refused, so that the user learns of it. */
  const onRefused = async ({ kind, origin }: Requester, method: string, error: unknown) => {
    const { reason } = toFailure(toRpcError(error))
    if (kind !== 'site' || reason === undefined || !REFUSALS.has(reason) || !(await sites.get(origin))) return
    const asked = TYPED_DATA.test(method) ? 'typedData' : 'message'
    await lastAsked.note({ origin, kind: asked, at: now(), outcome: 'refused' })
  }

  const drafting = createDrafting({
    vault,
    chain,
    networks,
    grants,
    choices,
    rejections,
    nodeReads,
    isVerified,
    setUp: attention.setUp,
    contextOf,
    now,
    onRefused: (...refused) => onRefused(...refused).catch(report),
  })
  const desk = createDesk({
    requests,
    drafting,
    inQueue: createSiteQueues(),
    panelOf: async ({ tab }) => (tab === null ? null : panels.beside(tab)),
    show: async request => {
      // The panel may have been closed before the request was stored, so that its end did not end the request.
      if (request.panel !== undefined && !(await panels.isOpen(request.panel))) throw rpcError('userRejected')
      const isShown = await attention.show(request)
      if (!isShown || !(await isInFront())) await onUnseen(request)
    },
    showAgain: attention.showAgain,
    hide: attention.hide,
    isUnlocked: async () => (await vault.phase()) === 'unlocked',
    onEnd: async ({ requester, origin, effect, createdAt, decision }, outcome) => {
      if (requester.kind !== 'site' || effect.kind === 'unlock' || !(await sites.get(origin))) return
      await lastAsked.note({ origin, kind: effect.kind, at: createdAt, outcome: endOf(decision, outcome) })
    },
  })

  const disconnect = async (requester: Requester) => {
    const { origin } = requester
    const isConnected = (await grants.siteOf(requester)) !== undefined
    if (isConnected) {
      // Ends the site's requests before its accounts are revoked. Afterwards, they would end as unauthorized instead.
      const needless = (await requests.open()).filter(request => request.origin === origin && request.account !== null)
      await Promise.all(needless.map(({ key }) => desk.end(key, REVOKED)))
    }
    await grants.revoke(requester)
    await lastAsked.forget(origin)
    if (isConnected) onSiteEvent({ origin, event: 'accountsChanged', data: [] })
  }

  return { desk, disconnect, attention, rejections }
}
