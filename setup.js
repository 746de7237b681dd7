/**
 * Makes a bare clone ready for a command: `node setup.js start|test|build|relay|bridge|bench|bench:nodes|fuzz|check`. Node
 * built-ins only. Installs what is missing: packages, a Node for the servers, and the programs that the command needs.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('.', import.meta.url))
const RUNTIME = join(ROOT, '.runtime')
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

/** The Node that is downloaded if the running one cannot load the servers' native code or run the build. */
const FALLBACK_NODE = '22.23.3'

/** Its npm packages by platform, with the hash of their archives as Subresource Integrity. */
const FALLBACK_HASHES = {
  'linux-x64': 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  'linux-arm64': 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
  'darwin-x64': 'sha512-V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==',
}

const CHROMIUM_NAMES = [
  'chromium',
  'chromium-browser',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
]

const FIREFOX_NAMES = ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox']

const CHROMIUM = 'Chromium (or CHROMIUM_PATH set to one)'
const FIREFOX = 'Firefox (or FIREFOX_PATH set to one)'
const REDIS = { title: 'Redis (redis-server)', find: () => findProgram('redis-server'), packages: ['redis-server'] }

/**
 * System programs that a command needs, and the Debian and Ubuntu packages that contain them, the preferred one first.
 * @type {Record<string, { title: string, find: () => string | undefined, packages: string[] }[]>}
 */
const TOOLS = {
  test: [
    { title: CHROMIUM, find: findChromium, packages: ['chromium', 'chromium-browser'] },
    { title: FIREFOX, find: findFirefox, packages: ['firefox-esr', 'firefox'] },
    REDIS,
    // The commands of the documents.
    ...['curl', 'git', 'openssl'].map(name => ({ title: name, find: () => findProgram(name), packages: [name] })),
  ],
  'bench:nodes': [
    REDIS,
    { title: 'NATS (nats-server)', find: () => findProgram('nats-server'), packages: ['nats-server'] },
  ],
}

/** @type {import('node:child_process').ChildProcess | undefined} */
let child

class SetupError extends Error {}

/**
 * Full path of a program, or undefined.
 * @param {string} name a path, or a name to look up in PATH
 */
function findProgram(name) {
  const folders = name.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter)
  return folders.map(folder => join(folder, name)).find(isExecutable)
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Path of a Chromium that loads unpacked extensions (branded Chrome does not), or undefined. CHROMIUM_PATH goes first. */
export function findChromium() {
  const chosen = process.env.CHROMIUM_PATH
  const names = chosen ? [chosen] : CHROMIUM_NAMES
  return names.map(findProgram).find(path => path !== undefined)
}

/** Path of a Firefox, or undefined. FIREFOX_PATH goes first. */
export function findFirefox() {
  const chosen = process.env.FIREFOX_PATH
  const names = chosen ? [chosen] : FIREFOX_NAMES
  return names.map(findProgram).find(path => path !== undefined)
}

/**
 * Runs `work` under the lock `lock`: a symbolic link, created atomically, to the id of the holding process. The lock of an
 * ended process is removed.
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
  // No such process: the holder was killed. No such file: the holder has just finished.
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
 * Runs a program with this terminal until it ends.
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<boolean>} whether it ended with exit code 0
 */
function run(command, args) {
  return new Promise((resolve, reject) => {
    child = spawn(command, args, { cwd: ROOT, stdio: 'inherit' })
    child.once('error', () => reject(new SetupError(`${command} cannot be started; install it and try again.`)))
    child.once('close', code => resolve(code === 0))
  })
}

/** The npm that started this script, else the one in PATH. @param {string[]} args */
function npm(...args) {
  const quiet = ['--loglevel=error', '--engine-strict=false', ...args]
  const started = process.env.npm_execpath
  return started?.endsWith('npm-cli.js') ? run(process.execPath, [started, ...quiet]) : run('npm', quiet)
}

/**
 * `packages` of a lock file.
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function lockedPackages(file) {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages
}

/** True if node_modules matches the lock file. Compares contents, because a checkout changes times without changing packages. */
function packagesAreCurrent() {
  if (!existsSync(join(ROOT, 'node_modules/.package-lock.json'))) return false
  const installed = lockedPackages('node_modules/.package-lock.json')
  return Object.entries(lockedPackages('package-lock.json')).every(
    ([path, { version, optional }]) =>
      path === '' || (installed[path] === undefined ? optional === true : installed[path].version === version),
  )
}

async function installPackages() {
  console.log('Installing packages. This is needed once and takes less than a minute.')
  if (!(await npm('ci', '--include=dev'))) throw new SetupError('npm ci failed; the reason is above.')
}

/** True if this Node runs everything: there is a uWebSockets.js binary for its ABI, and Vite supports it. */
function nodeFits() {
  if (major === 21 || (major === 22 && minor < 12)) return false
  const binary = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
  return existsSync(join(ROOT, 'node_modules/uWebSockets.js/dist/bin', binary))
}

/**
 * Throws SetupError unless the file has the hash.
 * @param {string} file
 * @param {string} hash in the form of Subresource Integrity: `sha512-<base64>`
 */
export function requireHash(file, hash) {
  const actual = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (actual !== hash) throw new SetupError(`${file} is not what was expected: its hash is ${actual}, not ${hash}.`)
}

/** Installs the fallback Node unless it is installed. Checks its hash before running anything of it. @returns {Promise<string>} its path */
async function fallbackNode() {
  const platform = `${process.platform}-${process.arch}`
  const hash = Object.entries(FALLBACK_HASHES).find(([known]) => known === platform)?.[1]
  const name = `node-${platform}`
  const folder = join(RUNTIME, `node-${FALLBACK_NODE}`)
  const path = join(folder, 'node_modules', name, 'bin/node')
  const failure = new SetupError(
    `Node ${FALLBACK_NODE} could not be installed from npm; use Node 20.19 or newer of the 20 and 22 lines.`,
  )
  console.log(
    `Node ${process.versions.node} cannot run the servers' native code, so Node ${FALLBACK_NODE} from npm runs them.`,
  )
  if (isExecutable(path)) return path
  if (hash === undefined) throw failure
  mkdirSync(folder, { recursive: true })
  if (!(await npm('pack', `${name}@${FALLBACK_NODE}`, '--pack-destination', folder))) throw failure
  const archive = join(folder, `${name}-${FALLBACK_NODE}.tgz`)
  requireHash(archive, hash)
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--offline']
  if (!(await npm('install', '--prefix', folder, ...flags, archive)) || !isExecutable(path)) throw failure
  unlinkSync(archive)
  return path
}

/** Atomically points `.runtime/node`, which the scripts of package.json run, at `target`. @param {string} target */
function linkNode(target) {
  const link = join(RUNTIME, 'node')
  if (existsSync(link) && readlinkSync(link) === target) return
  const fresh = `${link}.${process.pid}`
  symlinkSync(target, fresh)
  renameSync(fresh, link)
}

/**
 * Installs missing system programs through apt, as root on Debian and Ubuntu.
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
    throw new SetupError(`npm run ${command} needs ${absent.join(' and ')}. Install it and run it again.`)
}

/** @param {{ find: () => string | undefined, packages: string[] }} tool */
async function installWithApt(tool) {
  for (const name of tool.packages) {
    if (!tool.find()) await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name])
  }
}

function requireNode() {
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new SetupError(`Heliograph needs Node 20.19 or newer; this is Node ${process.versions.node}.`)
}

/** @param {string | undefined} command */
async function setUp(command) {
  requireNode()
  mkdirSync(RUNTIME, { recursive: true })
  await withLock(join(RUNTIME, 'lock'), async () => {
    if (!packagesAreCurrent()) await installPackages()
    linkNode(nodeFits() ? process.execPath : await fallbackNode())
    if (command) await installTools(command)
  })
}

/** Ends on a signal or with the starting shell, and stops the running program. */
function endTogether() {
  const parent = process.ppid
  process.on('exit', () => child?.kill())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
  setInterval(() => process.ppid !== parent && process.exit(1), 200).unref()
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  endTogether()
  setUp(process.argv[2]).catch(error => {
    console.error(error instanceof SetupError ? error.message : error)
    process.exit(1)
  })
}
