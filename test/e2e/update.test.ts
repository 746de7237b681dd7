/**
 * Updates the extension, uses it, and replaces it by the older version, on one profile with data that version 0.1.0
 * wrote. The newer version is the current one with another version number and data format.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyMessage } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NEWER, newerExtension } from '../support/newer-extension.ts'
import { removeProfile } from '../support/profile.ts'
import { type Fixture, fixtures, keptOf } from '../updates/fixture.ts'
import { ADDRESS, extensionOfRun, forThisBrowser, type Owner, startOwner } from './person.ts'
import { approved, call } from './provider.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

let folder: string
let web: Web
let person: Owner
let older: string
let newer: string
/** The folder from which the browser loads the extension. In Chromium, the id depends on its path. */
let installed: string

const [fixture] = fixtures() as [Fixture]

const install = async (version: string) => {
  await rm(installed, { recursive: true, force: true })
  await cp(version, installed, { recursive: true })
}

/** The part of the browser's API that is used in a wallet page. */
type Area = { get(name: null): Promise<Record<string, unknown>>; set(values: Record<string, unknown>): Promise<void> }
declare const chrome: { storage: { local: Area } }

/** Closes the browser, replaces the extension, and opens the browser again. */
const update = async (version: string) => {
  const open = await person.goAway()
  await install(version)
  // An update from a store replaces the worker's script, but Chromium keeps the script if an extension is loaded from a
  // folder. Without this folder, it loads the new script.
  await removeProfile(join(person.profile, 'Default/Service Worker'))
  person = await open()
}

const storageOf = (page: Page) => page.evaluate(() => chrome.storage.local.get(null))

const unlock = async (page: Page) => {
  await page.getByLabel('Password', { exact: true }).fill(fixture.password)
  await page.getByRole('button', { name: 'Unlock', exact: true }).click()
  await page.getByRole('button', { name: 'Switch account, Account 1', exact: true }).waitFor()
}

/** Connects a site and returns the signature that it gets. */
const sign = async (origin: string): Promise<string> => {
  const page = await person.context.newPage()
  await page.goto(origin)
  await approved(person, page, 'eth_requestAccounts', [], 'Connect')
  const text = `0x${Buffer.from(fixture.signed.text).toString('hex')}`
  return String(await approved(person, page, 'personal_sign', [text, ADDRESS]))
}

/** Time limit in ms for a build that runs at the same time as other test files. */
const BUILDING = 300_000

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-update-'))
  installed = join(folder, 'installed')
  older = await extensionOfRun()
  newer = forThisBrowser(await newerExtension())
  web = await startWeb({ '/': '<p>A site</p>' })
  await install(older)
  person = await startOwner({ extension: installed })
  const page = await person.open('popup.html')
  await page.evaluate(values => chrome.storage.local.set(values), fixture.storage)
}, BUILDING)

afterAll(async () => {
  await person?.leave()
  await web?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('after an update the wallet has kept all its data, and signs as before', async () => {
  await update(newer)
  const home = await person.open('popup.html')
  await unlock(home)
  expect((await callWallet(home, 'getVersion', null)).result).toBe(NEWER.version)
  const { result: state } = await callWallet(home, 'getState', null)
  const { peers: _, ...kept } = fixture.kept
  expect(keptOf(state)).toEqual(kept)
  const signature = await sign(web.origin('first'))
  expect(signature).toBe(fixture.signed.signature)
  expect(verifyMessage(fixture.signed.text, signature)).toBe(ADDRESS)
  expect(await storageOf(home)).toMatchObject({ format: NEWER })
})

test("an older version says that the data is newer, rejects sites' requests, and changes no data", async () => {
  const before = await storageOf(await person.open('popup.html'))
  await update(older)
  const home = await person.open('popup.html')
  await home.getByRole('heading', { name: 'Update Heliograph', exact: true }).waitFor()
  await home.getByText(`written by a newer version of Heliograph (${NEWER.version})`).waitFor()
  const settings = await person.open('settings.html')
  await settings.getByRole('heading', { name: 'Update Heliograph', exact: true }).waitFor()
  const site = await person.context.newPage()
  await site.goto(web.origin('first'))
  expect(await call(site, 'eth_requestAccounts')).toMatchObject({ error: { code: 4100 } })
  expect(await call(site, 'personal_sign', ['0x00', ADDRESS])).toMatchObject({ error: { code: 4100 } })
  expect(await storageOf(home)).toEqual(before)
})
