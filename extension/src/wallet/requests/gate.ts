/**
 * Decides whether a site may be served now. Queues per site prevent a site from monopolizing the worker and the node. A
 * site that repeats rejected requests is muted. Node reads come from the wallet, and so bypass the browser's
 * restrictions between a site and the node. Therefore, only connected sites may read from a node on a private network,
 * and for other sites reads are rate-limited.
 */
import type { Network } from '@heliograph/shared/network'
import { isPrivateNode } from '../networks/node-host.ts'
import type { ReadRate } from '../networks/read-rate.ts'
import type { Grants, Requester, SiteChoices } from '../sites/sites.ts'
import { createCell, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'
import type { WalletRequest } from './store.ts'

export type SiteQueues = <T>(origin: string, task: () => Promise<T>) => Promise<T>

export const MAX_CONCURRENT = 20
export const MAX_QUEUED = 1_000

/**
 * Limits how many of a site's tasks run concurrently; others are queued in order. Resolves with the task's result.
 * Throws -32005 if `most` tasks from this origin are already queued.
 */
export const createSiteQueues = (most = MAX_QUEUED): SiteQueues => {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()

  const enter = (origin: string): Promise<void> => {
    const queue = queues.get(origin) ?? { running: 0, waiting: [] }
    queues.set(origin, queue)
    if (queue.running < MAX_CONCURRENT) {
      queue.running++
      return Promise.resolve()
    }
    if (queue.waiting.length >= most) throw rpcError('limitExceeded', 'queueFull', { limit: most })
    return new Promise(resolve => queue.waiting.push(resolve))
  }

  const leave = (origin: string) => {
    const queue = queues.get(origin)
    const next = queue?.waiting.shift()
    if (next) next()
    else if (queue && --queue.running === 0) queues.delete(origin)
  }

  return async (origin, task) => {
    await enter(origin)
    try {
      return await task()
    } finally {
      leave(origin)
    }
  }
}

/** A user action that rejects a single request, or all pending requests, of a site. `keys` are the requests' keys. */
type Rejection = { origin: string; keys: readonly string[]; methods: readonly string[]; at: number }

/** `until` is Unix time in ms. `asked` is true if a request was rejected automatically since the site was muted. */
export type Muted = { origin: string; until: number; asked: boolean }

export type Rejections = {
  /** Throws -32005 if the site is muted. */
  assertMayAsk(origin: string, method: string): Promise<void>
  /**
   * Records that the user rejected these requests of the site in one action. Each request counts once: the action is
   * repeated if the worker stopped.
   */
  note(origin: string, requests: readonly Pick<WalletRequest, 'key' | 'method'>[]): Promise<void>
  /** Clears a site's rejections. */
  forget(origin: string): Promise<void>
  muted(): Promise<readonly Muted[]>
}

/**
 * Number of rejections of one method, and of any methods, that mute a site, and the period in ms in which they count.
 */
export const MAX_OF_METHOD = 3
export const MAX_OF_SITE = 10
export const WINDOW = 60_000

type Noted = { rejections: readonly Rejection[]; askers: readonly string[] }

const NOTHING: Noted = { rejections: [], askers: [] }

/**
 * Returns the time (Unix ms) at which fewer than `most` rejections will be recent. Null if fewer are recent already.
 * The rejections are sorted, oldest first.
 */
const endOf = (rejections: readonly Rejection[], most: number): number | null => {
  const counted = rejections.at(-most)
  return rejections.length < most || !counted ? null : counted.at + WINDOW
}

/**
 * Mutes sites that repeat rejected requests: after a few rejections within a minute, requests are rejected
 * automatically until enough of these rejections are older than a minute. The user sees the mute and can end it. An
 * approval also ends it.
 */
export const createRejections = (session: Store, now: () => number): Rejections => {
  const cell = createCell<Noted>(session, 'rejections', NOTHING)

  const recentOf = ({ rejections }: Noted) => rejections.filter(({ at }) => now() - at < WINDOW)
  const ofSite = (rejections: readonly Rejection[], origin: string) =>
    rejections.filter(rejection => rejection.origin === origin)
  const ofMethod = (rejections: readonly Rejection[], method: string) =>
    rejections.filter(({ methods }) => methods.includes(method))

  /** Returns the time (Unix ms) from which the site may use the method again, 0 if it already may. */
  const endFor = (rejections: readonly Rejection[], method: string): number =>
    Math.max(endOf(rejections, MAX_OF_SITE) ?? 0, endOf(ofMethod(rejections, method), MAX_OF_METHOD) ?? 0)

  return {
    assertMayAsk: async (origin, method) => {
      const noted = await cell.read()
      const until = endFor(ofSite(recentOf(noted), origin), method)
      if (until === 0) return
      if (!noted.askers.includes(origin)) {
        await cell.update(kept => ({ ...kept, askers: [...kept.askers.filter(asker => asker !== origin), origin] }))
      }
      const seconds = Math.ceil((until - now()) / 1_000)
      throw rpcError('limitExceeded', 'rejectedOften', { seconds })
    },
    note: async (origin, requests) => {
      await cell.update(noted => {
        const recent = recentOf(noted)
        const added = requests.filter(({ key }) => !recent.some(({ keys }) => keys.includes(key)))
        if (added.length === 0) return noted
        const methods = [...new Set(added.map(({ method }) => method))]
        const rejections = [...recent, { origin, keys: added.map(({ key }) => key), methods, at: now() }]
        return { rejections, askers: noted.askers.filter(asker => ofSite(rejections, asker).length > 0) }
      })
    },
    forget: async origin => {
      await cell.update(noted => ({
        rejections: recentOf(noted).filter(rejection => rejection.origin !== origin),
        askers: noted.askers.filter(asker => asker !== origin),
      }))
    },
    muted: async () => {
      const noted = await cell.read()
      const recent = recentOf(noted)
      return [...new Set(recent.map(({ origin }) => origin))].flatMap(origin => {
        const own = ofSite(recent, origin)
        const until = Math.max(...own.flatMap(({ methods }) => methods).map(method => endFor(own, method)))
        return until === 0 ? [] : [{ origin, until, asked: noted.askers.includes(origin) }]
      })
    },
  }
}

/** Maximum number of queued reads per site: the reads of half a minute at the sustained rate. */
export const MAX_QUEUED_READS = 300

export type NodeReads = {
  /** True if the site may read from the network's node. */
  mayRead(requester: Requester, network: Network): Promise<boolean>
  /**
   * Reads as soon as the rate limit allows it. Calls `assertWanted` first, and throws its errors. Throws 4100 if the
   * site may not read from the node, -32005 if too many reads are queued.
   */
  read<T>(requester: Requester, network: Network, assertWanted: () => void, task: () => Promise<T>): Promise<T>
}

export type NodeReadsParts = {
  grants: Pick<Grants, 'siteOf'>
  choices: Pick<SiteChoices, 'list'>
  rate: ReadRate
}

export const createNodeReads = ({ grants, choices, rate }: NodeReadsParts): NodeReads => {
  const inQueue = createSiteQueues(MAX_QUEUED_READS)

  const isAllowed = async (origin: string) =>
    (await choices.list()).some(choice => choice.origin === origin && choice.readsLocalNode)

  const mayRead: NodeReads['mayRead'] = async (requester, { rpcUrls }) =>
    !rpcUrls.some(isPrivateNode) ||
    (await grants.siteOf(requester)) !== undefined ||
    (await isAllowed(requester.origin))

  return {
    mayRead,
    read: (requester, network, assertWanted, task) =>
      inQueue(requester.origin, async () => {
        if (!(await mayRead(requester, network)))
          throw rpcError('unauthorized', 'nodeIsPrivate', { network: network.title })
        assertWanted()
        if (!(await grants.siteOf(requester))) await rate(requester.origin)
        return task()
      }),
  }
}
