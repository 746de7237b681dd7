/** A server with TLS whose certificate files are replaced while clients keep connecting. */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { writeCertificate } from '@heliograph/shared/server/transport/certificate.fixture'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Server, startServer } from '../support/server.ts'

/** Number of connections that are opened at the same time. */
const LANES = 2
const SWAPS = 2
/** Minimum number of connections between two replacements. */
const BETWEEN = 20
const DAY = 86_400_000

type Files = ReturnType<typeof writeCertificate>

let folder: string
let tlsCert: string
let tlsKey: string
let server: Server | undefined
let made: number
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tls-'))
  ;[tlsCert, tlsKey] = [join(folder, 'live.pem'), join(folder, 'live-key.pem')]
  made = 0
})
afterEach(async () => {
  await server?.stop()
  server = undefined
  await rm(folder, { recursive: true })
})

/** Makes a certificate in a new folder. Each certificate expires a day later than the previous one. */
const make = (): Files => {
  made += 1
  const own = join(folder, `${made}`)
  mkdirSync(own)
  return writeCertificate(own, { expiresAt: Date.now() + made * DAY })
}
/** Points a link at a file atomically, as certbot does. */
const point = (link: string, target: string): void => {
  symlinkSync(target, `${link}.new`)
  renameSync(`${link}.new`, link)
}
const install = (files: Pick<Files, 'tlsCert' | 'tlsKey'>): void => {
  point(tlsCert, files.tlsCert)
  point(tlsKey, files.tlsKey)
}
const start = async (kind: 'relay-server' | 'bridge-server' = 'relay-server'): Promise<Server> => {
  const args = ['--tls-cert', tlsCert, '--tls-key', tlsKey]
  server = await startServer(kind, { dataDir: join(folder, 'data'), args })
  return server
}
const fingerprintOf = ({ cert }: Files): string => new X509Certificate(cert).fingerprint256

/** Opens a connection and sends a request on it. Returns the fingerprint of the server's certificate. */
const visit = async ({ url }: Server, servername?: string): Promise<string> => {
  const socket = connect({
    port: Number(new URL(url).port),
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ...(servername !== undefined && { servername }),
  })
  await once(socket, 'secureConnect')
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.write('GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  const [answer] = await once(socket, 'data')
  expect(`${answer}`).toMatch(/^HTTP\/1.1 200 OK/)
  socket.destroy()
  return fingerprint256
}
const served = (running: Server) => expect.poll(() => visit(running), { timeout: 30_000 })

const read = ({ url }: Server, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(`${url}${path}`, { rejectUnauthorized: false, agent: false }, async answer => {
      let body = ''
      for await (const chunk of answer) body += chunk
      resolve(body)
    }).on('error', reject)
  })
const expiryIn = async (running: Server): Promise<number> =>
  Number(/^heliograph_tls_certificate_expiry_timestamp_seconds (\S+)$/m.exec(await read(running, '/metrics'))?.[1])

/** Returns the reasons of certificate warnings so far, and how many certificates were loaded after the first. */
const logOf = (running: Server) => {
  const lines = running
    .said()
    .split('\n')
    .filter(line => line.startsWith('{') && line.endsWith('}'))
  const entries: { msg: string; reason?: string }[] = lines.map(line => JSON.parse(line))
  const withText = (text: string) => entries.filter(({ msg }) => msg.includes(text))
  return {
    warnings: withText('the TLS certificate in the files cannot be used').map(({ reason }) => reason),
    loads: withText('new connections use the TLS certificate in the files').length,
  }
}

test.each(['relay-server', 'bridge-server'] as const)(
  '%s: new connections get the new certificate, no connection is refused, and earlier ones stay open',
  async kind => {
    install(make())
    const running = await start(kind)
    const seen: string[] = []
    let isRunning = true
    const lane = async (): Promise<void> => {
      while (isRunning) seen.push(await visit(running))
    }
    const lanes = Promise.all(Array.from({ length: LANES }, lane))
    const sockets: WebSocket[] = []
    const open = async (): Promise<void> => {
      const socket = new WebSocket(running.url.replace('http', 'ws'), { rejectUnauthorized: false })
      await once(socket, 'open')
      sockets.push(socket)
    }
    await open()

    for (let swap = 0; swap < SWAPS; swap++) {
      const files = make()
      install(files)
      // Sends a signal for all changes but the first, which the server must notice by itself.
      if (swap > 0) process.kill(running.pid, 'SIGHUP')
      await served(running).toBe(fingerprintOf(files))
      const before = seen.length
      await open()
      await expect.poll(() => seen.length).toBeGreaterThan(before + BETWEEN)
      expect(new Set(seen.slice(before + LANES))).toEqual(new Set([fingerprintOf(files)]))
      expect(await visit(running, 'localhost')).toBe(fingerprintOf(files))
      expect(await expiryIn(running)).toBe(Date.parse(new X509Certificate(files.cert).validTo) / 1000)
    }
    isRunning = false
    await lanes

    for (const socket of sockets) {
      const answered = once(socket, 'pong')
      socket.ping()
      await answered
    }
    const closed = sockets.map(socket => once(socket, 'close'))
    expect(logOf(running)).toEqual({ warnings: [], loads: SWAPS })
    await running.stop()
    for (const [code] of await Promise.all(closed)) expect(code).toBe(1012)
  },
)

test('the server keeps its certificate while files are unusable, with one warning each, until usable files are there', async () => {
  const [first, second, last] = [make(), make(), make()]
  install(first)
  const running = await start()
  const broken = join(folder, 'broken.pem')
  writeFileSync(broken, 'half a certificate')
  const unusable = [
    [{ tlsCert: broken, tlsKey: first.tlsKey }, `RELAY_TLS_CERT (--tls-cert): ${tlsCert} is not a PEM certificate`],
    [
      { tlsCert: second.tlsCert, tlsKey: first.tlsKey },
      `RELAY_TLS_KEY (--tls-key): the key in ${tlsKey} does not match the certificate in ${tlsCert}`,
    ],
    [
      { tlsCert: second.tlsCert, tlsKey: join(folder, 'none') },
      expect.stringContaining(`RELAY_TLS_KEY (--tls-key): ${tlsKey} cannot be read: ENOENT`),
    ],
  ] as const
  for (const [index, [files]] of unusable.entries()) {
    install(files)
    await expect.poll(() => logOf(running).warnings.length).toBe(index + 1)
    expect(await visit(running)).toBe(fingerprintOf(first))
  }
  install(last)
  await served(running).toBe(fingerprintOf(last))
  expect(logOf(running)).toEqual({ warnings: unusable.map(([, words]) => words), loads: 1 })
})

test('on SIGHUP unchanged files are not loaded again, and a warning is repeated', async () => {
  const files = make()
  install(files)
  const running = await start()
  const hangUp = (): boolean => process.kill(running.pid, 'SIGHUP')
  hangUp()
  await expect.poll(running.said).toContain('the TLS certificate in the files is already in use')
  expect(logOf(running)).toEqual({ warnings: [], loads: 0 })
  point(tlsKey, join(folder, 'none'))
  await expect.poll(() => logOf(running).warnings.length).toBe(1)
  hangUp()
  await expect.poll(() => logOf(running).warnings.length).toBe(2)
  expect(await visit(running)).toBe(fingerprintOf(files))
})
