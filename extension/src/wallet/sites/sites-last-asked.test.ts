import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { OTHER_SITE, SITE } from '../wallet.fixture.ts'
import { createLastAsked, MAX_ASKED } from './sites.ts'

const asked = (origin: string, at: number) => ({ origin, kind: 'message', at, outcome: 'approved' }) as const

test("only each site's last request is kept, even after a restart", async () => {
  const store = memoryStore()
  const lastAsked = createLastAsked(store)
  await lastAsked.note(asked(SITE, 1))
  await lastAsked.note(asked(OTHER_SITE, 2))
  await lastAsked.note(asked(SITE, 3))
  expect(await createLastAsked(store).list()).toEqual([asked(OTHER_SITE, 2), asked(SITE, 3)])
  await lastAsked.forget(SITE)
  await lastAsked.forget(SITE)
  expect(await lastAsked.list()).toEqual([asked(OTHER_SITE, 2)])
})

test('the number of sites is limited, and the most recent are kept', async () => {
  const lastAsked = createLastAsked(memoryStore())
  for (let at = 0; at <= MAX_ASKED; at++) await lastAsked.note(asked(`https://${at}.example`, at))
  const kept = await lastAsked.list()
  expect([kept.length, kept[0]?.at]).toEqual([MAX_ASKED, 1])
})
