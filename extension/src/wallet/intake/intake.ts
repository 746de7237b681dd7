/** Calls the methods for sites and peers: answers a request or prepares it for a decision, and acts once it is approved. */
import type { Network } from '@heliograph/shared/network'
import type { Vault } from '../keys/vault.ts'
import { findMethod } from '../methods/index.ts'
import type { Networks } from '../networks/networks.ts'
import type { Approvals, ApprovalsParts } from '../requests/approvals.ts'
import type { Asker } from '../requests/attention.ts'
import type { Asking, Context } from '../requests/context.ts'
import type { InProgress } from '../requests/in-progress.ts'
import type { Rejections } from '../requests/rejections.ts'
import { ChangedSince, type Draft, keyOf, resultOf, type WalletRequest } from '../requests/requests.ts'
import { createSiteQueues } from '../requests/site-queues.ts'
import type { Grants, Requester } from '../sites/requester.ts'
import type { SiteChoices } from '../sites/site-choices.ts'
import { rpcError } from '../text/errors.ts'
import { report, toRpcError } from '../work/failures.ts'
import { type Deferred, deferredDraft, deferredOf } from './first-unlock.ts'
import type { NodeReads } from './node-reads.ts'

/** Maximum length of params as JSON: enough for any transaction, but not enough to stall the worker. */
export const MAX_PARAMS = 4 << 20
/** Maximum length of a method name quoted in an error. */
const MAX_NAME_LENGTH = 60

/**
 * A call as it arrives. `page` identifies the open page, for events and to check that it still exists. `top` is the
 * top-level origin if the site is in a cross-site frame. `tab` is the page's tab.
 */
export type AskedCall = {
  id: string
  method: string
  params?: unknown
  page?: string | null
  tab?: number | null
  top?: string | null
  /** Peers only: the network of the call, and its expiry in Unix ms. */
  chainId?: number
  expiresAt?: number
}

/** Handles a call and resolves with its result. Throws RpcError. */
export type Handle = (requester: Requester, asked: AskedCall) => Promise<unknown>

/** A call that is answered, a read that answers it, or null for a request that is shown. */
type Begun = { answer: unknown } | { read(): Promise<unknown> } | null

export type IntakeParts = {
  vault: Pick<Vault, 'phase'>
  networks: Pick<Networks, 'get'>
  grants: Pick<Grants, 'siteOf' | 'networkOf'>
  choices: Pick<SiteChoices, 'of'>
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
  /** Called with a request that the wallet refuses without asking the person. Never throws. */
  onRefused(requester: Requester, method: string, error: unknown): Promise<void>
}

/** Prepares a request, unless the person has blocked or muted its site. Throws 4001 or -32005 then. */
const draftOf = async (
  { choices, rejections }: Pick<IntakeParts, 'choices' | 'rejections'>,
  { origin, method }: Pick<WalletRequest, 'origin' | 'method'>,
  prepare: () => ReturnType<Asking['prepare']>,
): ReturnType<Asking['prepare']> => {
  if ((await choices.of(origin)).isBlocked) throw rpcError('userRejected', 'siteBlocked')
  const draft = await prepare()
  if (!('answer' in draft)) await rejections.assertMayAsk(origin, method)
  return draft
}

/** Calls `task` with the context on `network`, once the site may read that network's node. */
const onNode = <T>(
  { nodeReads, inProgress }: Pick<IntakeParts, 'nodeReads' | 'inProgress'>,
  key: string,
  context: Context,
  network: Network,
  task: (context: Context) => Promise<T>,
): Promise<T> =>
  nodeReads.read(
    context.requester,
    network,
    () => inProgress.assertWanted(key),
    () => task({ ...context, network }),
  )

/** Prepares a request, as a read of a node if the method queries one. */
const prepareWith = async (
  parts: Pick<IntakeParts, 'nodeReads' | 'inProgress'>,
  key: string,
  method: Asking,
  context: Context,
  params: unknown,
): ReturnType<Asking['prepare']> => {
  const prepare = (used: Context) => method.prepare(used, params)
  if (!method.readsNodeOf) return prepare(context)
  return onNode(parts, key, context, await method.readsNodeOf(context, params), prepare)
}

/** Creates the handler of calls. */
export const createIntake = (parts: IntakeParts): Handle => {
  const { vault, networks, grants, inProgress, approvals } = parts
  const { isVerified, setUp, contextOf, now, onRefused } = parts
  const inQueue = createSiteQueues()

  /** The request to show, or its answer if no decision is needed. */
  const toRequest = async (
    method: Asking,
    context: Context,
    asked: AskedCall,
  ): Promise<WalletRequest | { answer: unknown }> => {
    const { id, method: name, params, page = null, tab = null, top = null, chainId, expiresAt } = asked
    const { requester, origin, network } = context
    const key = keyOf(origin, id)
    if ((await vault.phase()) === 'empty') {
      await setUp({ origin, tab })
      throw rpcError('unauthorized', 'noWallet')
    }
    // A peer never reuses an id, so an earlier request with it is this one, even across a restart of the browser.
    const done = requester.kind === 'session' ? await method.recall?.(context, key) : undefined
    if (done) return done
    // Before the first unlock it is unknown whether the site is connected or blocked, so the review is done later.
    const prepare = async () =>
      (await isVerified()) ? prepareWith(parts, key, method, context, params) : deferredDraft(params, chainId)
    const draft = await draftOf(parts, { origin, method: name }, prepare)
    if ('answer' in draft) return draft
    return {
      ...(expiresAt !== undefined && { expiresAt }),
      key,
      requester,
      origin,
      connected: (await grants.siteOf(requester)) !== undefined,
      page,
      tab,
      top,
      method: name,
      chainId: network.chainId,
      revision: 0,
      createdAt: now(),
      ...draft,
      decision: null,
      signed: null,
    }
  }

  const begin = async (requester: Requester, asked: AskedCall): Promise<Begun> => {
    const { id, method: name, params, page = null, chainId } = asked
    const key = keyOf(requester.origin, id)
    inProgress.assertWanted(key)
    const network = chainId === undefined ? await grants.networkOf(requester) : await networks.get(chainId)
    const method = findMethod(name, network.prefixes)
    const context = contextOf(requester, page, network)
    if (method && 'answer' in method) {
      if (!method.readsNodeOf) return { answer: await method.answer(context, params) }
      if (!(await isVerified())) throw rpcError('unauthorized', 'unlockFirst')
      const read = await method.readsNodeOf(context, params)
      return { read: () => onNode(parts, key, context, read, reader => method.answer(reader, params)) }
    }
    // A known request is joined even if its network has changed since and does not have the method.
    return approvals.ask(key, async () => {
      if (!method) throw rpcError('methodNotFound', 'unknownMethod', { method: name.slice(0, MAX_NAME_LENGTH) })
      try {
        return await toRequest(method, context, asked)
      } catch (error) {
        await onRefused(requester, name, error)
        throw error
      }
    })
  }

  const handleOrThrow: Handle = async (requester, asked) => {
    if ((JSON.stringify(asked.params)?.length ?? 0) > MAX_PARAMS)
      throw rpcError('limitExceeded', 'requestTooLong', { place: 'params', limit: MAX_PARAMS })
    return inProgress.join(keyOf(requester.origin, asked.id), async outcome => {
      // Queued before anything else, so that a site over its limit causes no reads of the stores.
      const begun = await inQueue(requester.origin, () => begin(requester, asked))
      if (begun === null) return resultOf(await outcome)
      return 'read' in begun ? begun.read() : begun.answer
    })
  }

  return async (requester, asked) => {
    try {
      return await handleOrThrow(requester, asked)
    } catch (error) {
      throw toRpcError(error)
    }
  }
}

export type CarryOutParts = Pick<
  IntakeParts,
  'networks' | 'grants' | 'choices' | 'rejections' | 'inProgress' | 'nodeReads' | 'contextOf'
> & {
  refresh(): Promise<void>
}

/** The method of a request that was decided. Throws -32601 if the network does not have it. */
const decidedMethod = ({ method: name }: WalletRequest, { prefixes }: Network) => {
  const method = findMethod(name, prefixes)
  if (!method || !('act' in method)) throw rpcError('methodNotFound')
  return method
}

/** Creates the part that carries out approved requests. */
export const createCarryOut = (parts: CarryOutParts): ApprovalsParts['carryOut'] => {
  const { networks, grants, contextOf, refresh } = parts

  /** Reviews a request that arrived before the settings were verified. The review has to be decided. */
  const review = async (
    request: WalletRequest,
    { params, chainId }: Deferred,
  ): Promise<{ result: unknown } | { draft: Draft }> => {
    const { key, requester, page } = request
    const network = chainId === undefined ? await grants.networkOf(requester) : await networks.get(chainId)
    const method = decidedMethod(request, network)
    const context = contextOf(requester, page, network)
    const draft = await draftOf(parts, request, () => prepareWith(parts, key, method, context, params))
    return 'answer' in draft ? { result: draft.answer } : { draft: { chainId: network.chainId, ...draft } }
  }

  return async request => {
    const deferred = deferredOf(request)
    if (deferred) return review(request, deferred)
    const network = await networks.get(request.chainId)
    const method = decidedMethod(request, network)
    try {
      const result = await method.act(contextOf(request.requester, request.page, network), request)
      // The result does not depend on whether the pages could be updated.
      refresh().catch(report)
      return { result }
    } catch (error) {
      if (error instanceof ChangedSince) return { draft: error.draft }
      throw error
    }
  }
}
