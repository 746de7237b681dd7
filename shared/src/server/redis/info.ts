/** Parses the replies of INFO and CLUSTER INFO: https://redis.io/docs/latest/commands/info/ */

export type Fields = ReadonlyMap<string, string>

/** A primary's connected replicas, and how far the slowest one lags behind. */
export type Replication = {
  replicas: number
  /** Bytes that the slowest replica has not confirmed. Undefined without replicas. */
  lagBytes: number | undefined
  /** The longest time in seconds for which any replica has sent no confirmation. */
  silentSeconds: number | undefined
}

/** `limitBytes` is undefined if the memory is not limited. */
export type Memory = { usedBytes: number; limitBytes: number | undefined }

/** Numbers of a cluster's slots in each state. `failing` slots are on nodes that do not answer. */
export type Slots = { assigned: number; ok: number; failing: number }

/** Parses the lines `name:value` of a reply. */
export const fieldsOf = (info: string): Fields =>
  new Map(
    info.split('\r\n').flatMap(line => {
      const at = line.indexOf(':')
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : []
    }),
  )

const numberIn = (fields: Fields, name: string): number | undefined => {
  const value = Number.parseInt(fields.get(name) ?? '', 10)
  return Number.isNaN(value) ? undefined : value
}

/** Returns the greatest value, or undefined if there are no values. */
export const highest = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : Math.max(...values)

const SLAVE = /^slave\d+$/

/**
 * Parses the state of a primary's replicas. Returns undefined if the reply does not have it. A replica that is still
 * copying the data does not count.
 */
export const replicationIn = (fields: Fields): Replication | undefined => {
  const written = numberIn(fields, 'master_repl_offset')
  if (written === undefined) return undefined
  const replicas = [...fields]
    .filter(([name]) => SLAVE.test(name))
    .map(([, line]) => new Map(line.split(',').map(part => part.split('=', 2) as [string, string])))
    .filter(replica => replica.get('state') === 'online')
  return {
    replicas: replicas.length,
    lagBytes: highest(replicas.map(replica => Math.max(written - (numberIn(replica, 'offset') ?? 0), 0))),
    silentSeconds: highest(replicas.flatMap(replica => numberIn(replica, 'lag') ?? [])),
  }
}

/** Parses the memory figures. Returns undefined if the reply does not have them. */
export const memoryIn = (fields: Fields): Memory | undefined => {
  const usedBytes = numberIn(fields, 'used_memory')
  if (usedBytes === undefined) return undefined
  return { usedBytes, limitBytes: numberIn(fields, 'maxmemory') || undefined }
}

/** Parses the numbers of slots. Returns undefined if the reply does not have them. */
export const slotsIn = (fields: Fields): Slots | undefined => {
  const [assigned, ok] = [numberIn(fields, 'cluster_slots_assigned'), numberIn(fields, 'cluster_slots_ok')]
  if (assigned === undefined || ok === undefined) return undefined
  const failing = (numberIn(fields, 'cluster_slots_pfail') ?? 0) + (numberIn(fields, 'cluster_slots_fail') ?? 0)
  return { assigned, ok, failing }
}
