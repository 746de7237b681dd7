/**
 * Revisions of sealed records: a record's revision is the number of times that it was written. If a stored record's
 * revision is lower, another program has written back an older version; if the record is missing, it was deleted.
 *
 * The revisions are kept twice: sealed on disk, for the next browser start, and in the session, for the next worker. No
 * content script and no other program can write to the session. A record is written before its revision is noted. If
 * the worker stops in between, the record is newer than its noted revision, which is accepted.
 */
import type { Stores } from '../storage/store.ts'
import { report } from '../work/failures.ts'
import { type OpenedValue, openSealed, seal } from './sealing.ts'

/** Revision by record name. */
export type Revisions = Readonly<Record<string, number>>

/** Name of the revisions in both stores. */
export const REVISIONS = 'revisions'

/** Revision with which the revisions themselves are sealed. It is constant, because they are compared one by one. */
const OWN_REVISION = 1

const newest = (one: Revisions, other: Revisions): Revisions => ({
  ...one,
  ...Object.fromEntries(Object.entries(other).map(([name, revision]) => [name, Math.max(revision, one[name] ?? 0)])),
})

const isMissingIn = (revisions: Revisions, kept: Revisions | undefined): boolean =>
  kept === undefined || Object.entries(revisions).some(([name, revision]) => kept[name] !== revision)

/** Writes the revisions to both stores. `key` is the settings' key. */
export const writeRevisions = async ({ local, session }: Stores, key: string, revisions: Revisions): Promise<void> => {
  await local.set(REVISIONS, seal(key, REVISIONS, revisions, OWN_REVISION))
  await session.set(REVISIONS, revisions)
}

/**
 * Returns the newest known revisions, or undefined if there are none. Repairs an incomplete copy: the copy on disk if
 * it was changed or is unreadable, the session's copy after a browser start.
 */
export const readRevisions = async (stores: Stores, key: string): Promise<Revisions | undefined> => {
  const stored = await stores.local.get(REVISIONS).catch(report)
  const onDisk = openSealed(key, REVISIONS, stored)?.value as Revisions | undefined
  const inSession = (await stores.session.get(REVISIONS)) as Revisions | undefined
  if (!onDisk && !inSession) return undefined
  const revisions = newest(onDisk ?? {}, inSession ?? {})
  if (isMissingIn(revisions, onDisk)) await writeRevisions(stores, key, revisions).catch(report)
  else if (isMissingIn(revisions, inSession)) await stores.session.set(REVISIONS, revisions)
  return revisions
}

/** `refused`: another program has deleted or changed the record, or replaced it with an older version. */
export type Latest = OpenedValue | 'absent' | 'refused'

/**
 * Decrypts a stored record unless it is older than `noted`, its minimum revision, which is 0 if it was never written.
 */
export const openLatest = (key: string | undefined, name: string, stored: unknown, noted: number): Latest => {
  if (stored === undefined) return noted === 0 ? 'absent' : 'refused'
  const opened = key === undefined ? undefined : openSealed(key, name, stored)
  return opened && opened.revision >= noted ? opened : 'refused'
}
