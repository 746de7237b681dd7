/** Moves tables, webhook calls and the signing key, which both servers have. */
import type { Redis } from '../redis/redis.ts'
import type { Tables } from '../storage/store.ts'
import { allCalls, putCalls } from '../webhooks/redis-calls.ts'
import { EARLIER, type Earlier, REGISTRATIONS, type Stored } from '../webhooks/registrations.ts'
import { copySharedSigningKey, openSharedSigningKey, openSigningKey } from '../webhooks/signing-key.ts'
import { callTables } from '../webhooks/store.ts'
import { each } from './each.ts'
import type { Tally } from './tally.ts'

/**
 * A table with string keys to move. `expiresAt` returns Unix time in milliseconds,
 * `amount` the number of a row's items.
 */
export type MovedTable<V> = {
  name: string
  kind: string
  expiresAt: (row: V) => number
  amount: (row: V) => number
}

const registrations: MovedTable<Stored> = {
  name: REGISTRATIONS,
  kind: 'webhooks',
  expiresAt: ([expiresAt]) => expiresAt,
  amount: () => 1,
}

/** Registrations in an earlier format. The next server that starts converts them. */
const earlierRegistrations: MovedTable<Earlier> = {
  name: EARLIER,
  kind: 'webhooks',
  expiresAt: () => Number.POSITIVE_INFINITY,
  amount: webhooks => webhooks.length,
}

/** Copies the rows of a table that have not expired. A row that is already there stays as it is. */
export const copyTable = async <V>(from: Tables, to: Tables, moved: MovedTable<V>, tally: Tally): Promise<void> => {
  const source = from.table<V, string>(moved.name)
  const target = to.table<V, string>(moved.name)
  const now = Date.now()
  await each(source.entries(), async ([key, row]) => {
    if (moved.expiresAt(row) <= now) return tally.expired(moved.kind, moved.amount(row))
    tally.moved(moved.kind, moved.amount(row))
    if (target.get(key) === undefined) await target.put(key, row)
  })
}

/** Copies the registered webhooks. */
export const copyWebhooks = async (from: Tables, to: Tables, tally: Tally): Promise<void> => {
  await copyTable(from, to, registrations, tally)
  await copyTable(from, to, earlierRegistrations, tally)
}

/** Copies queued webhook calls to Redis. `id` is the transfer's id. */
export const importCalls = async (from: Tables, redis: Redis, prefix: string, id: string, tally: Tally) => {
  const { table, contents } = callTables(from)
  const rows = [...table.entries()].flatMap(([call, owed]): Parameters<typeof putCalls>[3][number][] => {
    const content = contents.get(call)
    return content ? [[`${id}-${call}`, { owed, content }]] : []
  })
  await putCalls(redis, prefix, id, rows)
  tally.moved('calls', rows.length)
}

/** Copies queued webhook calls to a data folder. */
export const exportCalls = async (redis: Redis, prefix: string, to: Tables, tally: Tally): Promise<void> => {
  const { table, contents } = callTables(to)
  const rows = await allCalls(redis, prefix)
  await each(rows.entries(), async ([index, { owed, content }]) => {
    await Promise.all([table.put(index + 1, owed), contents.put(index + 1, content)])
  })
  tally.moved('calls', rows.length)
}

/** Copies the signing key to Redis, unless Redis has one. */
export const importKey = async (folder: string, redis: Redis, prefix: string, tally: Tally): Promise<void> => {
  const own = openSigningKey(folder)
  const shared = await openSharedSigningKey(redis, prefix, folder)
  const isSame = own.publicKey === shared.publicKey
  tally.note(isSame ? '1 signing key' : 'the signing key was left out, because Redis has another one')
}

/** Copies the signing key to a data folder that has none. */
export const exportKey = async (redis: Redis, prefix: string, folder: string, tally: Tally): Promise<void> => {
  await copySharedSigningKey(redis, prefix, folder)
  tally.note('1 signing key')
}
