/**
 * Moves the contents of a data folder to Redis and back. An interrupted transfer is repeated: an import adds what Redis
 * does not have yet, and an export starts again. Until it is complete, no server starts on either side.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, Rows } from '../process/config.ts'
import { createLog, type Logger, type LogLevel } from '../process/log.ts'
import { countLive } from '../redis/nodes.ts'
import type { Redis } from '../redis/redis.ts'
import { type Direction, noteTransfer, removeNote } from '../redis/transfer-note.ts'
import { checkFolder, type NumberOf } from '../storage/check.ts'
import { openReplicatedTables } from '../storage/replicated-tables.ts'
import { openStore, type Store, type Tables } from '../storage/store.ts'
import { beginMark, type FolderMark, readMark, removeMark, writeMark } from './folder-mark.ts'
import { copyWebhooks, exportCalls, exportKey, importCalls, importKey } from './rows.ts'
import { createTally, type Tally } from './tally.ts'

/** Both sides of a transfer. `shared` has the tables in Redis. */
export type Ends<C> = { store: Store; redis: Redis; shared: Tables; config: C; tally: Tally; log: Logger }

/** The transfer of one kind of server. It also moves the data that only this kind has. */
export type Transfer<R extends Rows> = {
  /** Prefix of the environment variables: RELAY. */
  prefix: string
  /** Prefix of the keys in Redis, and name in the log: relay. */
  name: string
  rows: R
  /** Kinds in the order of the result. */
  kinds: readonly string[]
  numberOf?: NumberOf
  /** True if the folder belongs to another kind of server. */
  isForeign: (store: Store, files: readonly string[]) => boolean
  importOwn: (ends: Ends<Config<R>>) => Promise<void>
  exportOwn: (ends: Ends<Config<R>>) => Promise<void>
}

export type Work<R extends Rows> = {
  folder: string
  redis: Redis
  transfer: Transfer<R>
  config: Config<R>
  logLevel: LogLevel
}

/** A damaged folder, which has its own exit code. */
export class Damaged extends Error {}

/** Lock files, which an export's target folder may contain. */
const IN_USE = /^in-use-/

const filesIn = (folder: string): string[] => readdirSync(folder).filter(name => !IN_USE.test(name))

/** Opens both sides, runs the steps and closes both sides. Throws if a write to the folder has failed. */
const withEnds = async <R extends Rows>(work: Work<R>, run: (ends: Ends<Config<R>>) => Promise<void>) => {
  const { folder, redis, transfer, config, logLevel } = work
  const log = createLog(transfer.name, logLevel)
  const tally = createTally(transfer.kinds)
  const shared = await openReplicatedTables({ redis, prefix: transfer.name, log })
  const store = openStore(folder)
  try {
    await run({ store, redis, shared, config, tally, log })
  } finally {
    shared.close()
    await store.close()
  }
  const failure = store.failure()
  if (failure !== undefined) throw new Error(`the data folder ${folder} cannot be written: ${failure}`)
  return tally.lines()
}

/** Marks both sides as in transfer, so that no server starts on either. Throws if a server is running on Redis. */
const begin = async <R extends Rows>(
  { folder, redis, transfer }: Work<R>,
  direction: Direction,
): Promise<FolderMark> => {
  const { name } = transfer
  const before = readMark(folder)
  const mark = beginMark(folder, direction)
  const { id } = mark
  let isFirst = false
  try {
    isFirst = await noteTransfer(redis, name, { direction, id, folder, isDone: false })
    const live = await countLive(redis, name, Date.now())
    if (live > 0)
      throw new Error(
        `servers are running on this Redis (${live}): stop them first. A killed server counts as running for 20 s`,
      )
    return mark
  } catch (thrown) {
    if (isFirst) await removeNote(redis, name, id)
    if (!before) removeMark(folder)
    throw thrown
  }
}

/** Throws if the folder has neither a store nor a key, or if it is damaged. */
const refuseSource = (folder: string, numberOf: NumberOf | undefined): void => {
  if (!filesIn(folder).some(name => name.endsWith('.log') || name.endsWith('.pem')))
    throw new Error(`${folder} is not the data folder of a server: it has neither a store nor a key`)
  const { damages } = checkFolder(folder, numberOf)
  if (damages.length > 0)
    throw new Damaged(`${folder} has ${damages.length} damaged places: --check lists them, and --repair removes them`)
}

/** Removes the files of an interrupted export. Throws if the folder has any other files. */
const clearTarget = (folder: string, mark: FolderMark | undefined): void => {
  if (mark?.direction !== 'export' && filesIn(folder).length > 0)
    throw new Error(`${folder} is not empty: an export needs a new or empty folder`)
  for (const name of filesIn(folder)) if (/\.(log|pem)$/.test(name)) rmSync(join(folder, name))
}

/** Moves a data folder to Redis. The folder keeps its contents. Resolves with the result for the operator. */
export const importFolder = async <R extends Rows>(work: Work<R>): Promise<readonly string[]> => {
  const { folder, redis, transfer } = work
  const { name, numberOf, isForeign, importOwn } = transfer
  const before = readMark(folder)
  if (before?.direction === 'export' && !before.isDone)
    throw new Error(`${folder} has only a part of an export from Redis: run the export again first`)
  if (before?.direction === 'import' && before.isDone) {
    await removeNote(redis, name, before.id)
    return ['this folder was already moved to Redis:', ...before.lines]
  }
  refuseSource(folder, numberOf)
  let mark = before
  const lines = await withEnds(work, async ends => {
    const { store, shared, tally } = ends
    if (isForeign(store, filesIn(folder))) throw new Error(`${folder} is not the data folder of a ${name}`)
    mark = await begin(work, 'import')
    await importOwn(ends)
    await copyWebhooks(store, shared, tally)
    await importCalls(store, redis, name, mark.id, tally)
    await importKey(folder, redis, name, tally)
  })
  if (!mark) return lines
  // Servers may run on Redis as soon as the note is removed, so the folder is marked as done first.
  writeMark(folder, { ...mark, isDone: true, lines })
  await removeNote(redis, name, mark.id)
  return lines
}

/** Moves the contents of Redis to an empty data folder. Redis keeps them. Resolves with the result for the operator. */
export const exportFolder = async <R extends Rows>(work: Work<R>): Promise<readonly string[]> => {
  const { folder, redis, transfer } = work
  const { name, exportOwn } = transfer
  const before = readMark(folder)
  if (before?.direction === 'export' && before.isDone)
    return ['Redis was already moved to this folder:', ...before.lines]
  clearTarget(folder, before)
  const mark = await begin(work, 'export')
  const lines = await withEnds(work, async ends => {
    const { store, shared, tally } = ends
    await exportOwn(ends)
    await copyWebhooks(shared, store, tally)
    await exportCalls(redis, name, store, tally)
    await exportKey(redis, name, folder, tally)
  })
  await noteTransfer(redis, name, { direction: 'export', id: mark.id, folder, isDone: true })
  writeMark(folder, { ...mark, isDone: true, lines })
  return lines
}
