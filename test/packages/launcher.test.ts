/** A packaged server under a Node that cannot load the package's native code. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { FALLBACK_NODE, fallbackNodeIn, NATIVE_CODE } from '../../fallback-node.js'
import { filesIn, makePackages, type Packages } from './installed.ts'

const BUILD_MS = 300_000
const EXECUTABLE = 0o755

let packages: Packages
let prefix: string
/** An installed relay from which the native code for this Node was removed. */
let unfit: string
const script = (folder: string): string => join(folder, 'heliograph-relay.js')

const writeProgram = (path: string, ...lines: readonly string[]): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'))
  chmodSync(path, EXECUTABLE)
}

beforeAll(async () => {
  packages = await makePackages()
  prefix = join(packages.folder, 'prefix')
  await packages.install(['relay'], prefix)
}, BUILD_MS)
beforeEach(() => {
  unfit = packages.copyOf(prefix, 'relay')
  rmSync(join(unfit, 'bin', NATIVE_CODE))
})
afterAll(() => packages.remove())

/**
 * Returns an environment in which npm is a script that logs its arguments, and writes `archive` where a package is
 * requested.
 */
const withNpm = (archive: string) => {
  const programs = join(unfit, '../programs')
  const log = join(unfit, '../npm.log')
  rmSync(log, { force: true })
  const put = `for word in "$@"; do [ "$last" = --pack-destination ] && printf '${archive}' > "$word/$name"; last=$word; done`
  const name = `name=node-${process.platform}-${process.arch}-${FALLBACK_NODE}.tgz`
  writeProgram(join(programs, 'npm'), `echo "$@" >> '${log}'`, name, put)
  return { log, env: { PATH: [programs, dirname(process.execPath), process.env.PATH].join(delimiter) } }
}

/** Returns an environment in which Node reports this version. */
const asNode = (version: string) => {
  const preload = join(unfit, '../version.cjs')
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
  )
  return { NODE_OPTIONS: `--require=${preload}` }
}

test('an archive with another hash is refused before npm unpacks it, and leaves no files behind', async () => {
  const { log, env } = withNpm('not a Node')
  const before = filesIn(unfit)
  const { code, out, err } = await packages.run(script(unfit), ['--port', '0'], { ...env, ...asNode('21.0.0') })
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('has the hash sha512-')
  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([expect.stringContaining(' pack node-')])
  expect(filesIn(unfit)).toEqual(before)
})

test('a Node that is too old is refused in one line before the server is loaded', async () => {
  writeFileSync(join(unfit, 'server.js'), 'syntax that this Node does not know')
  expect(await packages.run(script(unfit), ['--version'], asNode('18.19.0'))).toEqual({
    code: 1,
    out: '',
    err: 'heliograph-relay needs Node 20.19 or newer; this is Node 18.19.0.\n',
  })
})

test('commands that need no native code run in this Node', async () => {
  const { log, env } = withNpm('not a Node')
  for (const flags of [['--version'], ['--help'], ['--check-config']])
    expect(await packages.run(script(unfit), flags, env)).toMatchObject({ code: 0, err: '' })
  expect(existsSync(log)).toBe(false)
})

test('the installed Node gets the arguments and signals, and the launcher exits with its exit code', async () => {
  writeProgram(
    fallbackNodeIn(join(unfit, `node-${FALLBACK_NODE}`)),
    'trap "exit 7" TERM',
    'echo "$@"',
    'echo "listening on here"',
    'while :; do sleep 0.05; done',
  )
  const server = await packages.serve(script(unfit), ['--port', '0'])
  expect(await server.stop()).toEqual({
    code: 7,
    out: `${join(unfit, 'server.js')} --port 0\nlistening on here\n`,
    err: '',
  })
})

test.each([1, 2, 3, 4, 5])(
  'a signal that arrives while the installed Node starts is forwarded to it (round %i)',
  async () => {
    const path = fallbackNodeIn(join(unfit, `node-${FALLBACK_NODE}`))
    writeProgram(path, 'trap "exit 7" TERM', 'kill -TERM $PPID', 'while :; do sleep 0.05; done')
    expect(await packages.run(script(unfit), [])).toMatchObject({ code: 7 })
  },
)

test('if a signal kills Node, the launcher exits with the code that a shell would return', async () => {
  writeProgram(fallbackNodeIn(join(unfit, `node-${FALLBACK_NODE}`)), 'kill -KILL $$')
  expect(await packages.run(script(unfit), [])).toMatchObject({ code: 137 })
})

test('a server that npx started stops gracefully when npx is stopped', async () => {
  const archive = relative(packages.work, packages.archiveOf('relay'))
  const flags = ['--port', '0', '--data-dir', join(packages.folder, 'npx')]
  const server = await packages.serve('npx', ['--yes', '--offline', archive, ...flags])
  await server.stop()
  await vi.waitFor(() => expect(fetch(`${server.url}/health`)).rejects.toThrow(), { timeout: 20_000, interval: 100 })
})

/**
 * Installs a Node for the launcher: a script that first acts, with the launcher as $PPID, and then runs the server with
 * native code.
 */
const putFittingNode = (...acts: readonly string[]): void => {
  const native = join(prefix, 'node_modules/heliograph-relay/bin', NATIVE_CODE)
  const copy = `cp '${native}' '${join(unfit, 'bin')}'`
  const path = fallbackNodeIn(join(unfit, `node-${FALLBACK_NODE}`))
  writeProgram(path, copy, ...acts, `exec '${process.execPath}' "$@"`)
}

test('a server whose launcher was killed stops gracefully', async () => {
  putFittingNode()
  const server = await packages.serve(script(unfit), ['--port', '0', '--data-dir', join(packages.folder, 'orphan')])
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  await server.stop('SIGKILL')
  await expect(fetch(`${server.url}/health`)).rejects.toThrow()
})

test('a server whose launcher was killed before the server was loaded does not start', async () => {
  putFittingNode('kill -KILL $PPID')
  const flags = ['--port', '0', '--data-dir', join(packages.folder, 'early')]
  expect(await packages.run(script(unfit), flags)).toMatchObject({ code: null, out: '' })
})
