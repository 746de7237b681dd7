/** The popup and the site of the active tab, by keyboard and by mouse. */
import { verifyMessage } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_OF_METHOD } from '../../extension/src/wallet/requests/gate.ts'
import { approve, asked, reject, resultOf } from './deciding.ts'
import { CHROMIUM_DEVICES, expectFocus, INPUT_DEVICES, type InputDevice, mouse } from './input-devices.ts'
import { openedBy } from './opened-pages.ts'
import { ADDRESS, decide, importWallet, isFirefox, type Person, startPerson } from './person.ts'
import { call, read } from './provider.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

/** The second account of each site, and an account that no site has. */
const OTHER = 'Account 2'
const UNGIVEN = 'Account 3'

let web: Web
let person: Person
let home: Page
/** Names of the connected sites, one for each input device. */
const SITES = ['keyboard', 'mouse']
const sites: Record<string, Page> = {}

beforeAll(async () => {
  web = await startWeb({
    '/': '<p>A site</p>',
    '/frame': '<iframe></iframe><script>document.querySelector("iframe").src = location.search.slice(1)</script>',
  })
  person = await startPerson()
  home = await importWallet(person)
  for (const name of [OTHER, UNGIVEN]) await callWallet(home, 'addAccount', { name })
  await callWallet(home, 'selectAccount', { address: ADDRESS })
  for (const name of SITES) {
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
  if (!page) throw new Error(`the site ${name} is not open`)
  return page
}

/** The part of the browser's API that is used in a wallet page. */
declare const chrome: {
  windows: {
    create(options: { type: 'popup'; url: string; focused: false }): Promise<unknown>
    getAll(options: { windowTypes: ['normal'] }): Promise<{ id: number }[]>
    update(id: number, change: { focused: true }): Promise<unknown>
  }
}

/**
 * Opens a separate window behind the window with the tabs. In Firefox, the driver opens each page in its own window,
 * and it does not report a window of an extension if its first document takes more than 100 ms.
 */
const openBehind = async (): Promise<Page> => {
  if (isFirefox) return person.context.newPage()
  const picture = new URL('/icons/icon-16.png', home.url()).href
  const { page } = await openedBy(person.context, picture, () =>
    home.evaluate(async url => {
      const [withTabs] = await chrome.windows.getAll({ windowTypes: ['normal'] })
      if (!withTabs) throw new Error('no window has tabs')
      await chrome.windows.create({ type: 'popup', url, focused: false })
      await chrome.windows.update(withTabs.id, { focused: true })
    }, picture),
  )
  await page.waitForLoadState()
  return page
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

/** Selects the wallet's account, or the account of the site in front. */
const selectAccount = async (page: Page, device: InputDevice, account: string) => {
  await device.press(page, 'button', /^Switch account, /)
  await device.press(page, 'option', new RegExp(`^${account}`))
  await page.getByRole('button', { name: `Switch account, ${account}`, exact: true }).waitFor()
}

const shows = (page: Page, account: string, network: string) =>
  Promise.all([
    page.getByRole('button', { name: `Switch account, ${account}`, exact: true }).waitFor(),
    page.getByRole('button', { name: `Switch network, ${network}`, exact: true }).waitFor(),
  ])

/** Records the events that the page receives. */
const listen = async (page: Page) => {
  await page.evaluate(() => {
    const told: unknown[] = []
    const { ethereum } = window as unknown as {
      ethereum: { on(event: string, listener: (data: unknown) => void): void }
    }
    for (const event of ['accountsChanged', 'chainChanged']) ethereum.on(event, data => told.push(data))
    Object.assign(window, { told })
  })
  return () => page.evaluate(() => (window as unknown as { told: unknown[] }).told)
}

test.for(INPUT_DEVICES)(
  "by %s: the popup shows and changes the account and network of the site in front, not the wallet's own choice",
  async ([name, device]) => {
    const page = siteOf(name)
    const [first, second] = (await read(page, 'eth_accounts')) as string[]
    expect([first, second]).toEqual([ADDRESS.toLowerCase(), expect.stringMatching(/^0x/)])
    const told = await listen(page)
    await home.bringToFront()
    await home.reload()
    await selectAccount(home, device, OTHER)

    const popup = await openOver(page, 'This site uses Account 1 on Ethereum.')
    await shows(popup, 'Account 1', 'Ethereum')
    await device.press(popup, 'button', `Use ${OTHER} here`)
    await shows(popup, OTHER, 'Ethereum')
    await expect.poll(told).toEqual([[second, first]])
    await expectFocus(popup)

    await selectAccount(popup, device, UNGIVEN)
    const third = expect.stringMatching(/^0x/)
    await expect.poll(told).toEqual([
      [second, first],
      [third, second, first],
    ])
    await device.press(popup, 'button', 'Switch network, Ethereum')
    await device.press(popup, 'option', /^Kaia/)
    await shows(popup, UNGIVEN, 'Kaia')
    await expect.poll(() => read(page, 'eth_chainId')).toBe('0x2019')

    await device.press(popup, 'button', 'Show the wallet’s own account and network')
    await shows(popup, OTHER, 'Ethereum')
    await device.press(popup, 'button', 'Show what this site uses')
    await device.press(popup, 'button', 'Switch network, Kaia')
    await device.press(popup, 'button', 'Same as wallet (Ethereum)')
    await shows(popup, UNGIVEN, 'Ethereum')
    await selectAccount(popup, device, 'Account 1')
    await expect.poll(told).toEqual([[second, first], [third, second, first], '0x2019', '0x1', [first, third, second]])
    // The wallet's other pages, and the other site, are unchanged.
    await shows(home, OTHER, 'Ethereum')
    for (const other of SITES) expect(((await read(siteOf(other), 'eth_accounts')) as string[])[0]).toBe(first)
    await popup.close()
  },
)

test.for(CHROMIUM_DEVICES)('by %s: a muted site is unmuted', async ([name, device]) => {
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

// `panel` shows in both browsers that the wallet follows the site of a tab.
if (!isFirefox)
  test("a site that disconnects itself is no longer shown, and a site's frames in other sites are never shown", async () => {
    const page = siteOf('mouse')
    const popup = await openOver(page, 'This site uses Account 1 on Ethereum.')
    await selectAccount(home, mouse, OTHER)
    await shows(popup, 'Account 1', 'Ethereum')
    expect(await read(page, 'wallet_revokePermissions', [{ eth_accounts: {} }])).toBeNull()
    await shows(popup, OTHER, 'Ethereum')
    await popup.getByText('Not connected to this site', { exact: true }).waitFor()
    await popup.close()

    const framing = await person.context.newPage()
    await framing.goto(`${web.origin('framing')}/frame?${web.origin('keyboard')}`)
    await framing.frameLocator('iframe').getByText('A site').waitFor()
    const over = await openOver(framing, 'Not connected to this site')
    await shows(over, OTHER, 'Ethereum')
    await over.close()
  })
