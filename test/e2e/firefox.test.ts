/**
 * A page that owns the content script, in Firefox, which lets content scripts use storage.local. The vault's ciphertext can
 * be read and deleted there. Nothing that is written takes effect: what does not authenticate is reset to strict defaults.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { builtExtension } from '../build.ts'
import {
  type Attack,
  type AttackOptions,
  attackOf,
  attackText,
  compromise,
  countChanges,
  NO_CHANGES,
} from '../compromised.ts'
import { callFirefoxWallet, type Firefox, openFirefox } from '../firefox.ts'
import { ADDRESS, PASSWORD, PHRASE } from './person.ts'
import { startWeb, type Web } from './web.ts'

let web: Web
let extension: string
let profile: string
let firefox: Firefox
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

const stateNow = () => callFirefoxWallet(page, 'getState', null)

const reopen = async () => {
  await firefox.close()
  firefox = await openFirefox({ extension, profile })
  // The settings of a wallet that is not set up give way to the setup.
  page = await firefox.open('popup.html')
  evil = await firefox.visit(web.origin('evil'))
}

beforeAll(async () => {
  extension = await compromise(join(await builtExtension(), '../firefox'))
  profile = await mkdtemp(join(tmpdir(), 'heliograph-firefox-'))
  web = await startWeb({ '/': '<body></body>' })
  firefox = await openFirefox({ extension, profile })
  page = await firefox.open('onboarding.html')
  await callFirefoxWallet(page, 'createVault', { password: PASSWORD, phrase: PHRASE })
  // Before the approval window comes and goes: a new tab opens in the window that is in front.
  evil = await firefox.visit(web.origin('evil'))
  const site = await firefox.visit(web.origin('site'))
  const connecting = request(site, 'eth_requestAccounts')
  const asked = await vi.waitFor(
    async () => {
      const [first] = (await stateNow()).requests
      if (!first) throw new Error('the site has not asked')
      return first
    },
    { timeout: 20_000 },
  )
  await callFirefoxWallet(page, 'decide', {
    id: asked.id,
    approve: true,
    accounts: [ADDRESS],
    revision: asked.revision,
  })
  expect(await connecting).toEqual([ADDRESS.toLowerCase()])
  await callFirefoxWallet(page, 'setSafety', { allowsUnreadable: false })
})

afterAll(async () => {
  await firefox?.close()
  await web.stop()
  for (const folder of [extension, profile]) await rm(folder, { recursive: true, force: true })
  console.log(attackText('Firefox', attempts, changes, begun))
})

/** Attacks, and asserts that no key and no account was read. */
const attack = async (
  options: Pick<AttackOptions, 'writes' | 'destroys' | 'spares'>,
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
  // What is in storage.local is ciphertext, or what the attacker wrote itself; the first test looks at it.
  const text = JSON.stringify(got.filter(([what]) => !/^(local|sync) /.test(what))).toLowerCase()
  for (const secret of [ADDRESS.slice(2), PHRASE, 'phraseId']) expect(text).not.toContain(secret.toLowerCase())
  expect(text).not.toMatch(/\b[0-9a-f]{64}\b/)
  const tried = new Map(got)
  expect(tried.get('port ui')).toEqual([])
  expect(tried.get('session get vault-key')).toMatch(/^refused/)
  return tried
}

const VAULT = ['vault', 'vault-previous']

test('reading shows ciphertext and nothing else', async () => {
  const before = await stateNow()
  const tried = await attack({ writes: false, destroys: false, spares: [] })
  expect(tried.get('local get vault')).toMatchObject({ vault: { sealed: expect.any(String) } })
  expect(JSON.stringify(tried.get('local all'))).not.toMatch(/site\.localhost|allowsUnreadable|f39fd6e5|test test/i)
  expect(await request(evil, 'eth_accounts')).toEqual([])
  expect(await stateNow()).toEqual(before)
})

test('what is written takes no effect, also after the browser has started again and the wallet is unlocked', async () => {
  await attack({ writes: true, destroys: false, spares: VAULT })
  expect(await request(evil, 'eth_accounts')).toEqual([])
  expect((await stateNow()).sites).toMatchObject([{ origin: web.origin('site'), accounts: [ADDRESS] }])
  await reopen()
  expect(await request(evil, 'eth_accounts')).toEqual([])
  await callFirefoxWallet(page, 'unlock', { password: PASSWORD })
  const { phase, sites, chainId, safety, reset, accounts } = await stateNow()
  expect({ phase, sites, chainId, safety }).toMatchObject({
    phase: 'unlocked',
    sites: [],
    chainId: 31337,
    safety: { asksPassword: true, allowsUnreadable: false },
  })
  expect(accounts).toMatchObject([{ address: ADDRESS }])
  expect(reset).toContain('settings')
  expect(await request(evil, 'eth_accounts')).toEqual([])
})

test('deleting everything leaves a wallet that has to be set up again, and no site has an account', async () => {
  await attack({ writes: false, destroys: true, spares: [] })
  await reopen()
  const { phase, sites, accounts } = await stateNow()
  expect({ phase, sites, accounts }).toEqual({ phase: 'empty', sites: [], accounts: [] })
  expect(await request(evil, 'eth_accounts')).toEqual([])
})
