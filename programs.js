/**
 * The system programs that the commands of package.json need, and where they are. Imports no packages, because setup.js
 * uses it in a bare clone.
 */
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isExecutable } from './fallback-node.js'

/** Folder for Node and for programs that are unpacked without being installed. */
export const RUNTIME = fileURLToPath(new URL('.runtime', import.meta.url))

const CHROMIUM_NAMES = [
  'chromium',
  'chromium-browser',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
]

const FIREFOX_NAMES = ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox']

const CHROMIUM = {
  title: 'Chromium (or CHROMIUM_PATH set to one)',
  find: findChromium,
  packages: ['chromium', 'chromium-browser'],
}
const FIREFOX = {
  title: 'Firefox (or FIREFOX_PATH set to one)',
  find: findFirefox,
  packages: ['firefox-esr', 'firefox'],
}
const PROMETHEUS_FOLDER = join(RUNTIME, 'prometheus')
const CADDY_FOLDER = join(RUNTIME, 'caddy')
/** Prometheus and Caddy are only unpacked, because installing either package would start a service. */
const PROMETHEUS = {
  title: 'Prometheus (prometheus and promtool)',
  find: () => findPrometheus('promtool'),
  packages: ['prometheus'],
  unpackInto: PROMETHEUS_FOLDER,
}
const CADDY = { title: 'Caddy (caddy)', find: findCaddy, packages: ['caddy'], unpackInto: CADDY_FOLDER }
/** Programs that download and unpack the Debian packages of the servers' image. */
const DEBIAN = [
  { title: 'apt-get', find: () => findProgram('apt-get'), packages: ['apt'] },
  { title: 'dpkg-deb', find: () => findProgram('dpkg-deb'), packages: ['dpkg'] },
]
/** Programs that the documents use. */
const DOCUMENTED = ['curl', 'git', 'openssl'].map(name => ({
  title: name,
  find: () => findProgram(name),
  packages: [name],
}))
const REDIS = { title: 'Redis (redis-server)', find: () => findProgram('redis-server'), packages: ['redis-server'] }

/** Firewall tools. They are also looked up in /usr/sbin, which is not in the PATH of ordinary Debian users. */
const FIREWALL = [
  { title: 'nftables (nft)', find: () => findProgram('nft') ?? findProgram('/usr/sbin/nft'), packages: ['nftables'] },
  { title: 'iproute2 (ip)', find: () => findProgram('ip') ?? findProgram('/usr/sbin/ip'), packages: ['iproute2'] },
]

/** Redis, and NATS, which is compared with it. */
const NODES = [
  REDIS,
  { title: 'NATS (nats-server)', find: () => findProgram('nats-server'), packages: ['nats-server'] },
]

/**
 * System programs that each command of package.json needs. `packages` are the Debian and Ubuntu packages that contain a
 * program, the preferred package first. With `unpackInto`, the package is unpacked into that folder and not installed.
 * @typedef {{ title: string, find: () => string | undefined, packages: string[], unpackInto?: string }} Tool
 * @type {Record<string, Tool[]>}
 */
export const TOOLS = {
  test: [CHROMIUM],
  'test:all': [CHROMIUM, FIREFOX, REDIS, PROMETHEUS, CADDY, ...FIREWALL, ...DOCUMENTED],
  'test:cluster': [REDIS],
  image: DEBIAN,
  'bench:abuse': FIREWALL,
  'bench:nodes': NODES,
  'bench:wallet': [CHROMIUM, FIREFOX],
  simulate: NODES,
  storm: [REDIS],
  'fuzz:frames': [CHROMIUM],
  fixture: [CHROMIUM],
  screens: [CHROMIUM],
  'store:pictures': [CHROMIUM],
}

/**
 * Returns the full path of a program, or undefined.
 * @param {string} name a path, or a name to look up in PATH
 */
export function findProgram(name) {
  const folders = name.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter)
  return folders.map(folder => join(folder, name)).find(isExecutable)
}

/**
 * Returns the path of a Chromium that loads unpacked extensions, which branded Chrome does not, or undefined. If
 * CHROMIUM_PATH is set, tries only that.
 */
export function findChromium() {
  const chosen = process.env.CHROMIUM_PATH
  const names = chosen ? [chosen] : CHROMIUM_NAMES
  return names.map(findProgram).find(path => path !== undefined)
}

/** Returns the path of Firefox, or undefined. If FIREFOX_PATH is set, tries only that. */
export function findFirefox() {
  const chosen = process.env.FIREFOX_PATH
  const names = chosen ? [chosen] : FIREFOX_NAMES
  return names.map(findProgram).find(path => path !== undefined)
}

/** Returns the path of a program of Prometheus, or undefined. @param {'prometheus' | 'promtool'} name */
export function findPrometheus(name) {
  return findProgram(name) ?? findProgram(join(PROMETHEUS_FOLDER, 'usr/bin', name))
}

/** Returns the path of Caddy, or undefined. */
export function findCaddy() {
  return findProgram('caddy') ?? findProgram(join(CADDY_FOLDER, 'usr/bin/caddy'))
}
