/**
 * The revision of each sealed record: the number of times that it was written. A stored record with a lower revision is an
 * older one that another program has written back, and a missing one was deleted.
 *
 * The revisions are kept twice: sealed on disk, for the next start of the browser, and in the session, which no content
 * script and no other program can write, for the next worker. A record is written before its revision is noted. If the
 * worker stops in between, the record is newer than noted, which is accepted.
 */
import type { Stores } from '../storage/store.ts'
import { report } from '../work/failures.ts'
import { type OpenedValue, openSealed, seal } from './sealing.ts'

/** By the name of the record. */
export type Revisions = Readonly<Record<string, number>>

/** Their name in both stores. */
export const REVISIONS = 'revisions'

/** Of the sealed revisions themselves. They are compared one by one. */
const OWN_REVISION = 1

const newest = (one: Revisions, other: Revisions): Revisions => ({
  ...one,
  ...Object.fromEntries(Object.entries(other).map(([name, revision]) => [name, Math.max(revision, one[name] ?? 0)])),
})

const isMissingIn = (revisions: Revisions, kept: Revisions | undefined): boolean =>
  kept === undefined || Object.entries(revisions).some(([name, revision]) => kept[name] !== revision)

/** Writes the revisions to both stores. `key` is that of the settings. */
export const writeRevisions = async ({ local, session }: Stores, key: string, revisions: Revisions): Promise<void> => {
  await local.set(REVISIONS, seal(key, REVISIONS, revisions, OWN_REVISION))
  await session.set(REVISIONS, revisions)
}

/**
 * Reads the newest revisions that are known, and restores a copy that lacks some of them: of the disk if it was changed
 * there or cannot be read, of the session after the start of the browser. Returns undefined if there are none.
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

/** `refused`: another program has deleted it, changed it, or replaced it by an older one. */
export type Latest = OpenedValue | 'absent' | 'refused'

/** Decrypts a stored record, if it is not older than `noted`: the revision that it has at least, 0 if it was never written. */
export const openLatest = (key: string | undefined, name: string, stored: unknown, noted: number): Latest => {
  if (stored === undefined) return noted === 0 ? 'absent' : 'refused'
  const opened = key === undefined ? undefined : openSealed(key, name, stored)
  return opened && opened.revision >= noted ? opened : 'refused'
}
