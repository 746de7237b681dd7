/** Requests in panels beside web pages: where they are shown, and what closing a panel does. */
import { expect, test } from 'vitest'
import { ADDRESS, connectedWallet, reject, SITE, undecided } from '../wallet.fixture.ts'
import { NO_PANELS, type Panels } from './panels.ts'

/** The ids of the open panels, and a wallet whose tab 10 is in window 1, and so on. */
const start = async (open: readonly number[]) => {
  const panels = {
    open: [...open],
    shown: [] as number[],
    beside: async (tab: number) => {
      const window = Math.floor(tab / 10)
      return panels.open.includes(window) ? window : null
    },
  }
  const part: Panels = {
    beside: tab => panels.beside(tab),
    isOpen: async panel => panels.open.includes(panel),
    show: async panel => void panels.shown.push(panel),
  }
  const headless = await connectedWallet({ person: undecided, panels: part })
  let asked = 0
  const sign = (tab: number) => {
    const answer = headless.wallet.request(SITE, {
      id: `sign ${++asked}`,
      method: 'personal_sign',
      params: ['hello', ADDRESS],
      tab,
    })
    answer.catch(() => undefined)
    return answer
  }
  const places = async () => (await headless.wallet.ui.getState(null)).waiting.map(({ panel = null }) => panel)
  return { ...headless, panels, sign, places }
}
const rejected = { code: 4001 }

test('a request is shown in the panel beside its tab, and every other request in the window', async () => {
  const { wallet, panels, sign, places, shown } = await start([1])
  shown.length = 0
  void sign(10)
  await expect.poll(places).toEqual([1])
  void sign(20)
  await expect.poll(places).toEqual([1, null])
  expect([panels.shown, shown]).toEqual([[1], ['approval']])
  const { requests } = await wallet.ui.getState(null)
  expect(requests.map(({ panel }) => panel)).toEqual([1, undefined])
})

test('a panel that opens later does not take over a shown request', async () => {
  const { panels, sign, places } = await start([])
  void sign(10)
  await expect.poll(places).toEqual([null])
  panels.open.push(1)
  void sign(10)
  await expect.poll(places).toEqual([null, 1])
})

test("closing a panel rejects its requests and no others, as closing the window rejects the window's", async () => {
  const { wallet, panels, sign, places } = await start([1, 2])
  const [one, two, windows] = [sign(10), sign(20), sign(30)]
  await expect.poll(places).toEqual([1, 2, null])
  panels.open = [2]
  await wallet.panelClosed()
  await expect(one).rejects.toMatchObject(rejected)
  expect(await places()).toEqual([2, null])
  await wallet.ui.rejectAll(null)
  await expect(windows).rejects.toMatchObject(rejected)
  expect(await places()).toEqual([2])
  await wallet.ui.rejectAll({ panel: 2 })
  await expect(two).rejects.toMatchObject(rejected)
})

test('a panel that is closed while it gets a request rejects the request', async () => {
  const { panels, sign, places } = await start([1])
  panels.beside = async () => {
    panels.open = []
    return 1
  }
  await expect(sign(10)).rejects.toMatchObject(rejected)
  expect(await places()).toEqual([])
})

test('closing a panel counts as a rejection, so a site that keeps asking is muted', async () => {
  const { wallet, panels, sign, places } = await start([1])
  const [first] = [sign(10)]
  await expect.poll(places).toEqual([1])
  panels.open = []
  await wallet.panelClosed()
  await expect(first).rejects.toMatchObject(rejected)
  const { wallet: other, ask } = await connectedWallet({ person: reject })
  await expect(ask('personal_sign', 'hello', ADDRESS)).rejects.toMatchObject(rejected)
  const mutedOf = async (which: typeof wallet) => (await which.ui.getState(null)).muted
  expect(await mutedOf(wallet)).toEqual(await mutedOf(other))
})

test('a panel that was closed while the worker was stopped ends its requests', async () => {
  const { wallet, panels, sign, places } = await start([1])
  const answer = sign(10)
  await expect.poll(places).toEqual([1])
  panels.open = []
  await wallet.tend()
  await expect(answer).rejects.toMatchObject(rejected)
})

test('a request that waits in a panel is approved there', async () => {
  const { wallet, sign, places } = await start([1])
  const answer = sign(10)
  await expect.poll(places).toEqual([1])
  const [request] = (await wallet.ui.getState(null)).requests
  await wallet.ui.decide({ id: request?.id ?? '', approve: true, revision: request?.revision ?? -1 })
  expect(await answer).toMatch(/^0x/)
})

test('a wallet without panels shows everything in the window', async () => {
  expect(await NO_PANELS.beside(1)).toBeNull()
  expect(await NO_PANELS.isOpen(1)).toBe(false)
})
