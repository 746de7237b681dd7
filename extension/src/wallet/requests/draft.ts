/**
 * The steps of a call, without the request's lifecycle. Answers a call, reads the answer from a node, or prepares a
 * request for the user's decision. Executes an approved request, and reviews a request again after an edit.
 */
import type { Network } from '@heliograph/shared/network'
import type { Finding, TransactionEdit } from '../../messages.ts'
import type { Vault } from '../keys/vault.ts'
import { findMethod } from '../methods/index.ts'
import type { Networks } from '../networks/networks.ts'
import { type Chain, chainUntil } from '../networks/node.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import { unreachable } from '../review/transaction.ts'
import type { Grants, Requester, SiteChoices } from '../sites/sites.ts'
import { rpcError } from '../text/errors.ts'
import type { Asker } from './attention.ts'
import { type Asking, type Context, requireAccount } from './context.ts'
import type { NodeReads, Rejections } from './gate.ts'
import { ChangedSince, type Draft, keyOf, type WalletRequest } from './store.ts'

/** Maximum characters of params as JSON: enough for any transaction, but not enough to stall the worker. */
export const MAX_PARAMS = 4 << 20
/** Maximum characters of a method name that an error quotes. */
const MAX_NAME_LENGTH = 60

/**
 * An incoming call. `page` identifies the open page, for events and to check that it still exists. `top` is the
 * top-level origin if the site is in a cross-site frame. `tab` is the page's tab.
 */
export type AskedCall = {
  id: string
  method: string
  params?: unknown
  page?: string | null
  tab?: number | null
  top?: string | null
  /** Only for peers: network of the call, and its expiry as Unix time in ms. */
  chainId?: number
  expiresAt?: number
}

/** Either an answer, a read that returns the answer, or a function that prepares a request. */
export type Begun =
  | { answer: unknown }
  | { read(): Promise<unknown> }
  | { draft(): Promise<WalletRequest | { answer: unknown }> }

/** `assertWanted` throws if no caller waits for the answer any more. It is called before a queued read. */
export type Drafting = {
  /**
   * Starts a call: answers it, or returns a function that reads the answer or prepares a request. Both the method and
   * the returned function throw RpcError.
   */
  begin(requester: Requester, asked: AskedCall, assertWanted: () => void): Promise<Begun>
  /** Executes an approved request. Resolves with a draft if it must be decided again. Throws if it fails. */
  act(request: WalletRequest, assertWanted: () => void): Promise<{ result: unknown } | { draft: Draft }>
  /**
   * Reviews a request again with the user's changes. Can be aborted with the signal. Throws -32602 if the request
   * cannot be changed.
   */
  edit(request: WalletRequest, edit: TransactionEdit, signal: AbortSignal): Promise<Draft>
  /** Returns the finding that is shown when the request's node turns out to be unreachable. */
  unreachable(request: WalletRequest): Promise<Finding>
  /** Throws 4100 if the requester may no longer use the request's account. */
  assertAllowed(request: WalletRequest): Promise<void>
}

export type DraftingParts = {
  vault: Vault
  chain: Chain
  networks: Pick<Networks, 'get'>
  grants: Pick<Grants, 'siteOf' | 'networkOf'>
  choices: Pick<SiteChoices, 'of'>
  rejections: Pick<Rejections, 'assertMayAsk'>
  nodeReads: Pick<NodeReads, 'read'>
  /** True once the settings are verified, which include connected sites and their networks. */
  isVerified(): Promise<boolean>
  /** Opens the setup if there is no wallet yet. */
  setUp(asker: Asker): Promise<void>
  contextOf(requester: Requester, page: string | null, network: Network): Context
  now(): number
  /** Called with a request that the wallet refuses without asking the user. Never throws. */
  onRefused(requester: Requester, method: string, error: unknown): Promise<void>
}

/** A request that arrived before the settings were verified. It is reviewed after the unlock. */
type Deferred = { params?: unknown; chainId?: number }

/** Creates a draft that only asks for the password. `chainId` is set if the request names a chain. */
const deferredDraft = (params: unknown, chainId: number | undefined): Draft => ({
  account: null,
  payload: { deferred: { params, ...(chainId !== undefined && { chainId }) } satisfies Deferred },
  effect: { kind: 'unlock' },
  findings: [],
})

/** Returns the deferred request, or undefined for any other request. */
const deferredOf = ({ effect, payload }: WalletRequest): Deferred | undefined =>
  effect.kind === 'unlock' && typeof payload === 'object' && payload !== null && 'deferred' in payload
    ? (payload.deferred as Deferred)
    : undefined

/** Returns a stored request's method. Throws -32601 if the network does not have it. */
const askingMethod = ({ method: name }: WalletRequest, { prefixes }: Network): Asking => {
  const method = findMethod(name, prefixes)
  if (!method || !('act' in method)) throw rpcError('methodNotFound')
  return method
}

export const createDrafting = (parts: DraftingParts): Drafting => {
  const { vault, chain, networks, grants, choices, rejections, nodeReads } = parts
  const { isVerified, setUp, contextOf, now, onRefused } = parts

  const networkOf = (requester: Requester, chainId: number | undefined) =>
    chainId === undefined ? grants.networkOf(requester) : networks.get(chainId)

  /** Returns a stored request's context, whose network is used on behalf of the request's account. */
  const contextFor = ({ requester, page, account }: WalletRequest, network: Network): Context =>
    contextOf(requester, page, onBehalfOf(network, account))

  /** Calls `task` with the context for `network`, once the site may read from that network's node. */
  const onNode = <T>(
    context: Context,
    network: Network,
    assertWanted: () => void,
    task: (context: Context) => Promise<T>,
  ): Promise<T> => nodeReads.read(context.requester, network, assertWanted, () => task({ ...context, network }))

  /** Prepares a request, as a read if the method queries a node. */
  const prepareWith = async (method: Asking, context: Context, params: unknown, assertWanted: () => void) => {
    const prepare = (used: Context) => method.prepare(used, params)
    if (!method.readsNodeOf) return prepare(context)
    return onNode(context, await method.readsNodeOf(context, params), assertWanted, prepare)
  }

  /** Prepares a request. Throws 4001 or -32005 if the user has blocked the site, or the site is muted. */
  const draftOf = async (origin: string, method: string, prepare: () => ReturnType<Asking['prepare']>) => {
    if ((await choices.of(origin)).isBlocked) throw rpcError('userRejected', 'siteBlocked')
    const draft = await prepare()
    // Only the preparation shows whether a decision is needed. A muted site still gets answers that need none, such as
    // its accounts after an unlock.
    if (!('answer' in draft)) await rejections.assertMayAsk(origin, method)
    return draft
  }

  /** Returns the request to show, or its answer if it needs no decision. */
  const requestOf = async (
    method: Asking,
    context: Context,
    asked: AskedCall,
    assertWanted: () => void,
  ): Promise<WalletRequest | { answer: unknown }> => {
    const { id, method: name, params, page = null, tab = null, top = null, chainId, expiresAt } = asked
    const { requester, origin, network } = context
    const key = keyOf(origin, id)
    if ((await vault.phase()) === 'empty') {
      await setUp({ origin, tab })
      throw rpcError('unauthorized', 'noWallet')
    }
    // A peer never reuses an id, so a request with this id from before a browser restart is the same request.
    const done = requester.kind === 'session' ? await method.recall?.(context, key) : undefined
    if (done) return done
    // Before the first unlock, it is unknown whether the site is connected or blocked, so the review is deferred.
    const draft = await draftOf(origin, name, async () =>
      (await isVerified()) ? prepareWith(method, context, params, assertWanted) : deferredDraft(params, chainId),
    )
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

  /** Reviews a request that arrived before the settings were verified. The user decides about the reviewed request. */
  const reviewDeferred = async (request: WalletRequest, { params, chainId }: Deferred, assertWanted: () => void) => {
    const { requester, origin, page } = request
    const network = await networkOf(requester, chainId)
    const method = askingMethod(request, network)
    const context = contextOf(requester, page, network)
    const draft = await draftOf(origin, request.method, () => prepareWith(method, context, params, assertWanted))
    return 'answer' in draft ? { result: draft.answer } : { draft: { chainId: network.chainId, ...draft } }
  }

  return {
    begin: async (requester, asked, assertWanted) => {
      const { method: name, params, page = null, chainId } = asked
      const network = await networkOf(requester, chainId)
      const method = findMethod(name, network.prefixes)
      const context = contextOf(requester, page, network)
      if (method && 'answer' in method) {
        if (!method.readsNodeOf) return { answer: await method.answer(context, params) }
        if (!(await isVerified())) throw rpcError('unauthorized', 'unlockFirst')
        const read = await method.readsNodeOf(context, params)
        return { read: () => onNode(context, read, assertWanted, reader => method.answer(reader, params)) }
      }
      const draft = async () => {
        if (!method) throw rpcError('methodNotFound', 'unknownMethod', { method: name.slice(0, MAX_NAME_LENGTH) })
        try {
          return await requestOf(method, context, asked, assertWanted)
        } catch (error) {
          await onRefused(requester, name, error)
          throw error
        }
      }
      return { draft }
    },
    act: async (request, assertWanted) => {
      const deferred = deferredOf(request)
      if (deferred) return reviewDeferred(request, deferred, assertWanted)
      const network = await networks.get(request.chainId)
      const method = askingMethod(request, network)
      try {
        return { result: await method.act(contextFor(request, network), request) }
      } catch (error) {
        if (error instanceof ChangedSince) return { draft: error.draft }
        throw error
      }
    },
    edit: async (request, edit, signal) => {
      const network = await networks.get(request.chainId)
      const method = findMethod(request.method, network.prefixes)
      if (!method || !('act' in method) || !method.edit) throw rpcError('invalidParams', 'requestGone')
      const context = { ...contextFor(request, network), chain: chainUntil(chain, signal) }
      return method.edit(context, request, edit)
    },
    unreachable: async ({ chainId }) => unreachable(await networks.get(chainId)),
    assertAllowed: async ({ requester, account }) => {
      if (account !== null) await requireAccount({ requester, grants, vault }, account)
    },
  }
}
