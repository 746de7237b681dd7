/** The provider beside another wallet, simulated by an init script. Firefox runs init scripts after all others. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, type Person, PHRASE, startPerson } from './person.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

let person: Person
let web: Web
let home: Page

beforeAll(async () => {
  web = await startWeb({ '/': '<p>A site</p>' })
  person = await startPerson()
  home = await person.open('onboarding.html')
  await callWallet(home, 'createVault', { password: PASSWORD, phrase: PHRASE })
})
afterAll(async () => {
  await person?.leave()
  await web?.stop()
})

test('takes precedence over another wallet on the sites that the person chose', async () => {
  const page = await person.context.newPage()
  await page.addInitScript(() => Object.assign(window, { ethereum: { isOther: true } }))
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
