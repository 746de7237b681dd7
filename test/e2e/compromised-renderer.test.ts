/**
 * A page that controls the content script tries every storage area, message and port of the extension, with the wallet
 * unlocked and locked. It must read no key, change nothing and get no account, even after the worker and, in the
 * complete run, the browser have restarted.
 */
import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UiState } from '../../extension/src/messages.ts'
import { builtExtension } from '../support/build.ts'
import {
  type Attack,
  type AttackOptions,
  attackOf,
  attackText,
  compromise,
  countChanges,
  NO_CHANGES,
} from '../support/compromised.ts'
import { isComplete } from '../support/suite.ts'
import { ADDRESS, importWallet, type Owner, PASSWORD, PHRASE, startOwner } from './person.ts'
import { approved, read } from './provider.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

let web: Web
let extension: string
let person: Owner
let page: Page
/** The state that no attack may change. */
let unlocked: Awaited<ReturnType<typeof settingsNow>>

beforeAll(async () => {
  extension = await compromise(await builtExtension())
  web = await startWeb({ '/': '<body></body>' })
  person = await startOwner({ extension })
  page = await importWallet(person)
  const site = await person.context.newPage()
  await site.goto(web.origin('site'))
  await approved(person, site, 'eth_requestAccounts', undefined, 'Connect')
  await site.close()
  await callWallet(page, 'setSafety', { asksPassword: true })
  unlocked = await settingsNow()
  expect(unlocked).toMatchObject({
    phase: 'unlocked',
    safety: { asksPassword: true },
    sites: [{ origin: web.origin('site') }],
  })
})

afterAll(async () => {
  await person.leave()
  await web.stop()
  await rm(extension, { recursive: true, force: true })
})

/** Reads the state that an attacker could want to change, as the wallet's pages show it. */
const settingsNow = async () => {
  const { phase, accounts, sites, chainId, networks, safety, autoLockMinutes, contacts, reset, requests } = (
    await callWallet(page, 'getState', null)
  ).result as UiState
  return { phase, accounts, sites, chainId, networks, safety, autoLockMinutes, contacts, reset, requests }
}

const attackFrom = async (evil: Page, options: Pick<AttackOptions, 'writes' | 'destroys'>): Promise<Attack> => {
  const attack = attackOf({
    account: ADDRESS,
    connected: web.origin('site'),
    password: PASSWORD,
    spares: [],
    ...options,
  })
  return evil.evaluate(
    given =>
      new Promise<Attack>(resolve => {
        window.addEventListener('message', ({ data }) => data?.attacked && resolve(data.attacked))
        window.postMessage({ attack: given }, '*')
      }),
    attack,
  )
}

/** Values that would help an attacker: the account, words of the phrase, the vault, 32-byte keys. */
const SECRETS = [ADDRESS.slice(2), PHRASE, 'sealed', '"kdf"', 'phraseId']
const KEY = /\b[0-9a-f]{64}\b/i

const assertNothing = ({ received }: Attack) => {
  const got = JSON.parse(received).filter(([what]: [string]) => what !== 'fetch manifest.json')
  const text = JSON.stringify(got)
  const tried = new Map<string, unknown>(got)
  for (const name of ['local get vault', 'session get vault-key', 'local set sites', 'local clear'])
    expect(tried.get(name), name).toMatch(/^refused: Error: Access to storage is not allowed/)
  expect(SECRETS.filter(secret => text.toLowerCase().includes(secret.toLowerCase()))).toEqual([])
  expect(text).not.toMatch(KEY)
  expect(
    got.filter(([what, value]: [string, unknown]) => what === 'port ui' && JSON.stringify(value) !== '[]'),
  ).toEqual([])
}

test('a page that controls the content script reads no key, changes nothing and gets no account', async () => {
  const begun = Date.now()
  let attempts = 0
  let changes = NO_CHANGES
  const evil = await person.context.newPage()
  await evil.goto(web.origin('evil'))
  const attack = async () => {
    const done = await attackFrom(evil, { writes: true, destroys: true })
    attempts += done.attempts
    changes = countChanges(changes, done)
    assertNothing(done)
  }

  await attack()
  expect(await settingsNow()).toEqual(unlocked)
  await person.killWorker()
  expect(await settingsNow()).toEqual(unlocked)
  await callWallet(page, 'lock', null)
  await evil.reload()
  await attack()
  await person.killWorker()
  // This call starts the next worker before the unlock, because an unlock is not retried if its port leads to the
  // stopped worker.
  expect(await settingsNow()).toMatchObject({ phase: 'locked' })
  await callWallet(page, 'unlock', { password: PASSWORD })
  expect(await settingsNow()).toEqual(unlocked)
  expect(await read(evil, 'eth_accounts')).toEqual([])
  console.log(attackText('Chromium', attempts, changes, begun))
})

const afterRestart = async () => {
  const comeBack = await person.goAway()
  person = await comeBack()
  page = await person.open('settings.html')
  await callWallet(page, 'unlock', { password: PASSWORD })
  expect(await settingsNow()).toEqual(unlocked)
  const again = await person.context.newPage()
  await again.goto(web.origin('evil'))
  expect(await read(again, 'eth_accounts')).toEqual([])
  const site = await person.context.newPage()
  await site.goto(web.origin('site'))
  expect(await read(site, 'eth_accounts')).toEqual([ADDRESS.toLowerCase()])
}

if (isComplete) test('the same holds after the browser has restarted', afterRestart)
