/** Downloads npm packages at exact versions and reads their files. Never runs a package's code. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A package at an exact version, with its archive's SHA-512 in the format that lock files use. */
export interface PackageVersion {
  readonly name: string
  readonly version: string
  readonly integrity: string
}

/** Access to an unpacked package. Paths are relative to its root. */
export interface PackageFiles {
  readonly text: (path: string) => Promise<string>
  readonly json: (path: string) => Promise<unknown>
  /** Lists a folder's entries, sorted by name. */
  readonly list: (folder: string) => Promise<readonly string[]>
}

const run = promisify(execFile)

/** Throws if the archive's hash differs from the expected integrity. */
export const verifyIntegrity = (archive: Uint8Array, { name, version, integrity }: PackageVersion): void => {
  const actual = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  if (actual !== integrity) throw new Error(`${name}@${version} has integrity ${actual}, not ${integrity}`)
}

const filesIn = (folder: string): PackageFiles => {
  const text = (path: string) => readFile(join(folder, path), 'utf8')
  return {
    text,
    json: async path => JSON.parse(await text(path)),
    list: async path => (await readdir(join(folder, path))).toSorted(),
  }
}

const unpack = async (package_: PackageVersion, folder: string): Promise<PackageFiles> => {
  await run('npm', ['pack', '--ignore-scripts', '--silent', `${package_.name}@${package_.version}`], { cwd: folder })
  const [archive] = await readdir(folder)
  if (archive === undefined) throw new Error(`npm pack produced no archive of ${package_.name}`)
  const path = join(folder, archive)
  verifyIntegrity(await readFile(path), package_)
  const unpacked = join(folder, 'unpacked')
  await mkdir(unpacked)
  await run('tar', ['-xzf', path, '-C', unpacked, '--strip-components=1'])
  return filesIn(unpacked)
}

/** Downloads the package, passes it to `read`, and deletes it. */
export const withPackage = async <T>(
  package_: PackageVersion,
  read: (files: PackageFiles) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-contracts-'))
  try {
    return await read(await unpack(package_, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
