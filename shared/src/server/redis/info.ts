/** Figures in the replies of INFO and CLUSTER INFO: https://redis.io/docs/latest/commands/info/ */

export type Fields = ReadonlyMap<string, string>

/** A primary's replicas that follow its changes, and how far the slowest is behind. */
export type Replication = {
  replicas: number
  /** Bytes that the slowest replica has not confirmed. Undefined without replicas. */
  lagBytes: number | undefined
  /** Seconds since the last confirmation of the replica that has been silent for longest. */
  silentSeconds: number | undefined
}

/** `limitBytes` is undefined if the memory is not limited. */
export type Memory = { usedBytes: number; limitBytes: number | undefined }

/** Slots of a cluster. The `failing` ones are on nodes that do not answer. */
export type Slots = { assigned: number; ok: number; failing: number }

/** The lines `name:value` of a reply. */
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

/** The greatest of the values, undefined if there is none. */
export const highest = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : Math.max(...values)

const SLAVE = /^slave\d+$/

/** Undefined if the reply does not say. A replica that still copies the data does not count. */
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

/** Undefined if the reply does not say. */
export const memoryIn = (fields: Fields): Memory | undefined => {
  const usedBytes = numberIn(fields, 'used_memory')
  if (usedBytes === undefined) return undefined
  return { usedBytes, limitBytes: numberIn(fields, 'maxmemory') || undefined }
}

/** Undefined if the reply does not say. */
export const slotsIn = (fields: Fields): Slots | undefined => {
  const [assigned, ok] = [numberIn(fields, 'cluster_slots_assigned'), numberIn(fields, 'cluster_slots_ok')]
  if (assigned === undefined || ok === undefined) return undefined
  const failing = (numberIn(fields, 'cluster_slots_pfail') ?? 0) + (numberIn(fields, 'cluster_slots_fail') ?? 0)
  return { assigned, ok, failing }
}
