/** What the wallet's popup says and does about the site in front of which it opens: by keyboard alone and by mouse. */
import { verifyMessage } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_OF_METHOD } from '../../extension/src/wallet/rejections.ts'
import { approve, asked, reject, resultOf } from './deciding.ts'
import { expectFocus, HANDS, type Hand, mouse } from './hands.ts'
import { ADDRESS, decide, importWallet, type Person, startPerson } from './person.ts'
import { call, read } from './provider.ts'
import { startWeb, type Web } from './web.ts'

/** Name of the second account of every site. */
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
  for (const [name] of HANDS) {
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

/** The wallet's home as it is opened over the site in front. */
const openOver = async (site: Page): Promise<Page> => {
  const popup = await person.context.newPage()
  await site.bringToFront()
  await popup.goto(home.url())
  return popup
}

/** Selects an account while no site is in front. */
const selectAccount = async (page: Page, hand: Hand, account: string) => {
  await hand.press(page, 'button', /^Switch account, /)
  await hand.press(page, 'option', new RegExp(`^${account}`))
  await page.getByRole('button', { name: `Switch account, ${account}`, exact: true }).waitFor()
}

test.for(HANDS)('by %s: the site in front is given the account that is in use', async ([name, hand]) => {
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
  await home.bringToFront()
  await selectAccount(home, hand, OTHER)

  const popup = await openOver(page)
  await popup.getByText('This site uses Account 1.', { exact: true }).waitFor()
  await hand.press(popup, 'button', 'Use this account here')
  await expect.poll(told).toEqual([[second, first]])
  await popup.getByText('This site uses Account 1.', { exact: true }).waitFor({ state: 'detached' })
  await expectFocus(popup)
  // The list of accounts does the same for the site in front.
  await selectAccount(popup, hand, 'Account 1')
  await expect.poll(told).toEqual([
    [second, first],
    [first, second],
  ])
  expect(await read(page, 'eth_accounts')).toEqual([first, second])
  await popup.close()
})

test.for(HANDS)('by %s: a site that was muted may ask again', async ([name, hand]) => {
  const page = siteOf(name)
  const sign = ['0x6d75746564', ADDRESS]
  for (let at = 0; at < MAX_OF_METHOD; at++) {
    const rejected = await asked(person, page, 'personal_sign', sign, window => reject(hand, window))
    expect(rejected).toMatchObject({ error: { code: 4001 } })
  }
  expect(await call(page, 'personal_sign', sign)).toMatchObject({ error: { code: -32005 } })
  const popup = await openOver(page)
  await popup.getByText(/^Muted until /).waitFor()
  await hand.press(popup, 'button', 'Allow requests')
  await popup.getByText(/^Muted until /).waitFor({ state: 'detached' })
  await expectFocus(popup)
  const signed = await asked(person, page, 'personal_sign', sign, window => approve(hand, window))
  expect(verifyMessage('muted', resultOf(signed))).toBe(ADDRESS)
  await popup.close()
})
