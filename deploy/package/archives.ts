/**
 * Makes archives whose bytes depend only on their contents: entries sorted by name, a fixed time and owner, and a
 * compressor in JavaScript, because zlib differs between versions of Node.
 */
import { gzipSync, zipSync } from 'fflate'
import { createTar } from 'nanotar'

/** One published file, e.g. `heliograph-relay-0.1.0.tgz`. */
export type Artefact = { name: string; bytes: Uint8Array }

/** A published archive, and the paths in package-lock.json of the npm packages that it contains or needs. */
export type Package = { archive: Artefact; packages: readonly string[] }

/** Contents of an archive by path with `/`, e.g. `package/package.json`. */
export type Contents = ReadonlyMap<string, Uint8Array>

/**
 * Time of all entries of a ZIP archive, as local time: the earliest time that a ZIP archive can hold in every time
 * zone.
 */
const ZIP_TIME = new Date(1980, 0, 2)

/** Maximum bytes of a path in a tar header without extensions (`name` of POSIX ustar). */
const MAX_TAR_PATH = 100

/** Level of compression for the stores. Higher levels save almost nothing. */
const ZIP_LEVEL = 7

/** Level of compression for npm. Level 7 takes 1.7 times as long and saves 0.6 % of the servers' packages. */
const TGZ_LEVEL = 4

const inOrder = (contents: Contents): [string, Uint8Array][] =>
  [...contents].toSorted(([one], [other]) => (one < other ? -1 : 1))

/** An entry of a tar archive: a file, or a folder if it has no data. */
export type TarEntry = { name: string; data?: Uint8Array; attrs: { mode: string; uid?: number; gid?: number } }

/** Two blocks of zeros: POSIX requires them after the last entry. */
const END = new Uint8Array(1024)

/**
 * Makes a tar archive of the entries in this order. They belong to root by default. Throws RangeError on a path over
 * 100 bytes.
 */
export const tar = (entries: readonly TarEntry[]): Uint8Array => {
  for (const { name } of entries)
    if (Buffer.byteLength(name) > MAX_TAR_PATH) throw new RangeError(`${name} is longer than ${MAX_TAR_PATH} bytes`)
  return Buffer.concat([createTar([...entries], { attrs: { mtime: 0, uid: 0, gid: 0 } }), END])
}

/** Makes a gzipped tar archive. Paths in `programs` are executable. Throws RangeError on a path over 100 bytes. */
export const tgz = (contents: Contents, programs: ReadonlySet<string> = new Set()): Uint8Array => {
  const files = inOrder(contents).map(([name, data]) => ({
    name,
    data,
    attrs: { mode: programs.has(name) ? '755' : '644' },
  }))
  return gzipSync(tar(files), { level: TGZ_LEVEL, mtime: 0 })
}

/** Makes a ZIP archive. */
export const zip = (contents: Contents): Uint8Array =>
  zipSync(Object.fromEntries(inOrder(contents)), { level: ZIP_LEVEL, mtime: ZIP_TIME })
