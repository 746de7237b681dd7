/** The packaged servers, started where no file of the repository is accessible. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linked } from '../../deploy/package/native-licences.ts'
import { writeCertificate } from '../../shared/src/server/transport/certificate.fixture.ts'
import { metricsOf } from '../support/metrics.ts'
import { startReceiver } from '../support/receiver.ts'
import { startRedis } from '../support/redis.ts'
import { connectRelay } from '../support/relay-client.ts'
import { filesIn, type Kind, makePackages, type Packages } from './installed.ts'

const KINDS = ['relay', 'bridge'] as const
const SECRET = 'not-to-be-printed'
const TOPIC = 'ab'.repeat(32)
const BUILD_MS = 300_000

let packages: Packages
let prefix: string
const bin = (kind: Kind): string => join(prefix, 'node_modules/.bin', `heliograph-${kind}`)
const data = (name: string): string => join(packages.folder, 'data', name)

beforeAll(async () => {
  packages = await makePackages()
  prefix = join(packages.folder, 'prefix')
  await packages.install(KINDS, prefix)
}, BUILD_MS)
afterAll(() => packages.remove())

test.each(KINDS)('the manual page of the %s renders without a warning', kind => {
  const page = readFileSync(join(prefix, `node_modules/heliograph-${kind}/heliograph-${kind}.1`), 'utf8')
  expect(page).toMatch(/^\.TH "HELIOGRAPH\\-/)
  const titles = [...page.matchAll(/^\.SH "(.+)"$/gm)].map(([, title]) => title)
  expect(titles).toEqual(['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OTHER USES', 'SETTINGS', 'SIGNALS', 'EXIT STATUS'])
  expect(page.split('\n').filter(line => /^[.'](?!(TH|SH|TP|PP|br)\b)/.test(line))).toEqual([])
  // Without groff, the test can check only the page's structure.
  const { error, stdout, stderr } = spawnSync('groff', ['-ww', '-man', '-Tutf8'], { input: page, encoding: 'utf8' })
  if (error) return
  expect(stderr).toBe('')
  // groff adds spaces to lines to justify them.
  expect(stdout.replace(/\s+/g, ' ')).toContain('Stop the server gracefully.')
})

test.each(KINDS)('the package of the %s has two scripts, no dependencies and no install scripts', kind => {
  const folder = join(prefix, `node_modules/heliograph-${kind}`)
  const {
    dependencies,
    scripts,
    bin: bins,
    man,
    version,
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect([dependencies, scripts]).toEqual([undefined, undefined])
  const name = `heliograph-${kind}`
  expect([bins, man]).toEqual([{ [name]: `${name}.js` }, [`./${name}.1`]])
  const files = filesIn(folder)
  expect(files.filter(path => /\.[cm]?[jt]s$/.test(path))).toEqual([`${name}.js`, 'server.js'])
  expect(files.filter(path => path.endsWith('.node'))).toHaveLength(8)
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES.txt', `${name}.service`]))
  const licences = readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const named of ['@redis/client', 'pino', 'prom-client', 'uws-pack']) expect(licences).toContain(`\n${named} `)
  for (const { name, source } of linked) expect(licences).toContain(`\n${name}: ${source}\n`)
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
})

test.each(KINDS)("the %s prints its version and its help with its command's name", async kind => {
  const { version } = JSON.parse(readFileSync(join(prefix, `node_modules/heliograph-${kind}/package.json`), 'utf8'))
  expect(await packages.run(bin(kind), ['--version'])).toEqual({
    code: 0,
    out: `heliograph-${kind} ${version}\n`,
    err: '',
  })
  const { code, out } = await packages.run(bin(kind), ['--help'])
  expect(code).toBe(0)
  expect(out.split('\n')[0]).toBe(`heliograph-${kind} [flags]`)
  expect(out).not.toContain('npm run')
})

test('npx runs the archive of the bridge without network', async () => {
  const archive = relative(packages.work, packages.archiveOf('bridge'))
  const { code, out } = await packages.run('npx', ['--yes', '--offline', archive, '--version'])
  expect([code, out]).toEqual([0, expect.stringMatching(/^heliograph-bridge \d/)])
})

test.each([
  ['relay', '/'],
  ['bridge', '/status'],
] as const)('the %s has its status page, figures with its version, metrics and logs', async (kind, path) => {
  const server = await packages.serve(bin(kind), ['--port', '0', '--data-dir', data(`${kind}-status`)])
  const page = await (await fetch(`${server.url}${path}`)).text()
  expect(page).toMatch(/<style>[^<]{100,}<\/style>/)
  expect(page).toMatch(/<script>.{100,}<\/script>/s)
  const { version, commit } = await (await fetch(`${server.url}/status.json`)).json()
  expect([version, commit ?? undefined]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/), undefined])
  expect(await metricsOf(server.url)).toMatchObject({ heliograph_connections: 0 })
  const { err } = await server.stop()
  const lines = err
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines.map(({ name }) => name)).toEqual([kind])
})

test('the relay serves TLS', async () => {
  const folder = data('tls')
  mkdirSync(folder, { recursive: true })
  const { tlsCert, tlsKey, cert } = writeCertificate(folder)
  const flags = ['--tls-cert', tlsCert, '--tls-key', tlsKey]
  const relay = await packages.serve(bin('relay'), ['--port', '0', '--data-dir', join(folder, 'data'), ...flags])
  const status = await new Promise(resolve => {
    request(`${relay.url}/health`, { ca: cert }, response => resolve(response.resume().statusCode)).end()
  })
  expect(status).toBe(200)
  await relay.stop()
})

test('the relay calls webhooks', async () => {
  const receiver = await startReceiver()
  const allow = ['--webhook-allow', '127.0.0.0/8']
  const relay = await packages.serve(bin('relay'), ['--port', '0', '--data-dir', data('webhooks'), ...allow])
  const body = JSON.stringify({ topic: TOPIC, webhook: receiver.url })
  const headers = { 'Content-Type': 'application/json' }
  expect((await fetch(`${relay.url}/subscribe`, { method: 'POST', headers, body })).status).toBe(200)
  const client = await connectRelay(relay.url, 1)
  await client.call('irn_publish', { topic: TOPIC, message: 'words', ttl: 300, tag: 1, prompt: true })
  expect(JSON.parse((await receiver.next()).body)).toMatchObject({ topic: TOPIC })
  await client.close()
  await relay.stop()
  await receiver.close()
})

test('two relays share a Redis server, and --export and --check work on its contents', async () => {
  const redis = await startRedis()
  const serve = (name: string) =>
    packages.serve(bin('relay'), ['--port', '0', '--data-dir', data(name), '--redis-url', redis.url])
  const relays = await Promise.all([serve('redis-1'), serve('redis-2')])
  const [one, other] = await Promise.all(relays.map(({ url }, index) => connectRelay(url, index + 1)))
  await other?.call('irn_subscribe', { topic: TOPIC })
  await one?.call('irn_publish', { topic: TOPIC, message: 'over Redis', ttl: 300, tag: 1 })
  expect((await other?.push())?.params.data.message).toBe('over Redis')
  await Promise.all([one?.close(), other?.close()])
  await Promise.all(relays.map(({ stop }) => stop()))
  const folder = data('exported')
  const exported = await packages.run(bin('relay'), ['--export', folder, '--redis-url', redis.url])
  expect(exported).toMatchObject({ code: 0, out: expect.stringContaining('1 messages') })
  const checked = await packages.run(bin('relay'), ['--check', folder])
  expect(checked).toMatchObject({ code: 0, out: expect.stringContaining('0 damaged places') })
  await redis.stop()
})

test.each(KINDS)('--check-config of the %s accepts a valid configuration and changes nothing', async kind => {
  const env = { [`${kind.toUpperCase()}_STATUS_TOKEN`]: SECRET, [`${kind.toUpperCase()}_WEBHOOK_TOKEN`]: SECRET }
  const args = ['--check-config', '--port', '1', '--data-dir', join(packages.work, 'new/data')]
  const before = filesIn(packages.folder)
  expect(await packages.run(bin(kind), args, env)).toEqual({ code: 0, out: 'the configuration is valid\n', err: '' })
  expect([readdirSync(packages.work), filesIn(packages.folder)]).toEqual([[], before])
})

test('--check-config does not need the data folder and the port of a running server', async () => {
  const folder = data('in-use')
  const relay = await packages.serve(bin('relay'), ['--port', '0', '--data-dir', folder])
  const args = ['--check-config', '--port', new URL(relay.url).port, '--data-dir', folder]
  expect(await packages.run(bin('relay'), args)).toMatchObject({ code: 0 })
  await relay.stop()
})

test.each([
  [['--port', '65536'], '--port: "65536" must be a whole number from 0 to 65535'],
  [['--tls-cert', 'no.pem', '--tls-key', 'no.pem'], 'RELAY_TLS_CERT (--tls-cert): no.pem cannot be read: ENOENT'],
  [['--redis-url', `redis://user:${SECRET}@127.0.0.1:1`], 'Redis cannot be used at 127.0.0.1:1'],
  [['--status-token', `${SECRET} with spaces`], '--status-token: the value must be visible ASCII characters'],
])('%j is refused by --check-config as it is at a start', async (args, reason) => {
  const env = { RELAY_WEBHOOK_TOKEN: SECRET, RELAY_DATA_DIR: data('refused') }
  const checked = await packages.run(bin('relay'), ['--check-config', ...args], env)
  expect(existsSync(data('refused'))).toBe(false)
  const started = await packages.run(bin('relay'), args, env)
  rmSync(data('refused'), { recursive: true, force: true })
  expect(checked).toEqual(started)
  expect([checked.code, checked.out]).toEqual([1, ''])
  expect(checked.err).toContain(`Heliograph Relay: ${reason}`)
  expect(checked.err).not.toContain(SECRET)
})

test('--check-config refuses a data folder that cannot be created', async () => {
  const args = ['--check-config', '--data-dir', join(bin('relay'), 'data')]
  const { code, err } = await packages.run(bin('relay'), args)
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^Heliograph Relay: the data folder .* cannot be used: ENOTDIR/),
  ])
})
