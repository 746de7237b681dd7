/** The provider next to another wallet's. In a copy of the extension, a content script plays the other wallet. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extensionOfRun, type Owner, PASSWORD, PHRASE, startOwner } from './person.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

let extension: string
let person: Owner
let web: Web
let home: Page

/** Copies the extension and adds a script that runs before its own scripts, as another wallet's script can. */
const withOtherWallet = async (built: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-other-wallet-'))
  await cp(built, folder, { recursive: true })
  await writeFile(join(folder, 'other.js'), 'window.ethereum = { isOther: true }')
  const path = join(folder, 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  const other = { js: ['other.js'], matches: ['http://*/*'], run_at: 'document_start', world: 'MAIN' }
  const content_scripts = [other, ...manifest.content_scripts]
  await writeFile(path, JSON.stringify({ ...manifest, content_scripts }))
  return folder
}

beforeAll(async () => {
  web = await startWeb({ '/': '<p>A site</p>' })
  extension = await withOtherWallet(await extensionOfRun())
  person = await startOwner({ extension })
  home = await person.open('onboarding.html')
  await callWallet(home, 'createVault', { password: PASSWORD, phrase: PHRASE })
})
afterAll(async () => {
  await person?.leave()
  await web?.stop()
  if (extension) await rm(extension, { recursive: true, force: true })
})

test('takes precedence over another wallet on the sites that the user chose', async () => {
  const page = await person.context.newPage()
  await page.goto(web.origin('site'))
  const choose = (asMetaMask: boolean, asEthereum: boolean) =>
    callWallet(home, 'setSiteChoice', { origin: web.origin('site'), asMetaMask, asEthereum })
  const reload = async () => {
    await page.reload()
    return page.evaluate(() => {
      const ethereum: object = Reflect.get(window, 'ethereum')
      return [Reflect.get(ethereum, 'isMetaMask'), Reflect.get(ethereum, 'isOther')]
    })
  }
  await choose(true, false)
  expect(await reload()).toEqual([undefined, true])
  await choose(true, true)
  expect(await reload()).toEqual([true, undefined])
  await choose(false, false)
  expect(await reload()).toEqual([undefined, true])
})
