/** Compares a published file with the file that was made from this source. */
import { gunzipSync, unzipSync } from 'fflate'
import { parseTar } from 'nanotar'
import type { Artefact, Contents } from './archives.ts'

const filesInTar = (bytes: Uint8Array): [path: string, data: Uint8Array][] =>
  parseTar(bytes).map(({ name, data }) => [name, data ?? new Uint8Array()])

const GZIP = [0x1f, 0x8b]

const isGzip = (bytes: Uint8Array): boolean => GZIP.every((byte, index) => bytes[index] === byte)

/**
 * Returns the contents of an archive, or of an image's layers, by path. Returns none for any other file. Throws Error
 * if the archive is damaged.
 */
const entriesOf = ({ name, bytes }: Artefact): Contents => {
  if (name.endsWith('.zip')) return new Map(Object.entries(unzipSync(bytes)))
  if (name.endsWith('.tgz')) return new Map(filesInTar(gunzipSync(bytes)))
  if (!name.endsWith('.oci.tar')) return new Map()
  // The bytes are copied, because the parser reads an array's underlying buffer from the start.
  const files = filesInTar(new Uint8Array(bytes))
  return new Map(files.flatMap(([path, data]) => (isGzip(data) ? filesInTar(gunzipSync(data)) : [[path, data]])))
}

const same = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one !== undefined && other !== undefined && Buffer.compare(one, other) === 0

/**
 * Returns the differences between a published file and the file made here, one per line, or nothing if their bytes are
 * equal. Names the files in an archive that differ. If no file differs, says that only the packing differs.
 */
export const differences = (published: Artefact, made: Artefact): string[] => {
  if (same(published.bytes, made.bytes)) return []
  try {
    const [theirs, ours] = [entriesOf(published), entriesOf(made)]
    const paths = [...new Set([...theirs.keys(), ...ours.keys()])].toSorted()
    const lines = paths.flatMap(path => difference(path, theirs.get(path), ours.get(path)))
    return lines.length > 0 ? lines : ['its contents match this source, but its bytes differ']
  } catch {
    return ['it is damaged and cannot be unpacked']
  }
}

const difference = (path: string, theirs: Uint8Array | undefined, ours: Uint8Array | undefined): string[] => {
  if (ours === undefined) return [`${path} is not in this source`]
  if (theirs === undefined) return [`${path} is missing`]
  return same(theirs, ours) ? [] : [`${path} differs`]
}
