/** The servers' image: built, unpacked and run. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha256 } from '../../deploy/package/artefacts.ts'
import { FALLBACK_NODE } from '../../fallback-node.js'
import { writeCertificate } from '../../shared/src/server/transport/certificate.fixture.ts'
import { openPeer } from '../compat/peer.ts'
import { exchange, settle, signOverV1 } from '../compat/session.ts'
import { startCaddy } from '../support/caddy.ts'
import { freePort } from '../support/free-port.ts'
import { connectRelay } from '../support/relay-client.ts'
import { type Container, unpackImage } from './container.ts'
import { filesIn } from './installed.ts'

const KINDS = ['relay', 'bridge'] as const
const TOPIC = 'cd'.repeat(32)
/** Settings of each container that is started here. By default, the image listens on every address. */
const LOOPBACK = { RELAY_HOST: '127.0.0.1', RELAY_PORT: '0', BRIDGE_HOST: '127.0.0.1', BRIDGE_PORT: '0' }

let image: Container
let volume: string

beforeAll(async () => {
  image = await unpackImage()
  volume = image.createVolume('volume')
  // No timeout: the duration of a build depends on the machine's load.
}, 0)
afterAll(() => image.remove())

test('the bill of materials lists the image, its Debian packages, its Node and the contents of the servers', async () => {
  const { archive, bill } = image
  expect(bill.name).toBe(`${archive.name}.cdx.json`)
  const text = new TextDecoder().decode(bill.bytes)
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull()
  const { metadata, components } = JSON.parse(text)
  expect(metadata.component.hashes).toEqual([{ alg: 'SHA-256', content: sha256(archive.bytes) }])
  expect(metadata.component.purl).toContain(`pkg:oci/heliograph@${image.digest}?`)
  const listed = components.map(({ purl }: { purl: string }) => purl.replace(/@[^/]*$/, ''))
  const documented = filesIn(image.root).flatMap(path => /^usr\/share\/doc\/(.+)\/copyright$/.exec(path)?.[1] ?? [])
  expect(documented).not.toEqual([])
  expect(listed).toEqual(
    expect.arrayContaining([
      ...documented.map(name => `pkg:deb/debian/${name}`),
      expect.stringMatching(/^pkg:npm\/node-linux-/),
      ...KINDS.map(kind => `pkg:npm/heliograph-${kind}`),
      ...['pkg:npm/%40redis/client', 'pkg:npm/pino', 'pkg:npm/uws-pack'],
    ]),
  )
})

test('every shared library that Node and the native code need is in the image', async () => {
  const [linker] = filesIn(image.root).filter(path => /^lib(?:64)?\/ld-linux-[^/]+$/.test(path))
  const native = filesIn(image.root).filter(path => path.endsWith('.node'))
  expect(native).toHaveLength(KINDS.length)
  for (const program of ['usr/local/bin/node', ...native]) {
    const { code, out, err } = await image.run(volume, [`/${linker}`, '--list', `/${program}`])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('libc.so.6 => /lib/')
    expect(out).not.toContain('not found')
  }
})

test('the image has its Node but no shell, and its user owns only the data folder', async () => {
  expect((await image.run(volume, ['node', '--version'])).out).toBe(`v${FALLBACK_NODE}\n`)
  expect(readdirSync(image.root).toSorted()).toEqual(
    expect.arrayContaining(['data', 'dev', 'etc', 'lib', 'opt', 'proc', 'sys', 'tmp', 'usr']),
  )
  expect(existsSync(join(image.root, 'bin'))).toBe(false)
  const owned = readdirSync(image.root, { recursive: true, encoding: 'utf8' }).filter(
    path => statSync(join(image.root, path)).uid !== 0,
  )
  expect(owned).toEqual(['data'])
  expect(statSync(join(image.root, 'data')).mode & 0o777).toBe(0o700)
})

test.each(KINDS)('the %s prints its version and accepts the settings of the image', async kind => {
  const name = `heliograph-${kind}`
  const { version } = JSON.parse(
    (
      await image.run(volume, [
        'node',
        '-p',
        `JSON.stringify(require('/opt/heliograph/lib/node_modules/${name}/package.json'))`,
      ])
    ).out,
  )
  expect(await image.run(volume, [name, '--version'])).toEqual({ code: 0, out: `${name} ${version}\n`, err: '' })
  const checked = await image.run(volume, [name, '--check-config'])
  expect(checked).toEqual({ code: 0, out: 'the configuration is valid\n', err: '' })
})

const WRITE = `
const { writeFileSync } = require('fs')
const codes = process.argv.slice(1).map(path => {
  try { writeFileSync(path, ''); return 'written' } catch ({ code }) { return code }
})
console.log(JSON.stringify([process.getuid(), process.getgroups(), codes]))
`

test('a container can write only to its volume and to /tmp', async () => {
  const paths = ['/data/file', '/tmp/file', '/file', '/etc/passwd', '/opt/heliograph/bin/heliograph-relay', '/usr/file']
  const { out } = await image.run(image.createVolume('written'), ['node', '-e', WRITE, ...paths])
  expect(JSON.parse(out)).toEqual([1000, [1000], ['written', 'written', 'EROFS', 'EROFS', 'EROFS', 'EROFS']])
})

test.each(KINDS)('the %s is healthy and ready, and exits with 0 on SIGTERM', async kind => {
  const server = await image.serve(image.createVolume(`${kind}-health`), [`heliograph-${kind}`], LOOPBACK)
  for (const path of ['/health', '/ready']) expect((await fetch(`${server.url}${path}`)).status, path).toBe(200)
  expect(await server.stop()).toMatchObject({ code: 0 })
})

test("the image's health check succeeds while the relay runs, and fails after it has exited", async () => {
  const [port, [, ...check]] = [await freePort(), image.config.Healthcheck.Test]
  const command = check.map(word => word.replace(':8080', `:${port}`))
  expect(command).not.toEqual(check)
  const relay = await image.serve(image.createVolume('checked'), image.config.Cmd, {
    ...LOOPBACK,
    RELAY_PORT: `${port}`,
  })
  expect(await image.run(volume, command)).toMatchObject({ code: 0 })
  await relay.stop()
  expect(await image.run(volume, command)).toMatchObject({ code: 1 })
})

test('messages survive a restart with the same volume', async () => {
  const kept = image.createVolume('kept')
  const serve = () => image.serve(kept, image.config.Cmd, LOOPBACK)
  const first = await serve()
  const publisher = await connectRelay(first.url, 1)
  await publisher.call('irn_publish', { topic: TOPIC, message: 'kept', ttl: 300, tag: 1 })
  await publisher.close()
  expect(await first.stop()).toMatchObject({ code: 0 })
  const second = await serve()
  const subscriber = await connectRelay(second.url, 2)
  await subscriber.call('irn_subscribe', { topic: TOPIC })
  expect((await subscriber.push())?.params.data.message).toBe('kept')
  await subscriber.close()
  await second.stop()
})

/** Starts the relay and the bridge of the image, with Caddy in front of them. */
const startBehindCaddy = async (name: string) => {
  const folder = image.createVolume(name)
  const certificate = writeCertificate(folder)
  const site = async () => ({ port: await freePort(), upstream: await freePort() })
  const sites = { relay: await site(), bridge: await site() }
  const serve = (kind: 'relay' | 'bridge') => {
    const prefix = kind.toUpperCase()
    return image.serve(image.createVolume(`${name}-${kind}`), [`heliograph-${kind}`], {
      ...LOOPBACK,
      [`${prefix}_PORT`]: `${sites[kind].upstream}`,
      [`${prefix}_PROXIES`]: '127.0.0.1',
    })
  }
  const servers = { relay: await serve('relay'), bridge: await serve('bridge') }
  const caddy = await startCaddy(folder, sites, certificate)
  return { folder, certificate, sites, servers, caddy }
}

test('unmodified clients pair and sign with TLS through Caddy, over the relay and the bridge of the image', async () => {
  const { folder, certificate, sites, servers, caddy } = await startBehindCaddy('clients')
  const env = { IS_VITEST: 'true', NODE_EXTRA_CA_CERTS: certificate.tlsCert }
  const urlAt = (port: number) => `wss://localhost:${port}`
  const v2 = (name: string) =>
    openPeer('sign-client 2.21', { port: sites.relay.port, folder: join(folder, name), env, urlAt })
  const v1 = (name: string) =>
    openPeer('client 1.8', { port: sites.bridge.port, folder: join(folder, name), env, urlAt })
  const two = { dapp: await v2('dapp-v2'), wallet: await v2('wallet-v2') }
  await exchange(two, await settle(two, 'irn'))
  const old = { dapp: await v1('dapp-v1'), wallet: await v1('wallet-v1') }
  await signOverV1(old)
  for (const peer of [two.dapp, two.wallet, old.dapp, old.wallet]) await peer.dispose()
  for (const server of Object.values(servers)) expect(await server.stop()).toMatchObject({ code: 0 })
  await caddy.stop()
})

test('Caddy logs a request to a stopped relay without its query string', async () => {
  const { certificate, sites, servers, caddy } = await startBehindCaddy('logs')
  const ask = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const url = `https://localhost:${sites.relay.port}${path}`
      const headers = { Referer: 'https://site.example/?auth=secret-in-referer' }
      request(url, { ca: certificate.cert, headers }, response => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
  expect(await ask('/health?auth=secret-token')).toBe(200)
  await servers.relay.stop()
  expect(await ask('/health?auth=secret-token&projectId=secret-project')).toBe(502)
  await expect.poll(caddy.log).toContain('"uri":"/health?"')
  expect(caddy.log()).not.toContain('secret')
  await servers.bridge.stop()
  await caddy.stop()
})
