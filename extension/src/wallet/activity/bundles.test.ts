import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { ADDRESS, OTHER_SITE, SITE } from '../wallet.fixture.ts'
import { BUNDLE_LIFETIME, type Bundle, createBundles, MAX_BUNDLES_PER_SITE } from './bundles.ts'

const bundle = (id: string, changes: Partial<Bundle> = {}): Bundle => ({
  id,
  origin: SITE,
  key: `${SITE} ${id}`,
  chainId: 1,
  from: ADDRESS,
  nonces: [0],
  hashes: ['0x01', '0x02'],
  sent: 0,
  createdAt: 1,
  ...changes,
})

test('the latest version of a batch is stored by site and id, and survives a restart', async () => {
  const store = memoryStore()
  const bundles = createBundles(store)
  await bundles.put(bundle('a'))
  await bundles.put(bundle('a', { origin: OTHER_SITE }))
  await bundles.put(bundle('a', { sent: 2 }))
  const again = createBundles(store)
  expect((await again.get(SITE, 'a'))?.sent).toBe(2)
  expect((await again.get(OTHER_SITE, 'a'))?.sent).toBe(0)
  expect(await again.get(SITE, 'b')).toBeUndefined()
  await again.remove(SITE, 'a')
  expect(await again.get(SITE, 'a')).toBeUndefined()
  expect(await again.get(OTHER_SITE, 'a')).toBeDefined()
})

test('the newest batches of each site are kept, regardless of other sites', async () => {
  const bundles = createBundles(memoryStore())
  await bundles.put(bundle('other', { origin: OTHER_SITE }))
  for (let i = 0; i <= MAX_BUNDLES_PER_SITE; i++) await bundles.put(bundle(`${i}`))
  expect(await bundles.get(SITE, '0')).toBeUndefined()
  expect(await bundles.get(SITE, '1')).toBeDefined()
  expect(await bundles.get(OTHER_SITE, 'other')).toBeDefined()
})

test('the oldest batches are dropped first', async () => {
  const bundles = createBundles(memoryStore())
  await bundles.put(bundle('old'))
  await bundles.put(bundle('new', { createdAt: BUNDLE_LIFETIME }))
  expect(await bundles.get(SITE, 'old')).toBeDefined()
  await bundles.put(bundle('newer', { createdAt: BUNDLE_LIFETIME + 1 }))
  expect(await bundles.get(SITE, 'old')).toBeUndefined()
  expect(await bundles.get(SITE, 'new')).toBeDefined()
})
