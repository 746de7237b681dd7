/**
 * Prepares a bare clone for a command of package.json: `node setup.js COMMAND`. Installs missing npm packages, a
 * version of Node that can run the servers, and the system programs that the command needs. Imports no packages itself.
 */
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  FALLBACK_NODE,
  installFallbackNode,
  NATIVE_CODE,
  npmCommand,
  requireNode,
  SetupError,
} from './fallback-node.js'
import { findProgram, RUNTIME, TOOLS } from './programs.js'

const ROOT = fileURLToPath(new URL('.', import.meta.url))
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

/** Running child processes. @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()

/**
 * Runs `work` while holding a lock: a symbolic link at the path `lock`, created atomically, whose target is the
 * holder's PID. Removes the lock of a process that has exited.
 * @template T
 * @param {string} lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(lock, work) {
  while (!takeLock(lock)) await sleep(100)
  try {
    return await work()
  } finally {
    unlinkSync(lock)
  }
}

/** @param {string} lock */
function takeLock(lock) {
  if (succeeds('EEXIST', () => symlinkSync(String(process.pid), lock))) return true
  // ESRCH (no such process): the holder was killed. ENOENT (no such file): the holder has just released the lock.
  const held = succeeds('ESRCH', () => succeeds('ENOENT', () => process.kill(Number(readlinkSync(lock)), 0)))
  if (!held) succeeds('ENOENT', () => unlinkSync(lock))
  return false
}

/**
 * True if `act` succeeds, false if it fails for the expected reason.
 * @param {string} reason
 * @param {() => unknown} act
 */
function succeeds(reason, act) {
  try {
    act()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === reason) return false
    throw error
  }
}

/**
 * Runs a program in this terminal until it exits.
 * @param {string} command
 * @param {string[]} args
 * @param {string} [cwd]
 * @returns {Promise<boolean>} whether it exited with code 0
 */
function run(command, args, cwd = ROOT) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit' })
    children.add(child)
    child.once('error', () => reject(new SetupError(`${command} cannot be started; install it and try again.`)))
    child.once('close', code => {
      children.delete(child)
      resolve(code === 0)
    })
  })
}

/** @param {string[]} args */
function npm(...args) {
  const [command, ...first] = npmCommand()
  return run(command, [...first, ...args])
}

/**
 * Returns `packages` of a lock file.
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function lockedPackages(file) {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages
}

/**
 * True if node_modules matches the lock file. Compares contents, because a checkout changes times without changing
 * packages.
 */
function packagesAreCurrent() {
  if (!existsSync(join(ROOT, 'node_modules/.package-lock.json'))) return false
  const installed = lockedPackages('node_modules/.package-lock.json')
  return Object.entries(lockedPackages('package-lock.json')).every(
    ([path, { version, optional }]) =>
      path === '' || (installed[path] === undefined ? optional === true : installed[path].version === version),
  )
}

/**
 * Installs the packages of the lock file. npm first trusts its cache without asking the registry, which halves the
 * time. It fails if the cached list of versions is too old, and then asks.
 */
async function installPackages() {
  console.log('Installing packages. This is needed once and takes less than a minute.')
  const isInstalled = (await npm('ci', '--include=dev', '--prefer-offline')) || (await npm('ci', '--include=dev'))
  if (!isInstalled) throw new SetupError('npm ci failed; the reason is above.')
}

/** True if the running version of Node fits: uWebSockets.js has a binary for its ABI, and Vite supports it. */
function nodeFits() {
  if (major === 21 || (major === 22 && minor < 12)) return false
  return existsSync(join(ROOT, 'node_modules/uWebSockets.js/dist/bin', NATIVE_CODE))
}

/**
 * Makes `.runtime/node`, which the scripts of package.json run, a link to `target`. The change is atomic.
 * @param {string} target
 */
function linkNode(target) {
  const link = join(RUNTIME, 'node')
  if (existsSync(link) && readlinkSync(link) === target) return
  const fresh = `${link}.${process.pid}`
  symlinkSync(target, fresh)
  renameSync(fresh, link)
}

/**
 * Installs missing system programs with apt, if run as root on Debian or Ubuntu. Throws SetupError if any is still
 * missing.
 * @param {string} command
 */
async function installTools(command) {
  const missing = (TOOLS[command] ?? []).filter(tool => !tool.find())
  if (missing.length === 0) return
  if (process.getuid?.() === 0 && findProgram('apt-get')) {
    process.env.DEBIAN_FRONTEND = 'noninteractive'
    await run('apt-get', ['update', '-qq'])
    for (const tool of missing) await installWithApt(tool)
  }
  const absent = missing.filter(tool => !tool.find()).map(tool => tool.title)
  if (absent.length > 0)
    throw new SetupError(
      `npm run ${command} needs ${absent.join(' and ')}. Install what is missing and run the command again.`,
    )
}

/** @param {import('./programs.js').Tool} tool */
async function installWithApt({ find, packages, unpackInto }) {
  for (const name of packages) {
    if (find()) return
    if (unpackInto === undefined) await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name])
    else await unpackWithApt(name, unpackInto)
  }
}

/**
 * Downloads a package with apt, which checks its hash, and unpacks it without installing it.
 * @param {string} name
 * @param {string} folder
 */
async function unpackWithApt(name, folder) {
  mkdirSync(folder, { recursive: true })
  await run('apt-get', ['download', '-qq', name], folder)
  for (const archive of readdirSync(folder).filter(file => file.endsWith('.deb'))) {
    await run('dpkg-deb', ['--extract', archive, '.'], folder)
    unlinkSync(join(folder, archive))
  }
}

/** @param {string | undefined} command */
async function setUp(command) {
  requireNode('Heliograph')
  mkdirSync(RUNTIME, { recursive: true })
  await withLock(join(RUNTIME, 'lock'), async () => {
    // Both installations run in parallel, because npm and apt hardly slow each other down.
    await Promise.all([installNodeAndPackages(), command && installTools(command)])
  })
}

async function installNodeAndPackages() {
  if (!packagesAreCurrent()) await installPackages()
  linkNode(nodeFits() ? process.execPath : await installFallbackNode(join(RUNTIME, `node-${FALLBACK_NODE}`), npm))
}

/** Exits on a signal or when the starting shell exits, and stops the running programs. */
function exitWithShell() {
  const parent = process.ppid
  process.on('exit', () => {
    for (const child of children) child.kill()
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
  setInterval(() => process.ppid !== parent && process.exit(1), 200).unref()
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  exitWithShell()
  setUp(process.argv[2]).catch(error => {
    console.error(error instanceof SetupError ? error.message : error)
    process.exit(1)
  })
}
