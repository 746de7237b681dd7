import { expect, test } from 'vitest'
import { createSiteChoices } from './site-choices.ts'
import { memoryStore } from './store.ts'
import { OTHER_SITE, SITE } from './wallet.fixture.ts'

test('a choice is kept for its site alone, and one that is as usual is none', async () => {
  const store = memoryStore()
  const choices = createSiteChoices(store)
  const mine = { origin: SITE, asMetaMask: true, asEthereum: false }
  const other = { origin: OTHER_SITE, asMetaMask: false, asEthereum: true }
  await choices.set({ ...mine, asEthereum: true })
  expect(await choices.set(other)).toHaveLength(2)
  expect(await choices.set(mine)).toEqual([other, mine])
  expect(await createSiteChoices(store).list()).toEqual([other, mine])
  expect(await choices.set({ origin: OTHER_SITE, asMetaMask: false, asEthereum: false })).toEqual([mine])
})
