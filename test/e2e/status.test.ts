/** The status pages of both servers in a browser: with traffic, during an outage, and with a token. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@heliograph/shared/server/process/eventually.fixture'
import type { RedisReport } from '@heliograph/shared/server/redis/observed'
import type { Running } from '@heliograph/shared/server/transport/service'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startBridge } from '../../bridge-server/src/server.ts'
import type { Status as BridgeStatus } from '../../bridge-server/src/status.ts'
import { findChromium } from '../../programs.js'
import { startRelay } from '../../relay-server/src/server.ts'
import type { Status } from '../../relay-server/src/status/status.ts'
import { connectBridge } from '../support/bridge-client.ts'
import { freePort } from '../support/free-port.ts'
import { connectRelay } from '../support/relay-client.ts'

const TOPIC = 'ab'.repeat(32)
const TOKEN = 'open-sesame'
const SIZES = { desktop: { width: 1200, height: 900 }, phone: { width: 360, height: 740 } }
const DAY = 24 * 60 * 60 * 1000
/** Matches the console message that Chromium logs for an error response. */
const REFUSED = /^Failed to load resource/

let browser: Browser
/** Shows the servers' pages in turn. */
let page: Page
/** Errors of the page that was opened last, and its requests to other origins. */
const complaints: string[] = []
let folder: string
/** The server under test. */
let server: Running
beforeAll(async () => {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium was found: install it, or set CHROMIUM_PATH to one.')
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] })
  page = await browser.newPage({ locale: 'en-GB' })
  page.on('console', message => complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('request', request => {
    const { origin } = new URL(request.url())
    if (!request.url().startsWith('data:') && origin !== new URL(server.url).origin)
      complaints.push(`requests ${origin}`)
  })
})
afterAll(() => browser?.close())

/** Sets the servers' clock to noon UTC, so that no day ends during a test. */
const setNoon = (): void => {
  const realNow = Date.now
  const ahead = DAY / 2 - (realNow() % DAY)
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + ahead)
}

type Settings = { port?: number; statusToken?: string }
const common = () => ({ port: 0, logLevel: 'silent', dataDir: join(folder, 'data') }) as const

const start = async (settings: Settings = {}): Promise<void> => {
  server = await startRelay({ ...common(), ...settings })
}
const startTheBridge = async (settings: Settings = {}): Promise<void> => {
  server = await startBridge({ ...common(), ...settings })
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'status-page-'))
})
afterEach(async () => {
  await server.stop()
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

type Look = { viewport?: { width: number; height: number }; colorScheme?: 'light' | 'dark' }

/** Opens the relay's page. `fixed` replaces the status that the server reports. */
const open = (look: Look = {}, fixed?: Status): Promise<void> => openAt('/', look, fixed)

const openBridge = (look: Look = {}, fixed?: BridgeStatus): Promise<void> => openAt('/status', look, fixed)

const openAt = async (
  path: string,
  { viewport = SIZES.desktop, colorScheme = 'light' }: Look,
  fixed?: object,
): Promise<void> => {
  // Ends the polling of the page that was open.
  await page.goto('about:blank')
  await page.unrouteAll()
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
  if (fixed) await page.route('**/status.json', route => route.fulfill({ json: fixed }))
  complaints.length = 0
  await page.goto(`${server.url}${path}`)
}

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const part = (name: string) => page.getByRole('region', { name, exact: true })

const seen = (name: string, text: string | RegExp) =>
  eventually(async () => expect(await part(name).textContent()).toMatch(text))

const sticksOut = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

test("shows the relay's current figures", async () => {
  setNoon()
  await start()
  await open()
  await heading('Delivering messages').waitFor()
  expect(await page.title()).toBe(`Relay status · ${new URL(server.url).host}`)
  expect(await page.getByRole('status').textContent()).toBe('Live')
  await seen('Connections', /^\s*Connections\s+0\s+Peak today 0/)
  await seen('Mailbox', /^\s*Mailbox\s+0 messages\s+0 B of 16 GB/)

  const [ann, ben] = [await connectRelay(server.url, 1), await connectRelay(server.url, 2)]
  await ben.call('relay_subscribe', { topic: TOPIC })
  await ann.call('relay_publish', { topic: TOPIC, message: 'hello', ttl: 300 })
  const chart = (name: RegExp) => page.getByRole('img', { name }).waitFor({ timeout: 30_000 })
  // The rate counts the last ten seconds. It can be back at 0 before the latency is known, if a period ends in between.
  const rate = chart(/^Messages per second: received 0\.1, delivered 0\.1$/)
  rate.catch(() => undefined)
  await seen('Connections', /^\s*Connections\s+2\s+Peak today 2/)
  await seen('Topics', /^\s*Topics\s+1\s+1 active in the last hour/)
  await seen('Mailbox', /^\s*Mailbox\s+1 message\s+7 B of 16 GB, oldest \d+ s/)
  ben.acknowledge(await ben.push())
  await seen('Mailbox', /^\s*Mailbox\s+0 messages/)
  await chart(/^Delivery latency: p50 [\d.,]+ ms, p99 [\d.,]+ ms$/)
  await rate
  await chart(/^Last 30 days: 1 without interruption, 29 before the first start$/)
  await Promise.all([ann.close(), ben.close()])
  await seen('Connections', /^\s*Connections\s+0\s+Peak today 2/)

  await seen('Events', /Started/)
  await seen(
    'This server',
    /Protocol\s*2\.0[\s\S]*Server key\s*([0-9A-F]{2} ){5}[0-9A-F]{2}[\s\S]*30 d, 256 kB a message/,
  )
  expect(await page.getByRole('table', { name: 'Webhooks' }).textContent()).toContain('No webhook was called')
  expect(await page.getByRole('link').allInnerTexts()).toEqual(['status.json', 'metrics'])
  expect(complaints).toEqual([])
})

test('shows an outage, keeps retrying, and recovers', async () => {
  const port = await freePort()
  await start({ port })
  await open()
  await heading('Delivering messages').waitFor()
  await server.stop()
  await heading('Connection to this page lost').waitFor()
  expect(await page.getByRole('status').textContent()).toBe('Not live')
  expect(
    await page.getByText(/^Figures below are from \d\d:\d\d:\d\d UTC and may be outdated\. Trying again/).count(),
  ).toBe(1)
  expect(await page.getByText(/last update \d\d:\d\d:\d\d, \d+ s ago/).count()).toBe(1)
  await start({ port })
  await heading('Delivering messages').waitFor({ timeout: 60_000 })
  expect(await page.getByRole('status').textContent()).toBe('Live')
  expect(complaints.filter(text => !REFUSED.test(text))).toEqual([])
})

test('asks for a required token, keeps it while the tab is open, and never puts it into a URL', async () => {
  await start({ statusToken: TOKEN })
  await open()
  const urls: string[] = []
  page.on('request', request => urls.push(request.url()))
  await heading('Status token').waitFor()
  const field = page.getByLabel('Token', { exact: true })
  expect(await field.evaluate(input => input === document.activeElement)).toBe(true)
  expect(await field.getAttribute('type')).toBe('password')
  await page.keyboard.type('guess')
  await page.getByRole('button', { name: 'Show status' }).click()
  await page.getByText('That token is wrong.').waitFor()
  expect(await page.getByRole('region').count()).toBe(0)
  await page.keyboard.type(TOKEN)
  await page.keyboard.press('Enter')
  await heading('Delivering messages').waitFor()
  expect(await field.isVisible()).toBe(false)
  expect(await page.getByRole('link').count()).toBe(0)
  await page.reload()
  await heading('Delivering messages').waitFor()
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({})
  expect(page.url()).toBe(`${server.url}/`)
  expect(urls.filter(url => url.includes('guess') || url.includes(TOKEN))).toEqual([])
  expect(complaints.filter(text => !REFUSED.test(text))).toEqual([])
})

test('without JavaScript the page says where to find the figures', async () => {
  await start()
  const plain = await browser.newPage({ javaScriptEnabled: false })
  await plain.goto(server.url)
  const words = plain.locator('noscript p')
  expect(await words.isVisible()).toBe(true)
  expect(await words.textContent()).toMatch(
    /needs JavaScript[\s\S]*The same figures are in\s+status\.json and metrics\./,
  )
  expect(await plain.getByRole('heading').count()).toBe(0)
})

const ours = async (): Promise<Status> => (await fetch(`${server.url}/status.json`)).json()

const SLOTS = 16_384
const GB = 1024 ** 3

/** A report of Redis as a cluster with replicas. */
const wellRedis: RedisReport = {
  isUsable: true,
  servers: 4,
  primaries: 3,
  slots: { assigned: SLOTS, ok: SLOTS, failing: 0 },
  replication: { replicas: 3, lagBytes: 14 * 1024, silentSeconds: 1 },
  memory: { usedBytes: 3.6 * GB, limitBytes: 12 * GB },
  fullest: 0.34,
}

/** A report of Redis with the largest values and with problems. */
const hugeRedis: RedisReport = {
  ...{ isUsable: true, servers: 12_345, primaries: 1000 },
  slots: { assigned: SLOTS, ok: 10_923, failing: 5461 },
  replication: { replicas: 99_999, lagBytes: 9e14, silentSeconds: 9_999_999 },
  memory: { usedBytes: 9e14, limitBytes: 9.5e14 },
  fullest: 0.999,
}

/** Returns a status with the largest values and with problems. */
const huge = (status: Status): Status => {
  const { at } = status
  const target = { attempt: 8, waiting: 123_456_789, retryAt: at + 40_000, lastStatus: 503, lastAt: at - 9000 }
  const sums = { delivered: 987_654_321, firstTry: 0.951, median: 29_999 }
  const many = Array.from({ length: 360 }, (_, index) => (index % 7 === 0 ? null : index * 1e6))
  const { values } = status.series
  return {
    ...status,
    startedAt: at - 4000 * DAY,
    failure: 'the disk is full',
    redis: hugeRedis,
    days: Array.from({ length: 30 }, (_, index) => ({
      day: new Date(at - (29 - index) * DAY).toISOString().slice(0, 10),
      up: index < 9 ? 0 : DAY - (index % 3) * 600_000,
      of: index < 5 ? 0 : DAY,
    })),
    connections: { now: 12_345_678, peak: 1e12 },
    topics: { now: 98_765_432, active: 1e15 },
    mailbox: { messages: 5e9, bytes: 9e14, mostBytes: 1e15, oldestAt: at - 400 * DAY },
    webhooks: {
      perMinute: 1e9,
      firstTry: 0.99999,
      targets: [
        { ...target, ...sums, origin: `https://${'very-long-name.'.repeat(16)}example:65535`, state: 'retrying' },
        { ...target, ...sums, origin: 'https://b.example', state: 'refusing', lastStatus: undefined },
      ],
      more: 4321,
    },
    series: { ...status.series, values: { ...values, p50: many, p99: many, received: many, connections: many } },
    events: [{ at, level: 'warn', text: `Webhook ${'x'.repeat(300)} answered 503, retry 9` }, ...status.events],
  }
}

test.each(['light', 'dark'] as const)(
  'in %s nothing overflows on desktops and phones with large values',
  async colorScheme => {
    await start()
    for (const [size, viewport] of Object.entries(SIZES)) {
      await open({ colorScheme, viewport }, huge(await ours()))
      await heading('Not accepting messages').waitFor()
      expect([size, await sticksOut()]).toEqual([size, 0])
      await seen('Connections', /12,345,678\s+Peak today 1tn/)
      await seen('Webhook deliveries', /99\.9% on first attempt/)
      await seen('Webhooks', /Retrying, 123\.5m queued[\s\S]*Refusing[\s\S]*None, 9 s ago[\s\S]*And 4,321 more\./)
      await seen('Relays on Redis', /12,345/)
      await seen('Primaries', /10,923 of 16,384 slots served, 5,461 failing/)
      const note = page.getByRole('note')
      expect(await note.textContent()).toContain('1 of 4,323 webhooks is failing.')
      expect(await note.textContent()).toContain('Nothing is lost.')
      expect(await page.getByText('the disk is full').count()).toBe(1)
      await page
        .getByRole('img', { name: /^Last 30 days: 7 without interruption, .* down on .*, 5 before the first start$/ })
        .waitFor()
      expect(complaints).toEqual([])
    }
  },
)

const tile = (name: string) => part(name).locator('.stat__s')

test('shows Redis and the relays on it, and marks what needs attention', async () => {
  await start()
  await open({}, { ...(await ours()), redis: wellRedis })
  await seen('Relays on Redis', /4\s+Clients can use any of them/)
  await seen('Primaries', /3\s+16,384 of 16,384 slots served$/m)
  await seen('Replicas', /3\s+14 kB behind, answered 1 s ago/)
  await seen('Redis memory', /3\.6 GB\s+Of 12 GB, fullest primary 34%/)
  expect(await page.locator('#redis .warn').count()).toBe(0)
  expect(complaints).toEqual([])

  await open({}, { ...(await ours()), redis: hugeRedis })
  await seen('Primaries', /5,461 failing/)
  for (const name of ['Primaries', 'Replicas', 'Redis memory'])
    expect(await tile(name).getAttribute('class')).toContain('warn')

  const down = { isUsable: false, servers: 2, primaries: 1 }
  await open({}, { ...(await ours()), failure: 'the connection to Redis is lost', redis: down })
  await heading('Not accepting messages').waitFor()
  await seen('Primaries', /1\s+Redis cannot be used/)
  await seen('Replicas', /–\s+Unknown/)
  await seen('Redis memory', /–\s+Unknown/)
})

test('shows nothing about Redis if the relay does not use it', async () => {
  await start()
  await open()
  await heading('Delivering messages').waitFor()
  expect(await page.locator('#redis').isVisible()).toBe(false)
  expect((await ours()).redis).toBeUndefined()
})

test('charts of a new relay say that there is no data', async () => {
  await start()
  const status = await ours()
  const none = {
    connections: [],
    topics: [],
    messages: [],
    webhooks: [],
    p50: [],
    p99: [],
    received: [],
    delivered: [],
  }
  await open({}, { ...status, series: { ...status.series, values: none }, days: [], events: [] })
  await page.getByRole('img', { name: 'Delivery latency: No deliveries in the last 60 minutes' }).waitFor()
  await page.getByRole('img', { name: 'Messages per second: No figures yet' }).waitFor()
  expect(complaints).toEqual([])
})

test('the table and links are reachable by keyboard with a visible focus', async () => {
  await start()
  await open()
  await heading('Delivering messages').waitFor()
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      const ring = element ? getComputedStyle(element).outlineStyle : ''
      return `${element?.getAttribute('aria-labelledby') ?? element?.textContent} ${ring}`
    })
  const stops: string[] = []
  for (let stop = 0; stop < 3; stop++) {
    await page.keyboard.press('Tab')
    stops.push(await focused())
  }
  expect(stops).toEqual(['webhooks solid', 'status.json solid', 'metrics solid'])
})

describe('the bridge', () => {
  const figure = (name: string) => page.locator('.stat', { has: page.getByRole('heading', { name, exact: true }) })

  test('shows its current figures', async () => {
    await startTheBridge()
    await openBridge()
    await heading('Delivering frames').waitFor()
    expect(await page.title()).toBe(`Bridge status · ${new URL(server.url).host}`)
    expect(await page.getByRole('status').textContent()).toBe('Live')
    const ann = await connectBridge(server.url)
    ann.pub('topic', 'payload')
    await eventually(async () => {
      expect(await figure('Connections').textContent()).toMatch(/1\s+0 subscriptions/)
      expect(await figure('Queued frames').textContent()).toMatch(/1\s+\d+ B of 512 MB on 1 topic, oldest \d+ s/)
      expect(await figure('Recently called webhooks').textContent()).toMatch(/0\s+None failing/)
    })
    await seen('This server', /1 frame accepted, 0 sent again, 0 expired/)
    await ann.close()
    expect(complaints).toEqual([])
  })

  test('shows an outage, keeps retrying, and recovers', async () => {
    const port = await freePort()
    await startTheBridge({ port })
    await openBridge()
    await heading('Delivering frames').waitFor()
    await server.stop()
    await heading('Connection to this page lost').waitFor()
    expect(await page.getByRole('status').textContent()).toBe('Not live')
    await startTheBridge({ port })
    await heading('Delivering frames').waitFor({ timeout: 60_000 })
    expect(complaints.filter(text => !REFUSED.test(text))).toEqual([])
  })

  test('asks for a required token', async () => {
    await startTheBridge({ statusToken: TOKEN })
    await openBridge()
    await heading('Status token').waitFor()
    await page.keyboard.type('guess')
    await page.keyboard.press('Enter')
    await page.getByText('That token is wrong.').waitFor()
    expect(await page.getByText('Queued frames').isVisible()).toBe(false)
    await page.keyboard.type(TOKEN)
    await page.keyboard.press('Enter')
    await heading('Delivering frames').waitFor()
    expect(await page.getByRole('link').count()).toBe(0)
  })

  test.each(['light', 'dark'] as const)('in %s nothing overflows with large values', async colorScheme => {
    await startTheBridge()
    const status: BridgeStatus = await (await fetch(`${server.url}/status.json`)).json()
    const large: BridgeStatus = {
      ...status,
      failure: 'the disk is full',
      connections: 12_345_678,
      subscriptions: 98_765_432,
      queue: { ...status.queue, topics: 1e9, frames: 5e9, bytes: 9e14, mostBytes: 1e15, oldestAt: 0 },
      frames: { accepted: 1e12, sent: 9e11, returned: 1e10, expired: 1e9 },
      webhooks: { targets: 4321, failing: 17 },
    }
    for (const [size, viewport] of Object.entries(SIZES)) {
      await openBridge({ colorScheme, viewport }, { ...large, redis: hugeRedis })
      await heading('Not accepting frames').waitFor()
      await seen('Bridges on Redis', /12,345/)
      expect([size, await sticksOut()]).toEqual([size, 0])
      await openBridge({ colorScheme, viewport }, large)
      await heading('Keeping frames in memory only').waitFor()
      expect([size, await sticksOut()]).toEqual([size, 0])
      expect(await figure('Queued frames').textContent()).toMatch(/5bn\s+819 TB of 909 TB on 1bn topics/)
      expect(complaints).toEqual([])
    }
  })
})
