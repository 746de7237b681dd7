/**
 * A note in Redis about a transfer to or from a data folder. While Redis has such a note, no server starts on it,
 * because Redis has only a part of the contents, or they were moved away.
 */
import type { Redis } from './redis.ts'

export type Direction = 'import' | 'export'

/** `id` identifies the transfer across attempts, `folder` is a path for the operator. */
export type TransferNote = { direction: Direction; id: string; folder: string; isDone: boolean }

const keyOf = (prefix: string): string => `${prefix}:{nodes}:transfer`

const noteIn = (reply: unknown): TransferNote | undefined => (typeof reply === 'string' ? JSON.parse(reply) : undefined)

/** Returns an error text for the operator, which says how to continue. */
const describe = (prefix: string, { direction, folder, isDone }: TransferNote): string => {
  if (direction === 'import')
    return `Redis has only a part of the data folder ${folder}: run its --import again, or delete all keys that start with ${prefix}: to abandon the import`
  if (isDone)
    return `the contents of Redis were moved to the data folder ${folder}: delete all keys that start with ${prefix}: before Redis is used again`
  return `the export from Redis to ${folder} is not complete: run it again, or delete the key ${keyOf(prefix)} to keep using Redis`
}

/** Throws an error for the operator if Redis has a note about a transfer other than `id`. */
export const refuseTransfer = async (redis: Redis, prefix: string, id?: string): Promise<void> => {
  const note = noteIn(await redis.send(keyOf(prefix), ['GET', keyOf(prefix)]))
  if (note && note.id !== id) throw new Error(describe(prefix, note))
}

/**
 * Writes the note, or replaces the note of the same transfer. Resolves with true if there was no note. Throws like
 * `refuseTransfer`.
 */
export const noteTransfer = async (redis: Redis, prefix: string, note: TransferNote): Promise<boolean> => {
  const key = keyOf(prefix)
  const isFirst = (await redis.send(key, ['SET', key, JSON.stringify(note), 'NX'])) !== null
  await refuseTransfer(redis, prefix, note.id)
  if (!isFirst) await redis.send(key, ['SET', key, JSON.stringify(note)])
  return isFirst
}

/** Removes the note of the transfer `id`, if there is one. */
export const removeNote = async (redis: Redis, prefix: string, id: string): Promise<void> => {
  const key = keyOf(prefix)
  if (noteIn(await redis.send(key, ['GET', key]))?.id === id) await redis.send(key, ['DEL', key])
}
