import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { OTHER_SITE, SITE } from '../wallet.fixture.ts'
import { createSiteChoices } from './sites.ts'

test('a choice is stored for its site only, and the default is not stored', async () => {
  const store = memoryStore()
  const choices = createSiteChoices(store)
  const usual = { asMetaMask: false, asEthereum: false, readsLocalNode: false, isBlocked: false }
  const mine = { ...usual, origin: SITE, asMetaMask: true }
  const other = { ...usual, origin: OTHER_SITE, asEthereum: true, readsLocalNode: true }
  await choices.change(SITE, { asMetaMask: true, asEthereum: true })
  await choices.change(OTHER_SITE, { readsLocalNode: true })
  expect(await choices.change(OTHER_SITE, { asEthereum: true })).toHaveLength(2)
  expect(await choices.change(SITE, { asEthereum: false })).toEqual([other, mine])
  expect(await createSiteChoices(store).list()).toEqual([other, mine])
  expect(await choices.change(SITE, { asMetaMask: false })).toEqual([other])
  expect(await choices.forget(OTHER_SITE)).toEqual([])
})
