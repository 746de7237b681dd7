/** Accepts requests of sites: finds the method, decides whether to ask the user, and prepares the review. */
import type { Network } from '@heliograph/shared/network'
import type { Vault } from '../keys/vault.ts'
import { findMethod } from '../methods/index.ts'
import type { Networks } from '../networks/networks.ts'
import type { Approvals } from '../requests/approvals.ts'
import type { Asker } from '../requests/attention.ts'
import type { Asking, Context } from '../requests/context.ts'
import type { InProgress } from '../requests/in-progress.ts'
import type { Rejections } from '../requests/rejections.ts'
import { keyOf, type Outcome, resultOf, type WalletRequest } from '../requests/requests.ts'
import { createSiteQueues } from '../requests/site-queues.ts'
import type { Grants, Requester } from '../sites/requester.ts'
import { rpcError } from '../text/errors.ts'
import { toRpcError } from '../work/failures.ts'
import { deferredDraft } from './first-unlock.ts'
import type { NodeReads } from './node-reads.ts'

/** Maximum length of params as JSON: enough for any transaction, but not enough to stall the worker. */
export const MAX_PARAMS = 4 << 20
/** Maximum length of a method name quoted in an error. */
const MAX_NAME_LENGTH = 60

/**
 * `page` identifies the open page, for events and to check that it still exists. `top` is the top-level origin if the
 * site is in a cross-site frame. `tab` is the page's tab.
 */
export type SiteRequest = {
  id: string
  method: string
  params?: unknown
  page?: string | null
  tab?: number | null
  top?: string | null
  /** Network of the request if it is not the site's current one, and its expiry in Unix ms. */
  chainId?: number
  expiresAt?: number
}

type Arrived = Required<Omit<SiteRequest, 'chainId' | 'expiresAt'>> & Pick<SiteRequest, 'expiresAt'>

export type IntakeParts = {
  vault: Pick<Vault, 'phase'>
  networks: Pick<Networks, 'get'>
  grants: Pick<Grants, 'siteOf' | 'networkOf'>
  rejections: Pick<Rejections, 'assertMayAsk'>
  inProgress: InProgress
  approvals: Pick<Approvals, 'ask'>
  nodeReads: Pick<NodeReads, 'read'>
  /** True once the settings are verified: connected sites and their networks. */
  isVerified(): Promise<boolean>
  /** Opens the setup if there is no wallet. */
  setUp(asker: Asker): Promise<void>
  contextOf(requester: Requester, page: string | null, network: Network): Context
  now(): number
}

/** Creates the handler of site requests. It throws RpcError. */
export const createIntake = (parts: IntakeParts) => {
  const { vault, networks, grants, rejections, inProgress, approvals, nodeReads, isVerified, setUp, contextOf, now } =
    parts
  const inQueue = createSiteQueues()

  /** The request to show, or its answer if no decision is needed. */
  const prepare = async (method: Asking, context: Context, request: Arrived, chainId: number | undefined) => {
    if ((await vault.phase()) === 'empty') {
      await setUp({ origin: context.origin, tab: request.tab })
      throw rpcError('unauthorized', 'noWallet')
    }
    const { requester, origin, network } = context
    // A peer never reuses an id, so an earlier request with it is this one, even across a restart of the browser.
    const done = requester.kind === 'session' ? await method.recall?.(context, keyOf(origin, request.id)) : undefined
    if (done) return done
    // Before the first unlock it is unknown whether the site is connected, so the review is done later.
    const draft = (await isVerified())
      ? await method.prepare(context, request.params)
      : deferredDraft(request.params, chainId)
    if ('answer' in draft) return draft
    await rejections.assertMayAsk(origin, request.method)
    const { id, page, tab, top, expiresAt } = request
    const connected = (await grants.siteOf(requester)) !== undefined
    const arrived = { key: keyOf(origin, id), requester, origin, connected, page, tab, top }
    const expiry = expiresAt === undefined ? {} : { expiresAt }
    return {
      ...expiry,
      ...arrived,
      method: request.method,
      chainId: network.chainId,
      revision: 0,
      createdAt: now(),
      ...draft,
      decision: null,
      signed: null,
    } satisfies WalletRequest
  }

  /**
   * Answers the request, or has it shown. Resolves with a function that waits outside of the site's queue: for the node, or
   * for the outcome of a request that was shown.
   */
  const begin = async (
    requester: Requester,
    asked: SiteRequest,
    outcome: Promise<Outcome>,
  ): Promise<() => Promise<unknown>> => {
    const { id, method: name, params, page = null, tab = null, top = null, chainId, expiresAt } = asked
    const key = keyOf(requester.origin, id)
    inProgress.assertWanted(key)
    const network = chainId === undefined ? await grants.networkOf(requester) : await networks.get(chainId)
    const method = findMethod(name, network.prefixes)
    const context = contextOf(requester, page, network)
    const reading = <T>(task: () => Promise<T>) =>
      nodeReads.read(requester, network, () => inProgress.assertWanted(key), task)

    if (method && 'answer' in method) {
      if (method.readsNode && !(await isVerified())) throw rpcError('unauthorized', 'unlockFirst')
      if (method.readsNode) return () => reading(() => method.answer(context, params))
      const answer = await method.answer(context, params)
      return async () => answer
    }
    // A known request is joined even if its network has changed since and does not have the method.
    const answered = await approvals.ask(key, async () => {
      if (!method) throw rpcError('methodNotFound', 'unknownMethod', { method: name.slice(0, MAX_NAME_LENGTH) })
      const expiry = expiresAt === undefined ? {} : { expiresAt }
      const preparing = () => prepare(method, context, { id, method: name, params, page, tab, top, ...expiry }, chainId)
      return method.readsNode && (await isVerified()) ? reading(preparing) : preparing()
    })
    return async () => (answered ? answered.answer : resultOf(await outcome))
  }

  const handle = async (requester: Requester, asked: SiteRequest): Promise<unknown> => {
    if ((JSON.stringify(asked.params)?.length ?? 0) > MAX_PARAMS)
      throw rpcError('limitExceeded', 'requestTooLong', { place: 'params', limit: MAX_PARAMS })
    return inProgress.join(keyOf(requester.origin, asked.id), async outcome => {
      // Queued before anything else, so that a site over its limit causes no reads of the stores.
      const answer = await inQueue(requester.origin, () => begin(requester, asked, outcome))
      return answer()
    })
  }

  return async (requester: Requester, asked: SiteRequest): Promise<unknown> => {
    try {
      return await handle(requester, asked)
    } catch (error) {
      throw toRpcError(error)
    }
  }
}
