/** Compares a folder at two times. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Everything below a folder, by relative path. Folders are compared only by owner and mode. */
export type Snapshot = ReadonlyMap<string, string>

export const snapshotOf = (folder: string): Snapshot =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(path => {
      const stats = lstatSync(join(folder, path))
      const { mode, uid, gid, size, mtimeMs } = stats
      return [path, [mode, uid, gid, ...(stats.isDirectory() ? [] : [size, mtimeMs])].join(' ')]
    }),
  )

/** Returns the paths that were added, removed or changed. */
export const changesOf = (before: Snapshot, after: Snapshot): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(path => before.get(path) !== after.get(path)).toSorted()
