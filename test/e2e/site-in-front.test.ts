/** The popup and the site of the active tab, by keyboard and by mouse. */
import { verifyMessage } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_OF_METHOD } from '../../extension/src/wallet/requests/rejections.ts'
import { approve, asked, reject, resultOf } from './deciding.ts'
import { expectFocus, INPUT_DEVICES, type InputDevice, mouse } from './input-devices.ts'
import { ADDRESS, decide, importWallet, type Person, startPerson } from './person.ts'
import { call, read } from './provider.ts'
import { startWeb, type Web } from './web.ts'

/** The account that each site uses. */
const OTHER = 'Account 2'

let web: Web
let person: Person
let home: Page
const sites: Record<string, Page> = {}

beforeAll(async () => {
  web = await startWeb({ '/': '<p>A site</p>' })
  person = await startPerson()
  home = await importWallet(person)
  await mouse.press(home, 'button', /^Switch account, /)
  await mouse.press(home, 'button', 'Add account')
  await mouse.press(home, 'button', 'Add account')
  await home.getByRole('button', { name: `Switch account, ${OTHER}`, exact: true }).waitFor()
  await selectAccount(home, mouse, 'Account 1')
  for (const [name] of INPUT_DEVICES) {
    const page = await person.context.newPage()
    await page.goto(web.origin(name))
    await asked(person, page, 'eth_requestAccounts', [], async window => {
      await mouse.press(window, 'checkbox', OTHER)
      await decide(window, 'Connect')
    })
    sites[name] = page
  }
})

afterAll(async () => {
  await person?.leave()
  await web?.stop()
})

const siteOf = (name: string): Page => {
  const page = sites[name]
  if (!page) throw new Error(`There is no site ${name}`)
  return page
}

/** The part of the browser's API that the test uses in a page of the wallet. */
declare const chrome: {
  windows: {
    create(options: { type: 'popup'; url: string; focused: false }): Promise<unknown>
    getAll(options: { windowTypes: ['normal'] }): Promise<{ id: number }[]>
    update(id: number, change: { focused: true }): Promise<unknown>
  }
}

/** Opens a window of its own, and focuses the window with the tabs again. */
const openBehind = async (): Promise<Page> => {
  const opened = person.context.waitForEvent('page')
  await home.evaluate(async () => {
    const [withTabs] = await chrome.windows.getAll({ windowTypes: ['normal'] })
    if (!withTabs) throw new Error('No window has tabs')
    await chrome.windows.create({ type: 'popup', url: 'about:blank', focused: false })
    await chrome.windows.update(withTabs.id, { focused: true })
  })
  return opened
}

/** Opens the wallet's home in another window while the site's tab is active, and focuses it once it shows the text. */
const openOver = async (site: Page, shown: string | RegExp): Promise<Page> => {
  const popup = await openBehind()
  await site.bringToFront()
  await popup.goto(home.url())
  await popup.getByText(shown, { exact: true }).waitFor()
  await popup.bringToFront()
  return popup
}

/** Selects an account while no site's tab is active. */
const selectAccount = async (page: Page, device: InputDevice, account: string) => {
  await device.press(page, 'button', /^Switch account, /)
  await device.press(page, 'option', new RegExp(`^${account}`))
  await page.getByRole('button', { name: `Switch account, ${account}`, exact: true }).waitFor()
}

test.for(INPUT_DEVICES)('by %s: the active site gets the selected account', async ([name, device]) => {
  const page = siteOf(name)
  const [first, second] = (await read(page, 'eth_accounts')) as string[]
  expect([first, second]).toEqual([ADDRESS.toLowerCase(), expect.stringMatching(/^0x/)])
  await page.evaluate(() => {
    const told: unknown[] = []
    const { ethereum } = window as unknown as {
      ethereum: { on(event: string, listener: (data: unknown) => void): void }
    }
    ethereum.on('accountsChanged', accounts => told.push(accounts))
    Object.assign(window, { told })
  })
  const told = () => page.evaluate(() => (window as unknown as { told: unknown[] }).told)
  // The home names the site of the tab that was active when it was opened: none, if that is its own.
  await home.bringToFront()
  await home.reload()
  await selectAccount(home, device, OTHER)

  const popup = await openOver(page, 'This site uses Account 1.')
  await device.press(popup, 'button', 'Use this account here')
  await expect.poll(told).toEqual([[second, first]])
  await popup.getByText('This site uses Account 1.', { exact: true }).waitFor({ state: 'detached' })
  await expectFocus(popup)
  // The account list does the same for the active site.
  await selectAccount(popup, device, 'Account 1')
  await expect.poll(told).toEqual([
    [second, first],
    [first, second],
  ])
  expect(await read(page, 'eth_accounts')).toEqual([first, second])
  await popup.close()
})

test.for(INPUT_DEVICES)('by %s: a muted site is unmuted', async ([name, device]) => {
  const page = siteOf(name)
  const sign = ['0x6d75746564', ADDRESS]
  for (let at = 0; at < MAX_OF_METHOD; at++) {
    const rejected = await asked(person, page, 'personal_sign', sign, window => reject(device, window))
    expect(rejected).toMatchObject({ error: { code: 4001 } })
  }
  expect(await call(page, 'personal_sign', sign)).toMatchObject({ error: { code: -32005 } })
  const popup = await openOver(page, /^Muted until /)
  await device.press(popup, 'button', 'Allow requests')
  await popup.getByText(/^Muted until /).waitFor({ state: 'detached' })
  await expectFocus(popup)
  const signed = await asked(person, page, 'personal_sign', sign, window => approve(device, window))
  expect(verifyMessage('muted', resultOf(signed))).toBe(ADDRESS)
  await popup.close()
})
