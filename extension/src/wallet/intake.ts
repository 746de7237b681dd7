/** Takes a request of a site in: what it is, whether anybody need be asked, and how it will be shown. */
import { rpcError } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import type { Approvals } from './approvals.ts'
import type { Asker } from './attention.ts'
import { toRpcError } from './failures.ts'
import type { Vault } from './keys/vault.ts'
import { createLanes } from './lanes.ts'
import type { Asking, Context } from './method.ts'
import { findMethod } from './methods/index.ts'
import type { Networks } from './networks.ts'
import type { NodeReads } from './node-reads.ts'
import type { Rejections } from './rejections.ts'
import { keyOf, type WalletRequest } from './requests.ts'
import { isRemote } from './session/origin.ts'
import type { Sites } from './sites.ts'
import { deferredDraft } from './verified.ts'

/** Characters of the params of a request as JSON: more than any block takes, less than what chokes the worker. */
export const MAX_PARAMS = 4 << 20
/** A method name is quoted up to here in an error. */
const LONGEST_NAME = 60

/**
 * `page` names the page among all that are open, for events and to see whether it is still there. `top` is the origin of
 * the site that shows the asking one in a frame, where that is another. `tab` is the tab that the page is in.
 */
export type SiteRequest = {
  id: string
  method: string
  params?: unknown
  page?: string | null
  tab?: number | null
  top?: string | null
  /** The network that it is for, where that is not the one the site is on; and when it is late, ms since 1970. */
  chainId?: number
  expiresAt?: number
}

type Arrived = Required<Omit<SiteRequest, 'chainId' | 'expiresAt'>> & Pick<SiteRequest, 'expiresAt'>

export type IntakeParts = {
  vault: Pick<Vault, 'phase'>
  networks: Pick<Networks, 'of' | 'get'>
  sites: Pick<Sites, 'get'>
  rejections: Pick<Rejections, 'assertMayAsk'>
  approvals: Pick<Approvals, 'ask' | 'isWanted'>
  nodeReads: Pick<NodeReads, 'read'>
  /** Whether the settings are known: which sites are connected, and on which network. */
  isVerified(): Promise<boolean>
  /** Lets the person make a wallet where there is none. */
  setUp(asker: Asker): Promise<void>
  contextOf(origin: string, page: string | null, network: Network): Context
  now(): number
}

/** What answers the requests of sites. It throws RpcError. */
export const createIntake = (parts: IntakeParts) => {
  const { vault, networks, sites, rejections, approvals, nodeReads, isVerified, setUp, contextOf, now } = parts
  const inLane = createLanes()

  /** The request as it will be shown, or its answer where nobody needs to be asked. */
  const prepare = async (method: Asking, context: Context, request: Arrived, chainId: number | undefined) => {
    if ((await vault.phase()) === 'empty') {
      await setUp({ origin: context.origin, tab: request.tab })
      throw rpcError('unauthorized', 'There is no wallet yet. Set one up, then ask again.')
    }
    const { origin, network } = context
    // A peer's id is its own for good, so what came before under it is this request, though the browser was closed in between.
    const done = isRemote(origin) ? await method.recall?.(context, keyOf(origin, request.id)) : undefined
    if (done) return done
    // Before the first unlock nobody can say whether the site is connected: that is reviewed when it is known.
    const draft = (await isVerified())
      ? await method.prepare(context, request.params)
      : deferredDraft(request.params, chainId)
    if ('answer' in draft) return draft
    await rejections.assertMayAsk(origin, request.method)
    const { id, page, tab, top, expiresAt } = request
    const connected = (await sites.get(origin)) !== undefined
    const arrived = { key: keyOf(origin, id), origin, connected, page, tab, top }
    const late = expiresAt === undefined ? {} : { expiresAt }
    return {
      ...late,
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

  const handle = async (origin: string, { params, page = null, tab = null, top = null, ...named }: SiteRequest) => {
    const { id, method, chainId } = named
    if ((JSON.stringify(params)?.length ?? 0) > MAX_PARAMS)
      throw rpcError('limitExceeded', `params: longer than ${MAX_PARAMS} characters`)
    // In its lane from the start: what is over the bounds of a site costs no look at the stores.
    const lane = <T>(task: () => Promise<T>) => inLane(origin, task)
    const key = keyOf(origin, id)
    const isWanted = () => approvals.isWanted(key)
    return approvals.ask(key, lane, async () => {
      const network = chainId === undefined ? await networks.of(origin) : await networks.get(chainId)
      const found = findMethod(method, network.prefixes)
      const context = contextOf(origin, page, network)
      if (found && 'answer' in found && found.readsNode && !(await isVerified()))
        throw rpcError('unauthorized', 'Unlock the wallet first')
      // A read is not awaited here: while it waits for its turn, it keeps none of the site's other requests waiting.
      if (found && 'answer' in found && found.readsNode)
        return { answer: nodeReads.read(origin, network, isWanted, () => found.answer(context, params)) }
      if (found && 'answer' in found) return { answer: await found.answer(context, params) }
      // A request that is known is joined, whatever has become of the network since it came.
      return async () => {
        if (!found) throw rpcError('methodNotFound', `The method ${method.slice(0, LONGEST_NAME)} does not exist here`)
        const preparing = () => prepare(found, context, { ...named, params, page, tab, top }, chainId)
        const reads = found.readsNode && (await isVerified())
        return reads ? nodeReads.read(origin, network, isWanted, preparing) : preparing()
      }
    })
  }

  return async (origin: string, asked: SiteRequest): Promise<unknown> => {
    try {
      return await handle(origin, asked)
    } catch (error) {
      throw toRpcError(error)
    }
  }
}
