/** The bridge's status page and the figures behind it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Running } from '@heliograph/shared/server/transport/service'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startBridge } from '../../bridge-server/src/server.ts'
import type { Status } from '../../bridge-server/src/status.ts'
import { connectBridge } from '../support/bridge-client.ts'
import { root } from '../support/root.ts'

const TOKEN = 'open-sesame'

let folder: string
let bridge: Running
let guarded: Running
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridge-status-'))
  const settings = { port: 0, logLevel: 'silent', storeBytes: 1000 } as const
  bridge = await startBridge({ ...settings, dataDir: join(folder, 'open') })
  guarded = await startBridge({ ...settings, dataDir: join(folder, 'guarded'), statusToken: TOKEN })
})
afterAll(async () => {
  await Promise.all([bridge.stop(), guarded.stop()])
  await rm(folder, { recursive: true })
})

const get = (server: Running, path: string, token?: string): Promise<Response> =>
  fetch(`${server.url}${path}`, token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } })
const status = async (): Promise<Status> => (await get(bridge, '/status.json')).json()

test('the page is one file, loads only its figures and cannot be framed', async () => {
  const response = await get(bridge, '/status')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; script-src( 'sha256-[^';]+'){2}; style-src( 'sha256-[^';]+'){2}; /)
  expect(policy).toContain("frame-ancestors 'none'")
  const page = await response.text()
  expect(page.match(/(?:src|href)="(?!data:|status\.json")[^"]*"|url\(|@import|\son\w+="|\sstyle="/)).toBeNull()
})

test("its colours match the wallet's", async () => {
  const page = await (await get(bridge, '/status')).text()
  const theme = await readFile(join(root, 'extension/src/ui/theme.css'), 'utf8')
  const tokensIn = (css: string) =>
    [...css.matchAll(/(--(?:c|r|control)[\w-]*): ([^;]+);/g)].map(([, name, value]) => `${name}: ${value}`)
  const known = tokensIn(theme)
  const used = tokensIn(page)
  expect(used.length).toBeGreaterThan(10)
  for (const token of used) expect(known).toContain(token)
})

test('the figures are current and contain no topic or payload', async () => {
  const [ann, ben] = [await connectBridge(bridge.url), await connectBridge(bridge.url)]
  ben.sub('secret-live')
  await ben.rest()
  ann.pub('secret-live', 'secret')
  await ben.payloads(1)
  for (const payload of ['a', 'b']) ann.pub('secret-topic', payload)
  const check = async () => {
    const { queue, frames, ...rest } = await status()
    expect(queue).toMatchObject({ topics: 1, frames: 2, mostBytes: 1000 })
    expect(queue.oldestAt).toBeLessThanOrEqual(Date.now())
    expect(frames).toEqual({ accepted: 3, sent: 1, returned: 0, expired: 0 })
    expect(rest).toMatchObject({ connections: 2, subscriptions: 1, webhooks: { targets: 0, failing: 0 } })
    expect(rest.memoryBytes).toBeGreaterThan(0)
    expect(rest.freeBytes).toBeGreaterThan(0)
  }
  await vi.waitFor(check, { timeout: 20_000 })
  expect(await (await get(bridge, '/status.json')).text()).not.toContain('secret')
  await Promise.all([ann.close(), ben.close()])
})

test.each([
  ['/status', 'text/html; charset=utf-8'],
  ['/status.json', 'application/json; charset=utf-8'],
  ['/metrics', 'application/json; charset=utf-8'],
])('if a token is set, %s without it is 401, and 200 with it', async (path, type) => {
  for (const token of [undefined, 'wrong', `${TOKEN}x`]) {
    const refused = await get(guarded, path, token)
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, type])
    expect(await refused.text()).not.toMatch(/heliograph_publishes|startedAt"/)
  }
  expect((await get(guarded, path, TOKEN)).status).toBe(200)
})

test('sockets need no token', async () => {
  const [ann, ben] = [await connectBridge(guarded.url), await connectBridge(guarded.url)]
  ann.pub('t', 'a')
  ben.sub('t')
  expect(await ben.payloads(1)).toEqual(['a'])
  await Promise.all([ann.close(), ben.close()])
})
