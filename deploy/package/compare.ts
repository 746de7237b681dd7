/** Compares a published file with the one that was made from this source. */
import { gunzipSync, unzipSync } from 'fflate'
import { parseTar } from 'nanotar'
import type { Artefact, Contents } from './archives.ts'

/** Files of an archive by path, as text of mode and bytes. Throws Error if it is damaged. Other files have no entries. */
const entriesOf = ({ name, bytes }: Artefact): Contents => {
  if (name.endsWith('.zip')) return new Map(Object.entries(unzipSync(bytes)))
  if (!name.endsWith('.tgz')) return new Map()
  return new Map(parseTar(gunzipSync(bytes)).map(({ name, data }) => [name, data ?? new Uint8Array()]))
}

const same = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one !== undefined && other !== undefined && Buffer.compare(one, other) === 0

/**
 * Differences of a published file from the one made here, a line each; none if their bytes are equal. Names the files in
 * an archive that differ, and says so if only the packing does.
 */
export const differences = (published: Artefact, made: Artefact): string[] => {
  if (same(published.bytes, made.bytes)) return []
  try {
    const [theirs, ours] = [entriesOf(published), entriesOf(made)]
    const paths = [...new Set([...theirs.keys(), ...ours.keys()])].toSorted()
    const lines = paths.flatMap(path => difference(path, theirs.get(path), ours.get(path)))
    return lines.length > 0 ? lines : ['its contents are those of this source, but not its bytes']
  } catch {
    return ['it is damaged: it cannot be unpacked']
  }
}

const difference = (path: string, theirs: Uint8Array | undefined, ours: Uint8Array | undefined): string[] => {
  if (ours === undefined) return [`${path} is not in this source`]
  if (theirs === undefined) return [`${path} is missing`]
  return same(theirs, ours) ? [] : [`${path} differs`]
}
