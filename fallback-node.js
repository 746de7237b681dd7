/**
 * Installs the fallback: a version of Node that can run the servers if the running version cannot load their native
 * code. setup.js and the packages' launcher use it before anything else is loaded, so it imports no packages.
 */
import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

/** Version of the fallback Node, which is downloaded from npm. */
export const FALLBACK_NODE = '22.23.3'

/** Hash of its npm package's archive by platform, in the form of Subresource Integrity. */
const FALLBACK_HASHES = {
  'linux-x64': 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  'linux-arm64': 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
  'darwin-x64': 'sha512-V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==',
}

/**
 * An npm package with its archive's hash in the form of Subresource Integrity: `sha512-<base64>`.
 * @typedef {{ name: string, version: string, hash: string }} PinnedPackage
 */

const PLATFORM = `${process.platform}-${process.arch}`
const PACKAGE = `node-${PLATFORM}`
const FALLBACK_HASH = Object.entries(FALLBACK_HASHES).find(([known]) => known === PLATFORM)?.[1]

/**
 * The fallback's npm package for this platform, or undefined if there is none.
 * @type {PinnedPackage | undefined}
 */
export const FALLBACK_PACKAGE =
  FALLBACK_HASH === undefined ? undefined : { name: PACKAGE, version: FALLBACK_NODE, hash: FALLBACK_HASH }

const READABLE = 0o755

/** File name of the native code that the running version of Node loads. */
export const NATIVE_CODE = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`

/** Advice for the user if the fallback Node cannot be installed. */
export const USE_ANOTHER = 'use Node 20 (20.19 or newer) or Node 22, or set CacheDirectory= in the systemd unit'

/** A failure that the operator can fix. The message is one line. */
export class SetupError extends Error {}

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Throws SetupError if the running version of Node is older than 20.19.
 * @param {string} program name of the program that needs Node
 */
export function requireNode(program) {
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new SetupError(`${program} needs Node 20.19 or newer; this is Node ${process.versions.node}.`)
}

/**
 * Throws SetupError unless the file has the hash.
 * @param {string} file
 * @param {string} hash in the form of Subresource Integrity: `sha512-<base64>`
 */
export function requireHash(file, hash) {
  const actual = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (actual !== hash) throw new SetupError(`${file} has the hash ${actual} instead of ${hash}.`)
}

/**
 * Returns the command that runs npm, and its first arguments: the npm that started this process, else npm in PATH.
 * @returns {[string, ...string[]]}
 */
export function npmCommand() {
  const quiet = ['--loglevel=error', '--engine-strict=false', '--update-notifier=false']
  const started = process.env.npm_execpath
  return started?.endsWith('npm-cli.js') ? [process.execPath, started, ...quiet] : ['npm', ...quiet]
}

/** Returns the path of the fallback Node in the folder in which it was installed. @param {string} folder */
export const fallbackNodeIn = folder => join(folder, 'node_modules', PACKAGE, 'bin/node')

/**
 * Downloads a package into a folder, and checks its hash. Throws SetupError if the archive has another hash.
 * @param {string} folder
 * @param {PinnedPackage} pinned
 * @param {(...args: string[]) => Promise<boolean>} npm runs npm; resolves with true if it exited with code 0
 * @returns {Promise<string | undefined>} path of the archive; undefined if npm failed
 */
export async function downloadPackage(folder, { name, version, hash }, npm) {
  const target = ['--pack-destination', folder, '--cache', cacheIn(folder)]
  if (!(await npm('pack', `${name}@${version}`, ...target))) return undefined
  const archive = join(folder, `${name}-${version}.tgz`)
  requireHash(archive, hash)
  return archive
}

/** Returns the npm cache below a folder, so that npm leaves no copies in the user's cache. @param {string} folder */
const cacheIn = folder => join(folder, 'cache')

/**
 * Installs the fallback Node unless it is installed. Checks the archive's hash before unpacking it. The folder appears
 * only when it is complete, so that processes can install it at the same time. Throws SetupError.
 * @param {string} folder
 * @param {(...args: string[]) => Promise<boolean>} npm runs npm; resolves with true if it exited with code 0
 * @param {string} version of the running Node. If it is the fallback's version, installing that would not help.
 * @returns {Promise<string>} path of the fallback Node
 */
export async function installFallbackNode(folder, npm, version = process.versions.node) {
  const path = fallbackNodeIn(folder)
  if (isExecutable(path)) return path
  const failure = new SetupError(
    `Node ${version} cannot run the servers' native code, and Node ${FALLBACK_NODE} could not be installed from npm; use Node 20 (20.19 or newer) or Node 22.`,
  )
  if (FALLBACK_PACKAGE === undefined || version === FALLBACK_NODE) throw failure
  console.error(
    `Node ${version} cannot run the servers' native code. Downloading Node ${FALLBACK_NODE} from npm. This is needed only once.`,
  )
  try {
    mkdirSync(dirname(folder), { recursive: true })
    const isComplete = await unpackInto(folder, FALLBACK_PACKAGE, npm)
    if (isComplete && isExecutable(path)) return path
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new SetupError(`Node ${FALLBACK_NODE} cannot be installed in ${folder}: ${error.message}; ${USE_ANOTHER}.`)
  }
  throw failure
}

/**
 * @param {string} folder
 * @param {PinnedPackage} pinned
 * @param {(...args: string[]) => Promise<boolean>} npm
 * @returns {Promise<boolean>} whether npm succeeded
 */
async function unpackInto(folder, pinned, npm) {
  const draft = mkdtempSync(`${folder}-`)
  const cache = cacheIn(draft)
  try {
    const archive = await downloadPackage(draft, pinned, npm)
    if (archive === undefined) return false
    const flags = [
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--offline',
      '--global=false',
      '--cache',
      cache,
    ]
    if (!(await npm('install', '--prefix', draft, ...flags, archive))) return false
    unlinkSync(archive)
    rmSync(cache, { recursive: true, force: true })
    // Other users' servers can run this Node too, so they must be able to read its folder.
    chmodSync(draft, READABLE)
    placeNode(draft, folder)
    return true
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * Renames `draft` to `folder`, unless another process has installed Node there meanwhile. Replaces a folder without
 * Node.
 * @param {string} draft
 * @param {string} folder
 */
export function placeNode(draft, folder) {
  if (isExecutable(fallbackNodeIn(folder))) return
  rmSync(folder, { recursive: true, force: true })
  try {
    renameSync(draft, folder)
  } catch (error) {
    if (!isExecutable(fallbackNodeIn(folder))) throw error
  }
}
