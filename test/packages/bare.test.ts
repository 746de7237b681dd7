/** The server packages in a root that has only a Node release and what that release needs. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Artefact } from '../../deploy/package/archives.ts'
import { openPeer } from '../compat/peer.ts'
import { exchange, settle } from '../compat/session.ts'
import { connectRelay } from '../support/relay-client.ts'
import { root } from '../support/root.ts'
import { type BareRoot, makeBareRoot, releases, type User } from './bare.ts'
import { changesOf, type Snapshot, snapshotOf } from './changes.ts'
import { filesIn } from './installed.ts'
import { serverArchives } from './made.ts'

const BUILD_MS = 300_000
const TOPIC = 'ef'.repeat(32)
const QUIET = { IS_VITEST: 'true' }
const OFFLINE = ['--offline', '--yes']
/** Servers are started in `person`, so the default data folders are below this path. */
const DATA = 'person/.data'
/** Matches npm's caches and logs, and the cache in which Node 22 stores npm's compiled code. */
const NPM =
  /^(?:(?:root|person)\/\.npm(?:\/(?:_cacache|_logs|_npx|_update-notifier-last-checked)(?:\/.*)?)?|tmp\/node-compile-cache(?:\/.*)?)$/

let archives: Artefact[]
const archiveOf = (kind: string): string =>
  `./${archives.find(({ name }) => name.startsWith(`heliograph-${kind}`))?.name}`

beforeAll(async () => {
  archives = await serverArchives()
}, BUILD_MS)

describe.each(releases)('on Node $node.version', release => {
  let bare: BareRoot
  beforeAll(async () => {
    bare = await makeBareRoot(release, archives)
  }, BUILD_MS)
  beforeEach(() => rmSync(join(bare.root, DATA), { recursive: true, force: true }))
  afterAll(() => bare?.remove())

  const serve = async (...words: string[]) => {
    const server = await bare.serve('person', ...words, '--port', '0')
    onTestFinished(async () => void (await server.stop()))
    return server
  }

  /** Pairs and signs over a relay, with published clients that run outside of the root. */
  const signOver = async (url: string): Promise<void> => {
    const port = Number(new URL(url).port)
    const peer = (side: string) => openPeer('sign-client 2.21', { port, folder: join(bare.folder, side), env: QUIET })
    const two = { dapp: await peer('dapp'), wallet: await peer('wallet') }
    await exchange(two, await settle(two, 'irn'))
    await Promise.all([two.dapp.dispose(), two.wallet.dispose()])
  }

  /** Delivers a message over a relay. */
  const deliverOver = async (url: string): Promise<void> => {
    const [publisher, subscriber] = [await connectRelay(url, 1), await connectRelay(url, 2)]
    await subscriber.call('irn_subscribe', { topic: TOPIC })
    await publisher.call('irn_publish', { topic: TOPIC, message: 'delivered', ttl: 300, tag: 1 })
    expect((await subscriber.push()).params.data.message).toBe('delivered')
    await Promise.all([publisher.close(), subscriber.close()])
  }

  const npm = async (user: User, ...words: string[]): Promise<void> => {
    const { code, err } = await bare.run(user, 'npm', ...words, '--offline', '--global')
    expect([code, err]).toEqual([0, ''])
  }

  /**
   * Returns paths that differ from a snapshot: paths of the servers' data, and other paths that npm does not use
   * itself.
   */
  const changesSince = (before: Snapshot) => {
    const changes = changesOf(before, snapshotOf(bare.root)).filter(path => !NPM.test(path))
    const data = changes.filter(path => `${path}/`.startsWith(`${DATA}/`))
    return { data, others: changes.filter(path => !data.includes(path)) }
  }

  test('the root has no other programs, no settings and no users', async () => {
    const files = filesIn(bare.root).filter(
      path => !/^usr\/local\/(?:include|share|lib\/node_modules\/npm)\//.test(path),
    )
    expect(files.filter(path => !/^(?:usr\/)?lib(?:64)?\/|\/copyright$/.test(path))).toEqual([
      'bin/busybox',
      'bin/sh',
      ...archives.map(({ name }) => `person/${name}`).toSorted(),
      ...archives.map(({ name }) => `root/${name}`).toSorted(),
      'usr/bin/env',
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'bin/node', 'bin/npm', 'bin/npx', 'package.json'].map(
        path => `usr/local/${path}`,
      ),
    ])
    const versions = [await bare.run('person', 'node', '--version'), await bare.run('person', 'npm', '--version')]
    expect(versions.map(({ out }) => out)).toEqual([`v${release.node.version}\n`, `${release.npm.version}\n`])
    expect((await bare.run('person', 'node', '-p', '[process.getuid(), process.getgroups()]')).out).toBe(
      '[ 1000, [ 1000 ] ]\n',
    )
  })

  test("npx runs the relay for v2 clients, and leaves only the data folder and npm's folders", async () => {
    const before = snapshotOf(bare.root)
    const relay = await serve('npx', ...OFFLINE, archiveOf('relay'))
    await signOver(relay.url)
    expect(await relay.stop()).toMatchObject({ code: 0 })
    const { data, others } = changesSince(before)
    expect([data.length > 0, others]).toEqual([true, []])
    // npm keeps its copy of the package in its cache.
    const kept = filesIn(join(bare.root, 'person/.npm/_npx')).map(path => path.replace(/^[0-9a-f]{16}\//, ''))
    expect(kept).toContain('node_modules/heliograph-relay/heliograph-relay.js')
  })

  test('root installs the bridge into /usr/local, and uninstalling leaves only the data folder', async () => {
    const before = snapshotOf(bare.root)
    await npm('root', 'install', archiveOf('bridge'))
    const bridge = await serve('heliograph-bridge')
    expect((await fetch(`${bridge.url}/health`)).status).toBe(200)
    expect(await bridge.stop()).toMatchObject({ code: 0 })
    await npm('root', 'uninstall', 'heliograph-bridge')
    const { data, others } = changesSince(before)
    expect(data).toContainEqual(expect.stringMatching(/\/bridge\//))
    expect(others).toEqual([])
  })

  test('person installs the relay into .local, and uninstalling leaves only the data folder', async () => {
    const before = snapshotOf(bare.root)
    await npm('person', 'install', '--prefix', '.local', archiveOf('relay'))
    const relay = await serve('.local/bin/heliograph-relay')
    await deliverOver(relay.url)
    expect(await relay.stop()).toMatchObject({ code: 0 })
    await npm('person', 'uninstall', '--prefix', '.local', 'heliograph-relay')
    const { data, others } = changesSince(before)
    expect(data).toContainEqual(expect.stringMatching(/\/relay\//))
    // After the removal of the package, npm leaves the folders that it created.
    const folders = ['', '/bin', '/lib', '/lib/node_modules', '/share', '/share/man', '/share/man/man1']
    expect(others).toEqual(folders.map(path => `person/.local${path}`))
  })

  test('Node and the native code need no newer glibc than the documents say', () => {
    const native = archives
      .flatMap(({ bytes }) => parseTar(new Uint8Array(gunzipSync(bytes))))
      .filter(({ name }) => /uws_linux_.+\.node$/.test(name))
    expect(native).toHaveLength(8)
    const programs = [
      readFileSync(join(bare.root, 'usr/local/bin/node')),
      ...native.map(({ data }) => Buffer.from(data ?? '')),
    ]
    const versions = programs.flatMap(program =>
      [...program.toString('latin1').matchAll(/\0GLIBC_2\.(\d+)(?=[.\0])/g)].map(([, minor]) => Number(minor)),
    )
    expect(readFileSync(join(root, 'docs/packages.md'), 'utf8')).toContain(`glibc 2.${Math.max(...versions)} or later`)
  })
})
