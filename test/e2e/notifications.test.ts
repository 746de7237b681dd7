/**
 * Notifications of outcomes and of unseen requests, and the keyboard commands. In Chromium, a copy of the extension has
 * the optional permissions from its installation, because a driver cannot answer the browser's question for them.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_SHOWN } from '../../extension/src/wallet/requests/attention.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { mouse } from './input-devices.ts'
import { ADDRESS, extensionOfRun, importWallet, isFirefox, type Owner, startOwner, useLocalChain } from './person.ts'
import { approved, call } from './provider.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

let anvil: Anvil
let web: Web
let folder: string | undefined
let person: Owner
let home: Page
let site: Page
let settings: Page

/** The part of the browser's API that is used in a wallet page. */
declare const chrome: {
  /** Absent without the permission. */
  notifications?: {
    getAll(): Promise<Record<string, unknown>>
    onClosed: { addListener(listener: (id: string) => void): void }
  }
  commands: { getAll(): Promise<{ name: string; shortcut: string }[]> }
}

/** Copies the extension, with its optional permissions among the others. */
const withPermissions = async (): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'heliograph-allowed-'))
  await cp(await extensionOfRun(), copy, { recursive: true })
  const path = join(copy, 'manifest.json')
  const { optional_permissions, permissions, ...rest } = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...rest, permissions: [...permissions, ...optional_permissions] }))
  return copy
}

beforeAll(async () => {
  anvil = await startAnvil()
  web = await startWeb({ '/': '<p>A site</p>' })
  if (!isFirefox) folder = await withPermissions()
  person = await startOwner(folder === undefined ? {} : { extension: folder })
  home = await importWallet(person)
  await useLocalChain(home, anvil.url)
  site = await person.context.newPage()
  await site.goto(web.origin('site'))
  await approved(person, site, 'eth_requestAccounts', [], 'Connect')
  settings = await person.open('settings.html')
  await mouse.press(settings, 'link', /^This browser/)
})

afterAll(async () => {
  await person?.leave()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  await web?.stop()
  await anvil?.stop()
})

/** Notes the notifications that the browser closes. Without a screen, Firefox closes each at once. */
const noteClosed = () =>
  settings.evaluate(() => {
    const closed: string[] = []
    Object.assign(window, { closedNotifications: closed })
    chrome.notifications?.onClosed.addListener(id => closed.push(id))
  })

/** Returns the ids of the notifications that are shown or were closed by the browser. */
const shown = () =>
  settings.evaluate(async () => {
    const { closedNotifications: closed = [] } = window as { closedNotifications?: string[] }
    return [...closed, ...Object.keys((await chrome.notifications?.getAll()) ?? {})]
  })

test('the settings show the keys of both commands as the browser has them', async () => {
  const commands = await settings.evaluate(() => chrome.commands.getAll())
  const keys = commands.map(({ shortcut }) => shortcut)
  expect(keys.filter(key => key !== '')).toHaveLength(2)
  for (const key of keys) await settings.getByText(key, { exact: true }).waitFor()
})

test('switched on, an outcome is notified, and its page shows the transaction', async () => {
  const send = () => approved(person, site, 'eth_sendTransaction', [{ from: ADDRESS, to: ADDRESS, value: '0x1' }])
  const before = await send()
  await expect.poll(async () => (await callWallet(home, 'getState', null)).result.activity[0]?.status).toBe('confirmed')
  expect(await shown()).not.toContain(before)

  await mouse.press(settings, 'switch', 'Notifications')
  await expect.poll(async () => (await callWallet(home, 'getNotifying', null)).result).toBe(true)
  await noteClosed()
  const hash = await send()
  await expect.poll(shown, { timeout: 20_000 }).toEqual([hash])

  const page = await person.open('panel.html')
  await page.goto(`${page.url()}#activity/${hash}`)
  await page.getByText('Confirmed', { exact: true }).first().waitFor()
  await page.close()
})

// The wallet decides alike in both browsers which requests may take the focus.
if (!isFirefox)
  test('a request that may not take the focus is notified', async () => {
    const sign = () => call(site, 'personal_sign', ['0x31', ADDRESS]).catch(() => undefined)
    for (let at = 0; at <= MAX_SHOWN; at++) void sign()
    await expect.poll(shown, { timeout: 20_000 }).toContain('waiting')
    await callWallet(home, 'rejectAll', null)
  })
