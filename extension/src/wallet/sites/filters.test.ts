import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { OTHER_SITE, SITE } from '../wallet.fixture.ts'
import { createFilters, MAX_FILTERS, MAX_FILTERS_PER_SITE } from './filters.ts'

const mine = { origin: SITE, chainId: 1, id: '0x1' }

test('a filter belongs to its site and chain, even after a restart', async () => {
  const store = memoryStore()
  await createFilters(store).note(mine)
  const filters = createFilters(store)
  expect(await filters.has(mine)).toBe(true)
  for (const other of [
    { ...mine, origin: OTHER_SITE },
    { ...mine, chainId: 5 },
    { ...mine, id: '0x2' },
  ])
    expect(await filters.has(other)).toBe(false)
  expect(await filters.has(mine)).toBe(true)
})

test('the newest filters of each site are kept, regardless of other sites', async () => {
  const filters = createFilters(memoryStore())
  await filters.note(mine)
  for (let at = 0; at <= MAX_FILTERS_PER_SITE; at++) await filters.note({ ...mine, origin: OTHER_SITE, id: `${at}` })
  expect(await filters.has(mine)).toBe(true)
  expect(await filters.has({ ...mine, origin: OTHER_SITE, id: '0' })).toBe(false)
  expect(await filters.has({ ...mine, origin: OTHER_SITE, id: '1' })).toBe(true)
  expect(MAX_FILTERS).toBeGreaterThan(10 * MAX_FILTERS_PER_SITE)
})
