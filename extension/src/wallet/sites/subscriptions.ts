/**
 * eth_subscribe subscriptions: EIP-1193 and https://geth.ethereum.org/docs/interacting-with-geth/rpc/pubsub. Polls the
 * node, because RPC over HTTP cannot push. Subscriptions are in the session store with the last reported block, so a
 * worker restart loses no events.
 */
import { RpcError } from '@heliograph/shared/errors'
import { decodeQuantity, encodeData, encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { randomBytes } from '@noble/hashes/utils.js'
import { type Block, blockQuestion, toBlock } from '../networks/blocks.ts'
import { readListed } from '../networks/logs.ts'
import type { Networks } from '../networks/networks.ts'
import { askAs, type Chain } from '../networks/node.ts'
import { onBehalfOf, readersOf } from '../networks/node-uses.ts'
import { Unreadable } from '../networks/quantities.ts'
import { createCell, type Store } from '../storage/store.ts'
import { report, rpcError } from '../text/errors.ts'
import type { SiteEvent } from './sites.ts'

/** Filter for `eth_getLogs`. */
export type LogFilter = { address?: unknown; topics?: unknown }
/** `logs` is null if the subscription is to new blocks. */
export type Topic = { logs: LogFilter | null }

type Head = { number: Hex; hash: string }
/** `page` receives the events. `connected` tells whether the site was connected when it subscribed. */
type Subscription = Topic & { id: Hex; origin: string; page: string; connected: boolean; chainId: number; head: Head }

export type Subscriptions = {
  /** Resolves with the subscription id. Throws -32005 if there is no room, 4901 if the node is unreachable. */
  add(origin: string, page: string, network: Network, topic: Topic): Promise<Hex>
  /** Removes a subscription. Resolves with false if the site does not have it. */
  remove(origin: string, id: string): Promise<boolean>
  /** Removes all subscriptions of a site. */
  end(origin: string): Promise<void>
  /** Returns the number of subscriptions by site. */
  counts(): Promise<ReadonlyMap<string, number>>
  /** Sends new events. Removes subscriptions of closed pages, and of networks that the site no longer uses. */
  poll(): Promise<void>
  ids(): Promise<readonly Hex[]>
}

export type SubscriptionsParts = {
  session: Store
  chain: Chain
  networks: Networks
  announce(event: SiteEvent): void
  isThere(page: string): Promise<boolean>
  /** Returns the site's accounts, its first one first. Undefined if it is not connected. */
  accountsOf(origin: string): Promise<readonly string[] | undefined>
  /** True if the site may still read from the network's node. */
  mayRead(origin: string, network: Network): Promise<boolean>
}

/** Maximum characters of a filter as JSON: enough for hundreds of addresses. */
export const MAX_FILTER = 16 << 10
export const MAX_SUBSCRIPTIONS_PER_SITE = 20
export const MAX_SUBSCRIPTIONS = 100
/** Maximum number for all unconnected sites together. The rest is reserved for connected sites. */
export const MAX_STRANGERS_SUBSCRIPTIONS = 40
/** Maximum number of blocks per poll. After a longer pause of the worker, older blocks are skipped. */
export const MAX_CATCH_UP = 32
const ID_BYTES = 16

/** Members of a block that are not part of its header. */
const BODY: ReadonlySet<string> = new Set(['transactions', 'uncles', 'withdrawals', 'size', 'totalDifficulty'])

/** Parses a block. Throws Unreadable if it has no number. */
const toNumbered = (result: unknown): Numbered => {
  const block = toBlock(result)
  if (block === null || block.number === null) throw new Unreadable(result)
  return { ...block, number: block.number }
}

/** A block with a number. */
type Numbered = Block & { number: bigint }

const headerOf = ({ stated }: Block) => Object.fromEntries(Object.entries(stated).filter(([name]) => !BODY.has(name)))

/** Identifies a block. If the node states no hash, its number is used instead. */
const toHead = ({ number, hash }: Numbered): Head => ({
  number: encodeQuantity(number),
  hash: hash ?? encodeQuantity(number),
})

/**
 * Returns the range of blocks to report next. After a reorganization to a lower height, the newest block is reported
 * again.
 */
const rangeOf = (told: Head, head: Head): { from: bigint; to: bigint } => {
  const to = decodeQuantity(head.number)
  const next = decodeQuantity(told.number) + 1n
  const oldest = to - BigInt(MAX_CATCH_UP) + 1n
  if (next > to) return { from: to, to }
  return { from: next < oldest ? oldest : next, to }
}

const assertRoom = (kept: readonly Subscription[], { origin, connected }: Subscription) => {
  if (kept.filter(other => other.origin === origin).length >= MAX_SUBSCRIPTIONS_PER_SITE)
    throw rpcError('limitExceeded', 'tooManySubscriptions', { limit: MAX_SUBSCRIPTIONS_PER_SITE })
  if (!connected && kept.filter(other => !other.connected).length >= MAX_STRANGERS_SUBSCRIPTIONS)
    throw rpcError('limitExceeded', 'tooManyStrangersSubscriptions', { limit: MAX_STRANGERS_SUBSCRIPTIONS })
  if (kept.length >= MAX_SUBSCRIPTIONS)
    throw rpcError('limitExceeded', 'tooManySubscriptionsOfAll', { limit: MAX_SUBSCRIPTIONS })
}

const reportUnforeseen = (error: unknown) => {
  if (!(error instanceof RpcError)) report(error)
}

export const createSubscriptions = (parts: SubscriptionsParts): Subscriptions => {
  const { session, chain, networks, announce, isThere, accountsOf, mayRead } = parts
  const cell = createCell<readonly Subscription[]>(session, 'subscriptions', [])

  const read = (network: Network, tag: string): Promise<Numbered> =>
    askAs(chain, network, blockQuestion(tag), toNumbered)

  const readNews = async (network: Network, { logs, head }: Subscription, latest: Numbered): Promise<unknown[]> => {
    const { from, to } = rangeOf(head, toHead(latest))
    if (logs !== null) {
      const range = { ...logs, fromBlock: encodeQuantity(from), toBlock: encodeQuantity(to) }
      return [...(await readListed(chain, network, range))]
    }
    const before = Array.from({ length: Number(to - from) }, (_, at) => encodeQuantity(from + BigInt(at)))
    const blocks = await Promise.all(before.map(number => read(network, number)))
    return [...blocks, latest].map(headerOf)
  }

  const tell = async (network: Network, subscription: Subscription, latest: Numbered) => {
    const head = toHead(latest)
    if (head.hash === subscription.head.hash) return
    const { id, page } = subscription
    for (const result of await readNews(network, subscription, latest))
      announce({ event: 'message', page, data: { type: 'eth_subscription', data: { subscription: id, result } } })
    await cell.update(kept => kept.map(other => (other.id === id ? { ...other, head } : other)))
  }

  /**
   * Removes subscriptions of closed pages, of networks that their site no longer uses, and of nodes from which the site
   * may no longer read. Returns the others.
   */
  const keepLive = async (): Promise<readonly Subscription[]> => {
    const kept = await cell.read()
    const isLive = async ({ origin, page, chainId }: Subscription) => {
      const network = await networks.of(origin)
      return network.chainId === chainId && (await mayRead(origin, network)) && (await isThere(page))
    }
    const live = await Promise.all(kept.map(isLive))
    const over = new Set(kept.filter((_, at) => !live[at]).map(({ id }) => id))
    return over.size === 0 ? kept : cell.update(now => now.filter(({ id }) => !over.has(id)))
  }

  /** Returns the network as it is used on behalf of the site's first account. */
  const networkOf = async (origin: string, network: Network): Promise<Network> => {
    const [first = null] = (await accountsOf(origin)) ?? []
    return onBehalfOf(network, first)
  }

  const pollNodes = async (network: Network, subscriptions: readonly Subscription[]) => {
    const latest = await read(network, 'latest')
    // A failed subscription is retried at the next poll.
    for (const subscription of subscriptions) await tell(network, subscription, latest).catch(reportUnforeseen)
  }

  return {
    add: async (origin, page, network, topic) => {
      const id = encodeData(randomBytes(ID_BYTES))
      const added = {
        ...topic,
        id,
        origin,
        page,
        connected: (await accountsOf(origin)) !== undefined,
        chainId: network.chainId,
        head: toHead(await read(await networkOf(origin, network), 'latest')),
      }
      await cell.update(kept => {
        assertRoom(kept, added)
        return [...kept, added]
      })
      return id
    },
    remove: async (origin, id) => {
      let found = false
      await cell.update(kept => {
        found = kept.some(other => other.id === id && other.origin === origin)
        return kept.filter(other => other.id !== id || other.origin !== origin)
      })
      return found
    },
    end: async origin => {
      await cell.update(kept => kept.filter(other => other.origin !== origin))
    },
    counts: async () => {
      const counts = new Map<string, number>()
      for (const { origin } of await cell.read()) counts.set(origin, (counts.get(origin) ?? 0) + 1)
      return counts
    },
    poll: async () => {
      const groups = new Map<string, { network: Network; subscriptions: Subscription[] }>()
      for (const subscription of await keepLive()) {
        const network = await networkOf(subscription.origin, await networks.get(subscription.chainId))
        const nodes = `${network.chainId} ${readersOf(network).join(' ')}`
        const group = groups.get(nodes)
        if (group) group.subscriptions.push(subscription)
        else groups.set(nodes, { network, subscriptions: [subscription] })
      }
      // An unreachable node is retried at the next poll.
      const pollGroup = ({ network, subscriptions }: { network: Network; subscriptions: readonly Subscription[] }) =>
        pollNodes(network, subscriptions).catch(reportUnforeseen)
      await Promise.all([...groups.values()].map(pollGroup))
    },
    ids: async () => (await cell.read()).map(({ id }) => id),
  }
}
