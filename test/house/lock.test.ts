/**
 * Checks the lock file: complete for every platform, so that every npm version accepts it, and free of download URLs.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requireHash } from '../../fallback-node.js'
import { read } from './sources.ts'

type Entry = {
  version?: string
  dev?: boolean
  dependencies?: Record<string, string>
  resolved?: string
  link?: boolean
  integrity?: string
  optional?: boolean
  optionalDependencies?: Record<string, string>
}

const packages: Record<string, Entry> = JSON.parse(read('package-lock.json')).packages
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

test('each optional dependency has an entry, for all platforms', () => {
  const missing = installed.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      name => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
    ),
  )
  expect(missing).toEqual([])
})

test('no entry has a download URL', () => {
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

const HASH = /^sha512-[A-Za-z0-9+/]{86}==$/
const withoutHash = (paths: readonly string[]): string[] =>
  paths.filter(path => !HASH.test(packages[path]?.integrity ?? ''))

test('each required package is pinned by its hash', () => {
  expect(withoutHash(installed.flatMap(([path, { optional }]) => (optional ? [] : [path])))).toEqual([])
})

/** Returns the folder that Node resolves a package to, from the folder `from`. */
const found = (from: string, name: string): string => {
  const own = `${from}/node_modules/${name}`
  if (packages[own] || from === '') return packages[own] ? own : `node_modules/${name}`
  const parent = from.lastIndexOf('/node_modules/')
  return found(parent === -1 ? '' : from.slice(0, parent), name)
}

/** Returns the folders of all dependencies of a workspace, on any platform. */
const broughtBy = (path: string, seen = new Set<string>()): Set<string> => {
  const { dependencies, optionalDependencies } = packages[path] ?? {}
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const next = name.startsWith('@heliograph/') ? name.replace('@heliograph/', '') : found(path, name)
    if (seen.has(next)) continue
    seen.add(next)
    broughtBy(next, seen)
  }
  return seen
}

test('each package of the servers is pinned by its hash on every platform, native code included', () => {
  const brought = [...broughtBy('relay-server'), ...broughtBy('bridge-server')]
  const third = brought.filter(path => path.includes('node_modules/'))
  expect(third).toContain('node_modules/uWebSockets.js')
  expect(third.length).toBeGreaterThan(20)
  expect(withoutHash(third)).toEqual([])
})

test('packages without a hash are development tools for platforms that continuous integration does not use', () => {
  const paths = withoutHash(installed.map(([path]) => path))
  const tools =
    /^node_modules\/(?:@biomejs\/cli-|@foundry-rs\/anvil-)(?:android|darwin|win32|linux-arm64|linux-x64-musl)/
  expect(paths.filter(path => !packages[path]?.dev || !packages[path]?.optional || !tools.test(path))).toEqual([])
})

test('base images are pinned by their digest', () => {
  const dockerfile = read('Dockerfile')
  const image = /^[\w./-]+:\d+\.\d+\.\d+-[\w-]+@sha256:[0-9a-f]{64}$/
  const [, node = ''] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile) ?? []
  expect(node).toMatch(image)
  const froms = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)
  expect(froms.filter(from => from !== '$'.concat('{NODE_IMAGE}'))).toEqual([])
  expect(froms).toHaveLength(2)
  const images = [...read('compose.yaml').matchAll(/^\s+image: (\S+)$/gm)].map(([, name]) => name)
  expect(images.filter(name => name !== 'heliograph' && !image.test(name ?? ''))).toEqual([])
  expect(images).toHaveLength(2)
})

test('packages of the servers have no install scripts', () => {
  const lines = [...read('Dockerfile').matchAll(/^(?:RUN )?npm (?:ci|install) .*$/gm)].map(([line]) => line)
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toContain('--ignore-scripts')
})

test('the Node that setup.js and the packages download is refused unless its hash matches', async () => {
  const script = read('fallback-node.js')
  const hashes = [...script.matchAll(/^ {2}'(?:linux|darwin)-(?:x64|arm64)': '(.+)',$/gm)].map(([, hash]) => hash)
  expect(hashes.length).toBeGreaterThanOrEqual(3)
  expect(hashes.filter(hash => !HASH.test(hash ?? ''))).toEqual([])
  const folder = await mkdtemp(join(tmpdir(), 'hash-'))
  const file = join(folder, 'archive.tgz')
  await writeFile(file, 'what was expected')
  const hash = `sha512-${createHash('sha512').update('what was expected').digest('base64')}`
  expect(() => requireHash(file, hash)).not.toThrow()
  await writeFile(file, 'what was not expected')
  expect(() => requireHash(file, hash)).toThrow(`${file} has the hash sha512-`)
  await rm(folder, { recursive: true })
})

test('this project and its dependencies share one copy of each cryptographic package', () => {
  const copies = installed.map(([path]) => path).filter(path => /node_modules\/@(noble|scure)\//.test(path))
  // Nested copies are allowed for libraries of sites and, through `ox`, for published clients, which only tests use.
  const nested = copies.filter(path => !/^node_modules\/(@|ethers\/|ethereum-cryptography\/|viem\/|ox\/)/.test(path))
  expect(copies.length).toBeGreaterThan(0)
  expect(nested).toEqual([])
})

test('the workspaces are linked, and every version is exact', () => {
  const links = Object.entries(packages).filter(([, { link }]) => link)
  expect(links.map(([path]) => path)).toHaveLength(4)
  const named = ['.', 'shared', 'relay-server', 'bridge-server', 'extension'].flatMap(folder => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read(`${folder}/package.json`))
    return Object.entries<string>({ ...dependencies, ...devDependencies })
  })
  expect(
    named.filter(([, version]) => !/^(npm:(@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-beta\.\d+)?$/.test(version)),
  ).toEqual([])
})
