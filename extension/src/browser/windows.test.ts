import { beforeEach, expect, test, vi } from 'vitest'
import { memoryStore } from '../wallet/storage/store.ts'
import browser, { ORIGIN, world } from './browser.fixture.ts'
import { createWindows } from './windows.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

beforeEach(() => {
  world.windows.clear()
  world.tabs.length = 0
})

const start = (session = memoryStore()) => {
  const closed = vi.fn(async () => undefined)
  return { windows: createWindows(session, closed), session, closed }
}
const openIds = () => [...world.windows.keys()]
const focusOf = (id: number | undefined) => world.windows.get(Number(id))?.focused

test('concurrent requests open one window and focus it', async () => {
  const { windows } = start()
  await Promise.all(Array.from({ length: 500 }, () => windows.show()))
  const [id, ...others] = openIds()
  expect([others, focusOf(id)]).toEqual([[], 500])
})

test('reports whether the window is open without focusing it', async () => {
  const { windows } = start()
  expect(await windows.isShown()).toBe(false)
  await windows.show()
  const [id] = openIds()
  expect([await windows.isShown(), openIds(), focusOf(id)]).toEqual([true, [id], 1])
  world.windows.delete(Number(id))
  expect(await windows.isShown()).toBe(false)
})

test('a restarted worker finds its window', async () => {
  const { windows, session } = start()
  await windows.show()
  await start(session).windows.show()
  expect(openIds()).toHaveLength(1)
})

test('a window being opened when the worker stops is found by the next worker, and no second one is opened', async () => {
  const session = memoryStore()
  const stopped = {
    ...session,
    set: async (name: string, value: unknown) => {
      if (typeof value === 'number') return new Promise<void>(() => undefined)
      return session.set(name, value)
    },
  }
  void start(stopped).windows.show()
  await expect.poll(openIds).toHaveLength(1)
  const [id] = openIds()
  browser.windows.onRemoved.clear()
  const { windows, closed } = start(session)
  expect(await windows.isShown()).toBe(true)
  expect([openIds(), focusOf(id)]).toEqual([[id], 1])
  await world.closeWindow(Number(id))
  expect(closed).toHaveBeenCalledOnce()
})

test('reports once that the user closed the window, and ignores other windows', async () => {
  const { windows, closed } = start()
  await windows.show()
  const [id] = openIds()
  await world.closeWindow(9_999)
  expect(closed).not.toHaveBeenCalled()
  await world.closeWindow(Number(id))
  await world.closeWindow(Number(id))
  expect(closed).toHaveBeenCalledOnce()
})

test('hiding the window is not reported as a close by the user, and does nothing without a window', async () => {
  const { windows, closed } = start()
  await windows.hide()
  await windows.show()
  await windows.hide()
  await windows.hide()
  await expect.poll(openIds).toEqual([])
  expect(closed).not.toHaveBeenCalled()
})

test('a request just after the last one gets a new window, which stays open', async () => {
  const { windows, closed } = start()
  await windows.show()
  const [id] = openIds()
  await windows.hide()
  await windows.show()
  await expect.poll(() => openIds().includes(Number(id))).toBe(false)
  expect(openIds()).toHaveLength(1)
  expect(closed).not.toHaveBeenCalled()
})

test('a released window is closed by the next worker if the worker stops before, and an open one is not', async () => {
  const { windows, session, closed } = start()
  const inTime = vi.spyOn(globalThis, 'setTimeout').mockImplementation(() => 0 as unknown as NodeJS.Timeout)
  await windows.show()
  const [id] = openIds()
  await windows.hide()
  inTime.mockRestore()
  await windows.show()
  const [, next] = openIds()
  expect(openIds()).toEqual([id, next])
  start(session)
  await expect.poll(openIds).toEqual([next])
  expect(closed).not.toHaveBeenCalled()
})

test('a closing window is not mistaken for the new one', async () => {
  const { windows, closed } = start()
  await windows.show()
  const [id] = openIds()
  world.windows.delete(Number(id))
  await Promise.all([windows.show(), browser.windows.onRemoved.fire(Number(id))])
  expect(openIds()).toHaveLength(1)
  expect(closed).not.toHaveBeenCalled()
  const [next] = openIds()
  await world.closeWindow(Number(next))
  expect(closed).toHaveBeenCalledOnce()
})

test('fails if the browser opens no window, and the next attempt may succeed', async () => {
  const { windows } = start()
  vi.spyOn(browser.windows, 'create').mockRejectedValueOnce(new Error('no display'))
  await expect(windows.show()).rejects.toThrow('no display')
  await windows.show()
  expect(openIds()).toHaveLength(1)
})

test('repeated requests without a wallet open one setup tab', async () => {
  const { windows } = start()
  await Promise.all(Array.from({ length: 50 }, () => windows.setUp()))
  expect(world.tabs).toMatchObject([{ url: `${ORIGIN}/onboarding.html`, activated: 50 }])
})
