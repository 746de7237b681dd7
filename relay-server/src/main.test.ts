import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileHead } from '@heliograph/shared/server/storage/segment-files'
import { writeCertificate } from '@heliograph/shared/server/transport/certificate.fixture'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scriptOf } from '../../test/support/server-scripts.ts'
import { relayRows } from './config.ts'

let main: string
let folder: string
beforeAll(async () => {
  main = await scriptOf('relay-server')
  folder = await mkdtemp(join(tmpdir(), 'relay-main-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs the relay until it exits. Sends the signal, if given, once it listens. */
const run = async (args: readonly string[], signal?: 'SIGTERM' | 'SIGINT') => {
  const child = spawn(process.execPath, [main, '--data-dir', folder, ...args])
  let out = ''
  let err = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stderr.on('data', chunk => {
    err += chunk
    if (signal && err.endsWith('\n')) child.kill(signal)
  })
  const [code] = await once(child, 'close')
  return { code, out, err }
}

test('--help lists every setting and exits with 0', async () => {
  const { code, out } = await run(['--help'])
  expect(code).toBe(0)
  for (const { description } of Object.values(relayRows)) expect(out).toContain(description)
  expect(out).toContain('--port <value>, RELAY_PORT')
  for (const command of ['--check', '--repair']) expect(out).toContain(`npm run relay -- ${command} <folder>`)
})

test('--version and --check-config, at any place, print one line and exit with 0', async () => {
  const version = await run(['--port', '0', '--version'])
  expect([version.code, version.out]).toEqual([0, expect.stringMatching(/^heliograph-relay \d+\.\d+\.\d+\n$/)])
  expect(await run(['--port', '0', '--check-config', '--auth', 'required'])).toEqual({
    code: 0,
    out: 'the configuration is valid\n',
    err: '',
  })
})

test.each([
  [['--colour', 'red'], "Heliograph Relay: Unknown option '--colour'; --help lists all flags\n"],
  [['--port', 'x'], 'Heliograph Relay: --port: "x" must be a whole number from 0 to 65535\n'],
  [['--host', '192.0.2.1', '--port', '0'], 'this machine does not have the address'],
])('%j exits with 1 and one line with the reason', async (args, line) => {
  const { code, out, err } = await run(args)
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(line)
  expect(err.trim().split('\n')).toHaveLength(1)
})

const NEWER = fileHead(1, 0, 2)

test.each([
  ['signing-key.pem', 'no key', 'the key '],
  ['tables-000001.log', NEWER, 'has format 2 and this version reads format 1'],
  ['messages-000001.log', NEWER, 'has format 2 and this version reads format 1'],
])(
  '--check-config refuses an unusable %s with the same line as a start, and changes nothing',
  async (name, bytes, reason) => {
    const data = await mkdtemp(join(folder, 'unusable-'))
    await writeFile(join(data, name), bytes)
    const args = ['--port', '0', '--data-dir', data]
    const checked = await run(['--check-config', ...args])
    expect(await readdir(data)).toEqual([name])
    expect(checked).toEqual(await run(args))
    expect([checked.code, checked.out]).toEqual([1, ''])
    expect(checked.err).toContain(reason)
  },
)

test('--check-config refuses unfit certificate files with the same line as a start, and accepts fitting files', async () => {
  const [ec, rsa] = await Promise.all(
    (['P-256', 'rsa'] as const).map(async kind => writeCertificate(await mkdtemp(join(folder, 'tls-')), { kind })),
  )
  const args = ['--port', '0', '--tls-cert', ec?.tlsCert ?? '', '--tls-key']
  const [wrong, refusedStart, fitting] = await Promise.all([
    run([...args, rsa?.tlsKey ?? '', '--check-config']),
    run([...args, rsa?.tlsKey ?? '']),
    run([...args, ec?.tlsKey ?? '', '--check-config']),
  ])
  expect(wrong).toEqual(refusedStart)
  expect([wrong.code, wrong.out]).toEqual([1, ''])
  expect(wrong.err).toContain('but the key is RSA')
  expect(fitting.code).toBe(0)
})

test('a port in use exits with 1, naming the port and the setting to change', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const { code, err } = await run(['--port', `${port}`])
  other.close()
  expect(code).toBe(1)
  expect(err).toContain(`cannot listen on 127.0.0.1:${port}: the port is in use; change RELAY_PORT (--port)`)
})

test.each(['SIGTERM', 'SIGINT'] as const)('logs its address and limits, and exits with 0 on %s', async signal => {
  const { code, out, err } = await run(['--port', '0'], signal)
  expect(out).toMatch(/^Heliograph Relay listening on http:\/\/127\.0\.0\.1:\d+\n$/)
  expect(code).toBe(0)
  const { bounds, shares } = JSON.parse(err)
  expect(bounds.subscriptions).toBeGreaterThan(1000)
  expect(shares.subscriptions).toBeLessThanOrEqual(Math.max(bounds.subscriptions / 100, 1000))
})
