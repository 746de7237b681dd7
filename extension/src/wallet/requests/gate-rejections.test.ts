import { expect, test } from 'vitest'
import { memoryStore, observing } from '../storage/store.ts'
import { OTHER_SITE, SITE } from '../wallet.fixture.ts'
import { createRejections, MAX_OF_SITE, WINDOW } from './gate.ts'

const start = (store = memoryStore()) => {
  const clock = { now: 1_000 }
  const told: number[] = []
  const session = observing(store, new Set())
  session.observe(() => void told.push(clock.now))
  const rejections = createRejections(session, () => clock.now)
  let rejected = 0
  const toRequest = (method: string) => ({ key: `${SITE} ${++rejected}`, method })
  const reject = (...methods: string[]) =>
    rejections.note(SITE, (methods.length === 0 ? ['personal_sign'] : methods).map(toRequest))
  const mayAsk = (method = 'personal_sign', origin = SITE) =>
    rejections.assertMayAsk(origin, method).then(
      () => true,
      ({ code }) => code,
    )
  return { clock, rejections, reject, mayAsk, session, told }
}

test('three rejections of a method within a minute mute this method for the site', async () => {
  const { reject, mayAsk } = start()
  for (const _ of [1, 2]) await reject()
  expect(await mayAsk()).toBe(true)
  await reject()
  expect(await mayAsk()).toBe(-32005)
  expect(await mayAsk('eth_sendTransaction')).toBe(true)
  expect(await mayAsk('personal_sign', OTHER_SITE)).toBe(true)
})

test('rejections of many methods mute the site', async () => {
  const { reject, mayAsk } = start()
  for (let i = 0; i < MAX_OF_SITE; i++) await reject(`method ${i}`)
  expect(await mayAsk()).toBe(-32005)
  expect(await mayAsk('personal_sign', OTHER_SITE)).toBe(true)
})

test('rejecting many requests at once counts as one rejection', async () => {
  const { reject, mayAsk } = start()
  for (const _ of [1, 2]) {
    await reject(...Array(20).fill('personal_sign'), 'eth_sendTransaction')
    expect([await mayAsk(), await mayAsk('eth_sendTransaction')]).toEqual([true, true])
  }
  await reject(...Array(20).fill('personal_sign'))
  expect([await mayAsk(), await mayAsk('eth_sendTransaction')]).toEqual([-32005, true])
})

test('a rejection that is repeated counts once', async () => {
  const { rejections, mayAsk } = start()
  const request = { key: 'one', method: 'personal_sign' }
  for (const _ of [1, 2, 3]) await rejections.note(SITE, [request])
  await rejections.note(SITE, [request, { key: 'two', method: 'personal_sign' }])
  expect(await mayAsk()).toBe(true)
  await rejections.note(SITE, [{ key: 'three', method: 'personal_sign' }])
  expect(await mayAsk()).toBe(-32005)
})

test('the error says when the mute ends, a minute after the oldest rejection', async () => {
  const { clock, rejections, reject, mayAsk } = start()
  for (const _ of [1, 2, 3]) {
    await reject()
    clock.now += WINDOW / 4
  }
  await expect(rejections.assertMayAsk(SITE, 'personal_sign')).rejects.toMatchObject({
    message: expect.stringMatching(/Try again in 15 s\.$/),
  })
  clock.now += WINDOW / 4 - 1
  expect(await mayAsk()).toBe(-32005)
  clock.now += 1
  expect(await mayAsk()).toBe(true)
})

test('lists muted sites, until when, and whether they made requests since; the first one is notified', async () => {
  const { clock, rejections, reject, mayAsk, told } = start()
  for (const _ of [1, 2]) await reject()
  expect(await rejections.muted()).toEqual([])
  clock.now += 1_000
  await reject('personal_sign', 'eth_sendTransaction')
  expect(await rejections.muted()).toEqual([{ origin: SITE, until: 1_000 + WINDOW, asked: false }])
  told.length = 0
  for (const _ of [1, 2, 3]) await mayAsk()
  expect(told).toEqual([2_000])
  expect(await rejections.muted()).toEqual([{ origin: SITE, until: 1_000 + WINDOW, asked: true }])
  clock.now += WINDOW
  expect(await rejections.muted()).toEqual([])
  await rejections.note(OTHER_SITE, [{ key: 'other', method: 'personal_sign' }])
  for (const _ of [1, 2, 3]) await reject()
  expect(await rejections.muted()).toMatchObject([{ origin: SITE, asked: false }])
})

test('rejections survive a restart until the user clears them', async () => {
  const { clock, reject, session } = start()
  for (const _ of [1, 2, 3]) await reject()
  const restarted = start(session)
  restarted.clock.now = clock.now
  expect(await restarted.mayAsk()).toBe(-32005)
  await restarted.rejections.forget(SITE)
  expect(await restarted.mayAsk()).toBe(true)
  expect(await restarted.rejections.muted()).toEqual([])
  for (const _ of [1, 2, 3]) await restarted.reject()
  expect(await restarted.rejections.muted()).toMatchObject([{ asked: false }])
})
