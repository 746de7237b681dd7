/** Keeps registered watches in memory and in the store. */
import { NOBODY, type Payers, type Shares, usedUpShare } from '@heliograph/shared/server/limits/shares'
import type { Logger } from '@heliograph/shared/server/process/log'
import type { Tables } from '@heliograph/shared/server/storage/store'
import type { DidKey } from '@heliograph/shared/wire/did-key'
import type { WatchStatus, WatchType } from '@heliograph/shared/wire/watch'
import type { Client } from '../mailbox/mailbox.ts'
import { relayError } from '../reasons.ts'

/** A watch. `id` is unique per client. `expiresAt` is Unix time in milliseconds. Other members are as in the claims. */
export type Watch = {
  client: DidKey
  id: string
  typ: WatchType
  sub: string
  whu: string
  tag: readonly number[]
  sts: readonly WatchStatus[]
  expiresAt: number
}

/** Name of the table. */
export const WATCHES = 'watches'

/** Limits, each a configuration row: watches per client, and overall. */
export type WatchLimits = { clientWatches: number; watches: number }

export type WatchRegistry = {
  /**
   * Adds a watch, or replaces the client's watch with that id, and charges it to `payers`. Resolves when it is durable.
   * Throws RpcError -32005 if a limit is reached.
   */
  add: (watch: Watch, payers?: Payers) => Promise<void>
  /** Removes a watch if it exists. Resolves when the removal is durable. */
  remove: (client: DidKey, id: string) => Promise<void>
  /** True if this client is watched or, without a client, if any client is watched. */
  has: (client?: Client) => boolean
  /** Returns the watches of a client that match an event. */
  matching: (client: Client, typ: WatchType, status: WatchStatus, tag: number) => readonly Watch[]
  size: () => number
  /** Calls back after another server has removed a watch that had not expired. */
  onRemoved: (listener: (watch: Watch) => void) => void
}

export type WatchRegistryOptions = {
  tables: Tables
  log: Logger
  limits: WatchLimits
  shares: Shares
  /** Returns Unix time in milliseconds. */
  now?: () => number
}

const keyOf = (client: Client, id: string): string => `${client} ${id}`

export const openWatchRegistry = ({
  tables,
  log,
  limits,
  shares,
  now = Date.now,
}: WatchRegistryOptions): WatchRegistry => {
  const table = tables.table<Watch, string>(WATCHES)
  const byClient = new Map<Client, Map<string, Watch>>()
  const payersOf = new Map<string, Payers>()
  let size = 0
  let tellRemoved = (_: Watch): void => undefined

  const put = (watch: Watch, payers: Payers): void => {
    const watches = byClient.get(watch.client) ?? new Map<string, Watch>()
    if (!watches.has(watch.id)) {
      size += 1
      payersOf.set(keyOf(watch.client, watch.id), payers)
      shares.take(payers, 'watches', 1)
    }
    byClient.set(watch.client, watches.set(watch.id, watch))
  }

  const drop = (client: Client, id: string): void => {
    const watches = byClient.get(client)
    if (!watches?.delete(id)) return
    size -= 1
    shares.give(payersOf.get(keyOf(client, id)) ?? NOBODY, 'watches', 1)
    payersOf.delete(keyOf(client, id))
    if (watches.size === 0) byClient.delete(client)
  }

  const remove = (client: Client, id: string): Promise<void> => {
    drop(client, id)
    return table.remove(keyOf(client, id))
  }

  const isOver = ({ expiresAt }: Watch): boolean => expiresAt <= now()

  const prune = (watches: Iterable<Watch>): void => {
    for (const watch of [...watches].filter(isOver))
      remove(watch.client, watch.id).catch(err => log.error({ err }, 'removing an expired watch failed'))
  }

  const all = (): Watch[] => [...byClient.values()].flatMap(watches => [...watches.values()])

  const refuseMore = ({ client, id }: Watch, payers: Payers): void => {
    if (byClient.get(client)?.has(id)) return
    prune(byClient.get(client)?.values() ?? [])
    if ((byClient.get(client)?.size ?? 0) >= limits.clientWatches)
      throw relayError('limitExceeded', 'clientWatches', { limit: limits.clientWatches, setting: 'client-watches' })
    if (size >= limits.watches || shares.exhausted(payers, 'watches', 1)) prune(all())
    const spent = shares.exhausted(payers, 'watches', 1)
    if (spent) throw relayError('limitExceeded', 'shareUsedUp', usedUpShare(spent, 'watches', shares.limits))
    if (size >= limits.watches)
      throw relayError('limitExceeded', 'watches', { limit: limits.watches, setting: 'watches' })
  }

  const putStored = (watch: Watch): void => put(watch, shares.accountOf('client', watch.client).alone)

  for (const [, watch] of table.entries()) putStored(watch)
  table.onChange((key, watch) => {
    if (watch) return putStored(watch)
    const [client = '', id = ''] = key.split(' ')
    const removed = byClient.get(client as Client)?.get(id)
    if (!removed) return
    drop(removed.client, id)
    if (!isOver(removed)) tellRemoved(removed)
  })
  prune(all())

  return {
    add: (watch, payers = NOBODY) => {
      refuseMore(watch, payers)
      put(watch, payers)
      return table.put(keyOf(watch.client, watch.id), watch)
    },
    remove,
    has: client => size > 0 && (client === undefined || byClient.has(client)),
    matching: (client, typ, status, tag) =>
      [...(byClient.get(client)?.values() ?? [])].filter(
        watch => watch.typ === typ && watch.sts.includes(status) && watch.tag.includes(tag) && !isOver(watch),
      ),
    size: () => size,
    onRemoved: listener => {
      tellRemoved = listener
    },
  }
}
