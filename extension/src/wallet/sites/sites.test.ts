import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { ADDRESS, ADDRESS_LOWER, OTHER_SITE, SECOND, SITE } from '../wallet.fixture.ts'
import { createSites, siteAccounts } from './sites.ts'

test('a site is identified by its exact origin', async () => {
  const sites = createSites(memoryStore())
  await sites.connect(SITE, [ADDRESS], 1)
  expect(await sites.get(SITE)).toEqual({ origin: SITE, accounts: [ADDRESS], since: 1 })
  for (const origin of ['http://site.example', 'https://site.example:8443', 'https://a.site.example', '__proto__', ''])
    expect(await sites.get(origin)).toBeUndefined()
})

test('reconnecting changes the accounts and keeps the date of the first connection', async () => {
  const sites = createSites(memoryStore())
  await sites.connect(SITE, [ADDRESS], 1)
  expect(await sites.connect(SITE, [SECOND, ADDRESS], 2)).toEqual({
    origin: SITE,
    accounts: [SECOND, ADDRESS],
    since: 1,
  })
  expect(await sites.list()).toHaveLength(1)
})

test('concurrent connections are all stored', async () => {
  const sites = createSites(memoryStore())
  await Promise.all([sites.connect(SITE, [ADDRESS], 1), sites.connect(OTHER_SITE, [SECOND], 1)])
  expect((await sites.list()).map(({ origin }) => origin)).toEqual([SITE, OTHER_SITE])
})

test('disconnecting a site does not affect others', async () => {
  const sites = createSites(memoryStore())
  await sites.connect(SITE, [ADDRESS], 1)
  await sites.connect(OTHER_SITE, [SECOND], 1)
  for (const origin of [SITE, SITE, 'https://unknown.example']) await sites.disconnect(origin)
  expect((await sites.list()).map(({ origin }) => origin)).toEqual([OTHER_SITE])
})

test('pages get addresses in lower case, the selected one first', () => {
  const site = { origin: SITE, accounts: [SECOND, ADDRESS] as const, since: 1 }
  expect(siteAccounts(site)).toEqual([SECOND.toLowerCase(), ADDRESS_LOWER])
})

test('removed accounts are removed from all sites, and a site without accounts is unconnected', async () => {
  const sites = createSites(memoryStore())
  await sites.connect(SITE, [ADDRESS, SECOND], 1)
  await sites.connect(OTHER_SITE, [SECOND], 2)
  expect(await sites.forget([`0x${'11'.repeat(20)}`])).toEqual([])
  expect(await sites.forget([SECOND.toLowerCase() as typeof ADDRESS])).toEqual([
    { origin: SITE, accounts: [ADDRESS], since: 1 },
    { origin: OTHER_SITE, accounts: [], since: 2 },
  ])
  expect(await sites.list()).toEqual([{ origin: SITE, accounts: [ADDRESS], since: 1 }])
})
