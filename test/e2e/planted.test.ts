/**
 * Hostile bundled packages: on evaluation, each wraps every built-in function that it can replace, in every context of
 * the wallet, and tries the browser's API, requests to the worker and the buttons. It must not see a secret or get
 * anything signed. The arguments that the wallet passes to a package are not tested here: SECURITY.md names the
 * packages that receive secrets.
 */
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Wallet as Account, Mnemonic, verifyMessage } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { API_PACKAGE, buildPlanted, type PlantedBuild } from '../planted/build.ts'
import { findReplaceable } from '../planted/replaceable.ts'
import { keepApi } from '../support/chromium.ts'
import { removeProfile } from '../support/profile.ts'
import { decide, importByHand, openPerson, PASSWORD, type Person } from './person.ts'
import { startWeb, type Web } from './web.ts'

/** A phrase of words that no text of the wallet contains. */
const PHRASE = 'zoo zebra zebra zebra zebra zebra zebra zebra zebra zebra wolf wreck'
/** Milliseconds in which the hostile package can act before the user decides. */
const TEMPTATION = 1_000
/**
 * Milliseconds after which the hostile package must have opened a window in which every built-in is wrapped, and
 * approved in it.
 */
const PRESSING = 60_000
/** Timeout in ms of an action. Packages with replaced functions derive a key much more slowly. */
const DERIVING = 120_000
const PAGES = ['popup', 'approval', 'panel', 'onboarding', 'settings', 'offscreen']
/** Svelte stores its version on the global object. It is not a built-in. */
const NOT_BUILT_IN = /^globalThis\.__svelte/

type News = {
  context: string
  package: string
  heard?: string[]
  reached?: string[]
  tried?: number
  hooked?: number
}

let folder: string
let build: PlantedBuild
let web: Web
let recorder: { url: string; news: News[]; stop(): void }

const startRecorder = async () => {
  const news: News[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (chunks.length > 0) news.push(JSON.parse(String(Buffer.concat(chunks))))
    response.writeHead(204, { 'access-control-allow-origin': '*' }).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://recorder.localhost:${port}/`, news, stop: () => void server.close() }
}

/** Returns the encodings of a secret to search for: plain, hex and base64. */
const formsOf = (secret: string | Uint8Array): string[] => {
  const bytes = Buffer.from(secret)
  return [...(typeof secret === 'string' ? [secret] : []), bytes.toString('hex'), bytes.toString('base64')]
}

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex')

const secretsOf = (vaultKeys: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const mnemonic = Mnemonic.fromPhrase(PHRASE)
  return new Map([
    ['phrase', [...formsOf(PHRASE), 'zebra zebra']],
    ['entropy', formsOf(bytesOf(mnemonic.entropy))],
    ['seed', formsOf(bytesOf(mnemonic.computeSeed()))],
    ['private key', formsOf(bytesOf(Account.fromPhrase(PHRASE).privateKey))],
    ['password', formsOf(PASSWORD)],
    ['vault key', vaultKeys],
  ])
}

/** Returns the names of the secrets that occur in the records. */
const leaksIn = (news: readonly News[], vaultKeys: readonly string[]): string[] => {
  const text = news.flatMap(({ heard = [] }) => heard).join('\n')
  return [...secretsOf(vaultKeys)].filter(([, forms]) => forms.some(form => text.includes(form))).map(([name]) => name)
}

/**
 * Reads the long values of the session store from a page that keeps the browser's API. Drops the records made
 * meanwhile.
 */
const readVaultKeys = async (person: Person): Promise<string[]> => {
  const before = recorder.news.length
  await person.context.addInitScript(keepApi)
  const page = await person.open('popup.html')
  const kept: unknown = await page.evaluate(() => Reflect.get(globalThis, 'chrome').storage.session.get(null))
  await page.close()
  recorder.news.splice(before)
  const values = JSON.stringify(kept).match(/[\w+/=-]{40,}/g) ?? []
  return values.flatMap(value => [value, Buffer.from(value, 'base64').toString('hex')])
}

type Site = {
  ask(method: string, params: unknown[]): Promise<void>
  answer(): Promise<unknown>
  close(): Promise<void>
}

const openSite = async (person: Person): Promise<Site> => {
  const page = await person.context.newPage()
  await page.goto(web.origin('site'))
  return {
    ask: (method, params) =>
      page.evaluate(
        request => {
          const { ethereum } = window as unknown as { ethereum: { request(request: unknown): Promise<unknown> } }
          const state: { answer?: unknown } = {}
          Object.assign(window, { state })
          ethereum.request(request).then(
            answer => Object.assign(state, { answer }),
            error => Object.assign(state, { answer: { code: error.code } }),
          )
        },
        { method, params },
      ),
    answer: () => page.evaluate(() => (window as unknown as { state: { answer?: unknown } }).state.answer),
    close: () => page.close(),
  }
}

const { address } = Account.fromPhrase(PHRASE)
const REQUESTS = [
  { method: 'eth_requestAccounts', params: [], button: 'Connect' },
  { method: 'personal_sign', params: ['0x68656c6c6f', address], button: 'Approve' },
] as const

/** Connects and signs. The user decides after the hostile package has had time to approve. */
const useSite = async (person: Person) => {
  const site = await openSite(person)
  for (const { method, params, button } of REQUESTS) {
    const window = await person.approval(() => site.ask(method, [...params]))
    await pause(TEMPTATION)
    expect(await site.answer(), 'no button was pressed').toBeUndefined()
    // The page is reloaded, because the hostile package may have damaged it.
    await window.reload()
    await decide(window, button)
    await expect.poll(site.answer).toBeDefined()
  }
  expect(verifyMessage('hello', String(await site.answer()))).toBe(address)
  await site.close()
}

/** Sends the same requests without a user, so only the hostile package can approve. Returns the signature. */
const signAlone = async (person: Person): Promise<unknown> => {
  const site = await openSite(person)
  for (const { method, params } of REQUESTS) {
    await site.ask(method, [...params])
    await expect.poll(site.answer, { timeout: PRESSING }).toBeDefined()
  }
  const signature = await site.answer()
  // Waits until all windows are closed: the driver fails to add a script to all pages while a page closes.
  const windows = () => person.context.pages().filter(page => page.url().includes('/approval.html'))
  await expect.poll(windows).toEqual([])
  await site.close()
  return signature
}

/** Locks, unlocks and reveals the phrase in the settings. */
const useSettings = async (person: Person) => {
  const settings = await person.open('settings.html')
  // The page would load the QR code reader only when the camera is used, so the test imports it.
  await settings.evaluate(`import('/assets/settings-decode.js')`)
  await settings.getByRole('link', { name: 'Security', exact: true }).click()
  await settings.getByRole('button', { name: 'Lock', exact: true }).click()
  await settings.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await settings.getByRole('button', { name: 'Unlock', exact: true }).click()
  await settings.getByRole('button', { name: 'Reveal phrase', exact: true }).click()
  const dialog = settings.getByRole('dialog', { name: 'Reveal recovery phrase', exact: true })
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('checkbox', { name: /^I understand/ }).click()
  await dialog.getByRole('button', { name: 'Reveal phrase', exact: true }).click()
  await dialog.getByRole('button', { name: 'Hide phrase', exact: true }).click()
  await settings.close()
}

/** Assigns to properties that frozen prototypes define, as packages do. Throws if an assignment fails. */
const assignOverInherited = (): unknown[] => {
  const error = new TypeError('first')
  error.name = 'Named'
  error.message = 'second'
  const parent = Object.create(Error.prototype) as Error
  parent.name = 'Parent'
  const plain: Record<string, unknown> = {}
  plain.toString = () => 'own'
  Reflect.set(plain, 'constructor', 1)
  class Child extends Error {}
  Child.prototype.toString = () => 'child'
  return [error.name, error.message, parent.name, `${plain}`, plain.constructor, `${new Child()}`]
}

/** Returns the names of the classes and namespaces of the context in which it is called. */
const interfaceNames = () => Object.getOwnPropertyNames(globalThis).filter(name => /^[A-Z]/.test(name))

/** Returns the removed interfaces that a page's own script names, and that it therefore misses. */
const missedIn = async (page: Page, script: string, all: readonly string[]): Promise<string[]> => {
  const kept = await page.evaluate(interfaceNames)
  const code = await page.evaluate(async path => (await fetch(path)).text(), script)
  const namesIn = (pattern: RegExp) => Array.from(code.matchAll(pattern), ([, name = '']) => name)
  const used = new Set([
    ...namesIn(/\b(?:new|instanceof|extends|typeof) ([A-Z]\w*)/g),
    ...namesIn(/(?<![.\w])([A-Z]\w*)(?:\.\w|\()/g),
  ])
  /** Among them are components of the wallet that have the name of an interface. */
  const own = new Set(namesIn(/\b(?:function|class) ([A-Z]\w*)/g))
  return all.filter(name => !kept.includes(name) && used.has(name) && !own.has(name))
}

/** Returns the replaceable built-in functions of each context. */
const replaceableIn = async (person: Person): Promise<{ looked: number; replaceable: string[] }> => {
  const [worker] = person.context.serviceWorkers()
  if (!worker) throw new Error('the worker is not running')
  const base = worker.url().replace('/background.js', '')
  const found = { looked: 0, replaceable: [] as string[] }
  const look = async (
    name: string,
    context: { evaluate(look: typeof findReplaceable): Promise<ReturnType<typeof findReplaceable>> },
  ) => {
    const { looked, replaceable } = await context.evaluate(findReplaceable)
    expect(looked, name).toBeGreaterThan(4_000)
    found.looked += looked
    found.replaceable.push(...replaceable.filter(path => !NOT_BUILT_IN.test(path)).map(path => `${name}: ${path}`))
  }
  await look('worker', worker)
  expect(await worker.evaluate(assignOverInherited)).toEqual(['Named', 'second', 'Parent', 'own', 1, 'child'])
  const page = await person.context.newPage()
  await page.goto(web.origin('site'))
  const all = await page.evaluate(interfaceNames)
  await page.close()
  for (const name of PAGES) {
    const page = await person.context.newPage()
    await page.goto(`${base}/${name}.html`)
    await look(name, page)
    expect(await missedIn(page, `/assets/${name}.js`, all), name).toEqual([])
    await page.close()
  }
  return found
}

type Outcome = {
  contexts: string[]
  packages: string[]
  tried: number
  /** The numbers of replaced functions and of records. */
  hooked: number
  records: number
  /** Secrets that a package saw, by package. */
  leaks: string[]
  /** Parts of the browser's API that a package reached, by package. */
  reached: string[]
}

const named = (name: string) => (found: string) => `${name}: ${found}`

const outcomeOf = (news: readonly News[], vaultKeys: readonly string[]): Outcome => {
  const sum = (count: (one: News) => number) => news.reduce((total, one) => total + count(one), 0)
  const packages = [...new Set(news.map(one => one.package))].toSorted()
  const of = (name: string) => news.filter(one => one.package === name)
  return {
    contexts: [...new Set(news.map(({ context }) => context))].toSorted(),
    packages,
    tried: sum(({ tried = 0 }) => tried),
    hooked: sum(({ hooked = 0 }) => hooked),
    records: sum(({ heard = [] }) => heard.length),
    leaks: packages.flatMap(name => leaksIn(of(name), vaultKeys).map(named(name))),
    reached: packages.flatMap(name => [...new Set(of(name).flatMap(one => one.reached ?? []))].map(named(name))),
  }
}

const startPerson = async (planted: readonly string[], isOpen: boolean): Promise<Person> => {
  const at = await mkdtemp(join(folder, 'run-'))
  const extension = join(at, 'extension')
  await build.write({ planted, recorder: recorder.url, isOpen, to: extension })
  recorder.news.length = 0
  const hosts = 'MAP *.localhost 127.0.0.1, MAP localhost 127.0.0.1, MAP 127.0.0.1 127.0.0.1, MAP * ~NOTFOUND'
  const person = await openPerson({ extension, profile: join(at, 'profile'), headless: true, hosts, isApiTaken: true })
  person.context.setDefaultTimeout(DERIVING)
  return person
}

/** Runs `use` on a wallet with hostile code in the given packages. */
const runPlanted = async (
  planted: readonly string[],
  isOpen: boolean,
  use: (person: Person) => Promise<void>,
): Promise<Outcome> => {
  const person = await startPerson(planted, isOpen)
  try {
    await importByHand(person, PHRASE.split(' '))
    await use(person)
    const vaultKeys = await readVaultKeys(person)
    return outcomeOf(recorder.news, vaultKeys)
  } finally {
    await person.leave()
  }
}

/** Time limit in ms for a build that runs at the same time as other test files. */
const BUILDING = 300_000

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-planted-'))
  build = await buildPlanted(folder)
  web = await startWeb({ '/': '<p>A site</p>' })
  recorder = await startRecorder()
}, BUILDING)
afterAll(async () => {
  recorder?.stop()
  await web?.stop()
  await removeProfile(folder)
})

const HARDENING = [
  'src/hardening/freeze.ts',
  'src/hardening/interception.ts',
  'src/hardening/presses.ts',
  'src/hardening/unused-interfaces.ts',
  'src/hardening/before-packages.ts',
  'dist/browser-polyfill.js',
  'src/browser/api.ts',
  'src/hardening/first.ts',
]
/** Modules of the wallet that open a page's port. They are evaluated before the hardening, and import no package. */
const OPENS_PORT = /^src\/(?:messages\/[\w-]+|browser\/first-port)\.ts$/

test('the hardening is evaluated before every package of the worker and the pages', () => {
  const names = ['background.js', ...PAGES.map(name => `assets/${name}.js`)]
  expect([...build.entries.keys()].toSorted()).toEqual(names.toSorted())
  for (const [name, modules] of build.entries) {
    const own = modules
      .filter(id => !/runtime\.js$|\/test\/planted\//.test(id))
      .map(id => id.replace(/.*\/(?=src\/|dist\/)/, ''))
    const start = own.findIndex(id => !OPENS_PORT.test(id))
    expect(start === 0, name).toBe(/background|offscreen/.test(name))
    expect(own.slice(start, start + HARDENING.length), name).toEqual(HARDENING)
  }
})

test("hostile packages see no secret, cannot reach the browser's API and get nothing signed", async () => {
  const began = performance.now()
  const planted = build.packages.filter(name => name !== API_PACKAGE)
  let replaceable: Awaited<ReturnType<typeof replaceableIn>> | undefined
  const outcome = await runPlanted(planted, false, async person => {
    await useSite(person)
    await useSettings(person)
    replaceable = await replaceableIn(person)
  })
  const seconds = Math.round((performance.now() - began) / 1_000)
  const { tried, hooked, records, leaks } = outcome
  console.log(
    `Planted: ${outcome.packages.length} packages in ${outcome.contexts.join(' ')}, ${tried} functions tried, ${hooked} replaced, ${records} records, ${leaks.length} leaks, ${seconds} s; ${replaceable?.replaceable.length} of ${replaceable?.looked} properties can be replaced`,
  )
  expect(replaceable?.replaceable).toEqual([])
  expect({ ...outcome, tried: 0 }).toEqual({
    contexts: ['/approval.html', '/background.js', '/onboarding.html', '/panel.html', '/popup.html', '/settings.html'],
    packages: planted,
    tried: 0,
    hooked: 0,
    records: 0,
    leaks: [],
    reached: [],
  })
}, 180_000)

test('without the hardening, a hostile package sees every secret and signs without the user', async () => {
  let signature: unknown
  const outcome = await runPlanted(['@noble/hashes'], true, async person => {
    signature = await signAlone(person)
  })
  const { hooked, records, leaks, reached } = outcome
  console.log(`Planted without the hardening: ${hooked} replaced, ${records} records, ${leaks.length} leaks`)
  const expected = (names: readonly string[]) => expect.arrayContaining(names.map(named('@noble/hashes')))
  expect(leaks).toEqual(expected(['phrase', 'entropy', 'private key', 'password', 'vault key']))
  expect(reached).toEqual(expected(['chrome.storage', 'chrome.runtime', 'fetch event of /popup.html']))
  expect(verifyMessage('hello', String(signature))).toBe(address)
}, 180_000)

test("the package that gets the browser's API replaces no function but can sign, as SECURITY.md says", async () => {
  let signature: unknown
  const { hooked, reached } = await runPlanted([API_PACKAGE], false, async person => {
    signature = await signAlone(person)
  })
  expect(hooked).toBe(0)
  expect(reached).toContain(`${API_PACKAGE}: chrome.storage`)
  expect(verifyMessage('hello', String(signature))).toBe(address)
}, 180_000)
