/**
 * A page that controls the content script in Firefox, where content scripts can use storage.local. It can read and
 * delete the vault's ciphertext, but its writes have no effect: values that fail authentication are reset to strict
 * defaults.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  type Attack,
  type AttackOptions,
  attackOf,
  attackText,
  compromise,
  countChanges,
  NO_CHANGES,
} from '../support/compromised.ts'
import { driveFirefox } from '../support/firefox.ts'
import { ADDRESS, extensionOfRun, type Owner, PASSWORD, PHRASE, startOwner } from './person.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

let web: Web
let extension: string
let person: Owner
let page: Page
let evil: Page
let attempts = 0
let changes = NO_CHANGES
const begun = Date.now()

const request = (site: Page, method: string): Promise<unknown> =>
  site.evaluate(
    asked => (window as unknown as { ethereum: { request(asked: unknown): Promise<unknown> } }).ethereum.request(asked),
    { method },
  )

const stateNow = async () => (await callWallet(page, 'getState', null)).result

const visit = async (name: string): Promise<Page> => {
  const site = await person.context.newPage()
  await site.goto(web.origin(name))
  return site
}

const reopen = async () => {
  const comeBack = await person.goAway()
  person = await comeBack()
  // Without a wallet, the settings page redirects to the setup.
  page = await person.open('popup.html')
  evil = await visit('evil')
}

beforeAll(async () => {
  extension = await compromise(await extensionOfRun())
  web = await startWeb({ '/': '<body></body>' })
  person = await startOwner({ extension })
  page = await person.open('onboarding.html')
  await callWallet(page, 'createVault', { password: PASSWORD, phrase: PHRASE })
  evil = await visit('evil')
  const site = await visit('site')
  const connecting = request(site, 'eth_requestAccounts')
  const asked = await vi.waitFor(
    async () => {
      const [first] = (await stateNow()).requests
      if (!first) throw new Error("the site's request has not arrived")
      return first
    },
    { timeout: 20_000 },
  )
  await callWallet(page, 'decide', {
    id: asked.id,
    approve: true,
    accounts: [ADDRESS],
    revision: asked.revision,
  })
  expect(await connecting).toEqual([ADDRESS.toLowerCase()])
  await callWallet(page, 'setSafety', { allowsUnreadable: false })
})

afterAll(async () => {
  await person?.leave()
  await web.stop()
  await rm(extension, { recursive: true, force: true })
  console.log(attackText('Firefox', attempts, changes, begun))
})

/** Runs the attack and asserts that it read no key and no account. */
const attack = async (
  options: Pick<AttackOptions, 'writes' | 'destroys' | 'spares' | 'copies'>,
): Promise<Map<string, unknown>> => {
  const given = attackOf({ account: ADDRESS, connected: web.origin('site'), password: PASSWORD, ...options })
  const done = await evil.evaluate(
    told =>
      new Promise<Attack>(resolve => {
        window.addEventListener('message', ({ data }) => data?.attacked && resolve(data.attacked))
        window.postMessage({ attack: told }, '*')
      }),
    given,
  )
  attempts += done.attempts
  changes = countChanges(changes, done)
  const got: [string, unknown][] = JSON.parse(done.received)
  // storage.local and storage.sync are left out: they have only ciphertext, which the first test checks, and the
  // attacker's own writes.
  const text = JSON.stringify(got.filter(([what]) => !/^(local|sync) /.test(what))).toLowerCase()
  for (const secret of [ADDRESS.slice(2), PHRASE, 'phraseId']) expect(text).not.toContain(secret.toLowerCase())
  expect(text).not.toMatch(/\b[0-9a-f]{64}\b/)
  const tried = new Map(got)
  expect(tried.get('port ui')).toEqual([])
  const session = got.filter(([what]) => what.startsWith('session get '))
  expect(session.length).toBeGreaterThan(0)
  for (const [what, value] of session) expect(value, what).toMatch(/^refused/)
  return tried
}

const VAULT = ['vault', 'vault-previous']
const MIRA = '0x5aeda56215b167893e80b4fe645ba6d5bab767de'

test('storage contains only ciphertext', async () => {
  const before = await stateNow()
  const tried = await attack({ writes: false, destroys: false, spares: [] })
  expect(tried.get('local get vault')).toMatchObject({ vault: { sealed: expect.any(String) } })
  expect(JSON.stringify(tried.get('local all'))).not.toMatch(/site\.localhost|allowsUnreadable|f39fd6e5|test test/i)
  expect(await request(evil, 'eth_accounts')).toEqual([])
  expect(await stateNow()).toEqual(before)
})

test('writes have no effect, also after a restart of the browser and an unlock', async () => {
  await attack({ writes: true, destroys: false, spares: VAULT })
  expect(await request(evil, 'eth_accounts')).toEqual([])
  expect((await stateNow()).sites).toMatchObject([{ origin: web.origin('site'), accounts: [ADDRESS] }])
  await reopen()
  expect(await request(evil, 'eth_accounts')).toEqual([])
  await callWallet(page, 'unlock', { password: PASSWORD })
  const { phase, sites, chainId, safety, reset, accounts } = await stateNow()
  expect({ phase, sites, chainId, safety }).toMatchObject({
    phase: 'unlocked',
    sites: [],
    chainId: 1,
    safety: { asksPassword: true, allowsUnreadable: false },
  })
  expect(accounts).toMatchObject([{ address: ADDRESS }])
  expect(reset).toContain('settings')
  expect(await request(evil, 'eth_accounts')).toEqual([])
})

test('restored older values are rejected and named, also after a restart of the browser and an unlock', async () => {
  await callWallet(page, 'dismissReset', null)
  await callWallet(page, 'setSafety', { asksPassword: false, password: PASSWORD })
  await callWallet(page, 'saveContact', { address: MIRA, name: 'Mira' })
  const seen = await attack({ writes: false, destroys: false, spares: [] })
  const copyOf = (name: string) => (seen.get(`local get ${name}`) as Record<string, unknown>)[name]
  const copies = { settings: copyOf('settings'), contacts: copyOf('contacts') }
  expect(copies).toMatchObject({ settings: { sealed: expect.any(String) }, contacts: { sealed: expect.any(String) } })
  await callWallet(page, 'setSafety', { asksPassword: true })
  await callWallet(page, 'saveContact', { address: MIRA, name: 'Mira of the harbour' })
  await attack({ writes: true, destroys: false, spares: [], copies })
  await reopen()
  await callWallet(page, 'unlock', { password: PASSWORD })
  const { safety, contacts, reset } = await stateNow()
  expect({ safety, contacts, reset: reset.toSorted() }).toMatchObject({
    safety: { asksPassword: true },
    contacts: [],
    reset: ['contacts', 'settings'],
  })
})

test('deleting everything resets the wallet, and no site has an account', async () => {
  await attack({ writes: false, destroys: true, spares: [] })
  await reopen()
  const { phase, sites, accounts } = await stateNow()
  expect({ phase, sites, accounts }).toEqual({ phase: 'empty', sites: [], accounts: [] })
  expect(await request(evil, 'eth_accounts')).toEqual([])
})

test('a Firefox that fails to start leaves no listening socket and no folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-temporary-'))
  const servers = () => process.getActiveResourcesInfo().filter(name => name === 'TCPServerWrap')
  const extension = await extensionOfRun()
  const before = servers()
  vi.stubEnv('TMPDIR', folder)
  vi.stubEnv('FIREFOX_PATH', process.execPath)
  try {
    await expect(driveFirefox({ extension, profile: join(folder, 'profile'), headless: true })).rejects.toThrow()
    expect((await readdir(folder)).filter(name => name.startsWith('heliograph-driven-'))).toEqual([])
    expect(servers()).toEqual(before)
  } finally {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  }
})
