/**
 * Archives whose bytes depend on their contents only: entries in the order of their names, one time, one owner, and a
 * compressor in JavaScript, since zlib differs between versions of Node.
 */
import { gzipSync, zipSync } from 'fflate'
import { createTar } from 'nanotar'

/** One published file, e.g. `heliograph-relay-0.1.0.tgz`. */
export type Artefact = { name: string; bytes: Uint8Array }

/** A published archive, and the paths in package-lock.json of the npm packages whose code or data is in it or that it needs. */
export type Package = { archive: Artefact; packages: readonly string[] }

/** Contents of an archive by path with `/`, e.g. `package/package.json`. */
export type Contents = ReadonlyMap<string, Uint8Array>

/** The earliest time that a ZIP archive can hold in every time zone, as local time. */
const ZIP_TIME = new Date(1980, 0, 2)

/** The longest path of a tar header without extensions, in bytes: POSIX ustar, `name`. */
const MAX_TAR_PATH = 100

const LEVEL = 9

const inOrder = (contents: Contents): [string, Uint8Array][] =>
  [...contents].toSorted(([one], [other]) => (one < other ? -1 : 1))

/** An entry of a tar archive: a file, or a folder if it has no data. */
export type TarEntry = { name: string; data?: Uint8Array; attrs: { mode: string; uid?: number; gid?: number } }

/** Two blocks of zeros: POSIX requires them after the last entry. */
const END = new Uint8Array(1024)

/** A tar archive of entries in this order, which belong to root by default. Throws RangeError on a path over 100 bytes. */
export const tar = (entries: readonly TarEntry[]): Uint8Array => {
  for (const { name } of entries)
    if (Buffer.byteLength(name) > MAX_TAR_PATH) throw new RangeError(`${name} is longer than ${MAX_TAR_PATH} bytes`)
  return Buffer.concat([createTar([...entries], { attrs: { mtime: 0, uid: 0, gid: 0 } }), END])
}

/**
 * A gzipped tar archive. Paths in `programs` are executable. Throws RangeError on a path over 100 bytes.
 */
export const tgz = (contents: Contents, programs: ReadonlySet<string> = new Set()): Uint8Array => {
  const files = inOrder(contents).map(([name, data]) => ({
    name,
    data,
    attrs: { mode: programs.has(name) ? '755' : '644' },
  }))
  return gzipSync(tar(files), { level: LEVEL, mtime: 0 })
}

/** A ZIP archive. */
export const zip = (contents: Contents): Uint8Array =>
  zipSync(Object.fromEntries(inOrder(contents)), { level: LEVEL, mtime: ZIP_TIME })
