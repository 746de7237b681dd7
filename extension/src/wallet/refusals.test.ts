import { expect, test } from 'vitest'
import { createRefusals, MAX_OF_SITE, WINDOW } from './refusals.ts'
import { memoryStore } from './store.ts'
import { OTHER_SITE, SITE } from './wallet.fixture.ts'

const start = (session = memoryStore()) => {
  const clock = { now: 1_000 }
  const refusals = createRefusals(session, () => clock.now)
  const reject = (method = 'personal_sign', origin = SITE) => refusals.note(origin, method, false)
  const mayAsk = (method = 'personal_sign', origin = SITE) =>
    refusals.assertMayAsk(origin, method).then(
      () => true,
      ({ code }) => code,
    )
  return { clock, refusals, reject, mayAsk, session }
}

test('after three rejections of one method within a minute, the site must wait with it, and only with it', async () => {
  const { reject, mayAsk } = start()
  for (const _ of [1, 2]) await reject()
  expect(await mayAsk()).toBe(true)
  await reject()
  expect(await mayAsk()).toBe(-32005)
  expect(await mayAsk('eth_sendTransaction')).toBe(true)
  expect(await mayAsk('personal_sign', OTHER_SITE)).toBe(true)
})

test('a site that rejections of many methods have met must wait with all', async () => {
  const { reject, mayAsk } = start()
  for (let i = 0; i < MAX_OF_SITE; i++) await reject(`method ${i}`)
  expect(await mayAsk()).toBe(-32005)
  expect(await mayAsk('personal_sign', OTHER_SITE)).toBe(true)
})

test('it may ask again when the oldest is a minute ago', async () => {
  const { clock, reject, mayAsk } = start()
  for (const _ of [1, 2, 3]) {
    await reject()
    clock.now += WINDOW / 4
  }
  expect(await mayAsk()).toBe(-32005)
  clock.now += WINDOW / 4 - 1
  expect(await mayAsk()).toBe(-32005)
  clock.now += 1
  expect(await mayAsk()).toBe(true)
  await reject()
  expect(await mayAsk()).toBe(-32005)
})

test('an approval is a fresh start for that site', async () => {
  const { refusals, reject, mayAsk } = start()
  for (const origin of [SITE, OTHER_SITE]) for (const _ of [1, 2, 3]) await reject('personal_sign', origin)
  await refusals.note(SITE, 'eth_sendTransaction', true)
  expect(await mayAsk()).toBe(true)
  expect(await mayAsk('personal_sign', OTHER_SITE)).toBe(-32005)
})

test('a restart of the worker forgets nothing, and what is old is not kept', async () => {
  const { reject, session } = start()
  for (const _ of [1, 2, 3]) await reject()
  const again = start(session)
  expect(await again.mayAsk()).toBe(-32005)
  again.clock.now += WINDOW
  await again.reject()
  expect(await session.get('rejections')).toHaveLength(1)
})
