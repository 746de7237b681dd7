/** Downloads pinned Debian packages with apt and extracts files from them. Installs nothing. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseTar } from 'nanotar'
import type { Contents } from '../package/archives.ts'
import { sha256 } from '../package/artefacts.ts'
import { cached } from './cache.ts'
import type { Pinned } from './distribution.ts'
import type { Platform } from './platform.ts'

const run = promisify(execFile)

/** Maximum bytes of an unpacked package. */
const MAX_UNPACKED = 64 * 1024 * 1024

/** A package to download, and the source file in which it is pinned. */
type Wanted = { title: string; table: string }

const download = async ({ title, table }: Wanted, architecture: string, folder: string): Promise<void> => {
  try {
    // APT::Sandbox::User=root keeps apt from switching to its own user, which could not write to this user's folder.
    await run('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', title], { cwd: folder })
  } catch (thrown) {
    const { stderr = `${thrown}` } = thrown as { stderr?: string }
    throw new Error(
      `${title} for ${architecture} cannot be downloaded. If this system uses the packages of Debian 12, run apt-get update. If there is a newer version, change the version and both hashes in ${table}. apt-get said: ${stderr.trim()}`,
    )
  }
}

/** Throws unless the archive has the hash of the table. */
export const requireSha256 = ({ title, table }: Wanted, archive: Uint8Array, expected: string): void => {
  const actual = sha256(archive)
  if (actual !== expected) throw new Error(`${title} has the SHA-256 ${actual}, but ${table} expects ${expected}`)
}

/** Returns the name that apt gives to a package's archive. */
const fileNameOf = ({ name, version }: Pinned, architecture: string): string =>
  `${name}_${version.replace(':', '%3a')}_${architecture}.deb`

/**
 * Returns the wanted files of a package by their paths in the image. `table` is the source file in which it is pinned.
 */
export const filesOf = async (
  pinned: Pinned,
  platform: Platform,
  table = 'deploy/image/distribution.ts',
): Promise<Contents> => {
  const { architecture } = platform
  const title = `${pinned.name}=${pinned.version}`
  const file = fileNameOf(pinned, architecture)
  const path = await cached(file, async folder => {
    await download({ title, table }, architecture, folder)
    return join(folder, file)
  })
  requireSha256({ title: path, table }, readFileSync(path), pinned.sha256[architecture])
  const { stdout } = await run('dpkg-deb', ['--fsys-tarfile', path], { encoding: 'buffer', maxBuffer: MAX_UNPACKED })
  // The bytes are copied, because the parser reads an array's underlying buffer from the start.
  const unpacked = new Map(parseTar(new Uint8Array(stdout)).map(entry => [entry.name.replace(/^\.\//, ''), entry]))
  return new Map(
    Object.entries(pinned.files(platform)).map(([target, source]) => {
      const data = unpacked.get(source)?.data
      if (!data) throw new Error(`${title} has no file ${source}`)
      return [target, data]
    }),
  )
}
