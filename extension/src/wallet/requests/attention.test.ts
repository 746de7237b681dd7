import { expect, test } from 'vitest'
import { createCell, memoryStore, type Store } from '../storage/store.ts'
import { createAttention, MAX_SHOWN, type WaitingProposal } from './attention.ts'

const EXPIRES = 300_000

const setUp = (store: Store = memoryStore()) => {
  const acts: string[] = []
  const waiting = { requests: 0, proposals: [] as string[], panels: [] as number[] }
  const world = { now: 5_000, isShown: false }
  const note = (act: string) => async () => {
    if (isStopped) throw new Error('stopped')
    acts.push(act)
  }
  let isStopped = false
  const stopWorker = () => {
    isStopped = true
  }
  const attention = createAttention({
    window: { show: note('show'), isShown: async () => world.isShown, hide: note('hide'), setUp: note('set up') },
    panels: { show: panel => note(`show panel ${panel}`)() },
    session: store,
    now: () => world.now,
    places: async () => [...waiting.panels, ...Array<null>(waiting.requests).fill(null)],
    proposals: async () => waiting.proposals.map(id => ({ id, expiresAt: EXPIRES })),
    shown: createCell<readonly WaitingProposal[]>(store, 'shown', []),
  })
  return { acts, waiting, world, attention, store, stopWorker }
}

test('each new proposal opens the window only once', async () => {
  const { acts, waiting, attention } = setUp()
  await attention.onProposals()
  waiting.proposals = ['one']
  await attention.onProposals()
  await attention.onProposals()
  expect(acts).toEqual(['show'])
  waiting.proposals = ['one', 'two']
  await attention.onProposals()
  expect(acts).toEqual(['show', 'show'])
})

test("all peers' proposals share one limit", async () => {
  const { acts, waiting, attention } = setUp()
  for (let at = 0; at < 10; at++) {
    waiting.proposals = [...waiting.proposals, `proposal ${at}`]
    await attention.onProposals()
  }
  expect(acts).toEqual(['show', 'show', 'show'])
})

test('the window closes with the last proposal, unless a request is open', async () => {
  const { acts, waiting, attention } = setUp()
  waiting.proposals = ['one', 'two']
  await attention.onProposals()
  waiting.proposals = ['two']
  await attention.onProposals()
  waiting.requests = 1
  waiting.proposals = []
  await attention.onProposals()
  expect(acts).toEqual(['show'])
  waiting.requests = 0
  await attention.hide()
  expect(acts).toEqual(['show', 'hide'])
})

test('the window stays open after the last request while a proposal is open', async () => {
  const { acts, waiting, attention } = setUp()
  waiting.proposals = ['one']
  await attention.onProposals()
  await attention.hide()
  expect(acts).toEqual(['show'])
  waiting.proposals = []
  await attention.onProposals()
  expect(acts).toEqual(['show', 'hide'])
})

test('the window stays open for an expired proposal and closes after a decided one', async () => {
  const { acts, waiting, world, attention } = setUp()
  waiting.proposals = ['one']
  await attention.onProposals()
  world.now = EXPIRES
  waiting.proposals = []
  await attention.onProposals()
  expect(acts).toEqual(['show'])
})

test('a restarted worker does not show the same proposals again', async () => {
  const first = setUp()
  first.waiting.proposals = ['one']
  await first.attention.onProposals()
  const second = setUp(first.store)
  second.waiting.proposals = ['one']
  await second.attention.onProposals()
  expect(second.acts).toEqual([])
  second.waiting.proposals = []
  await second.attention.onProposals()
  expect(second.acts).toEqual(['hide'])
})

const evil = { origin: 'https://evil.example', tab: 7 }
const good = { origin: 'https://good.example', tab: 8 }

test('a tab takes the focus at most three times per minute, regardless of its sites and their requests', async () => {
  const { acts, world, attention, store } = setUp()
  const began = world.now
  for (let at = 0; at < 25; at++) {
    await attention.show({ ...evil, origin: `https://frame${at}.example` })
    await attention.hide()
    world.now += 1_000
  }
  expect(acts.filter(act => act === 'show')).toHaveLength(3)
  acts.length = 0
  await attention.setUp(evil)
  await attention.showAgain(evil)
  const restarted = setUp(store)
  restarted.world.now = world.now
  await restarted.attention.show(evil)
  expect([acts, restarted.acts]).toEqual([[], []])
  await attention.show(good)
  expect(acts).toEqual(['show'])
  world.now = began + 59_999
  await attention.show(evil)
  expect(acts).toEqual(['show'])
  world.now = began + 60_000
  await attention.show(evil)
  expect(acts).toEqual(['show', 'show'])
})

test('a worker that stops before it shows the window does not use up the limit', async () => {
  const { acts, attention, store, stopWorker } = setUp()
  for (let at = 0; at < 2 * MAX_SHOWN; at++) {
    const stopped = setUp(store)
    stopped.stopWorker()
    await expect(stopped.attention.show(evil)).rejects.toThrow('stopped')
  }
  for (let at = 0; at < 2 * MAX_SHOWN; at++) await attention.show(evil)
  expect(acts).toEqual(Array(MAX_SHOWN).fill('show'))
  stopWorker()
  await attention.show(evil)
  await expect(attention.show(good)).rejects.toThrow('stopped')
})

test('a user action resets the limit, and windows that the user opens are always shown', async () => {
  const { acts, attention } = setUp()
  for (let at = 0; at < 5; at++) await attention.show(evil)
  await attention.open()
  expect(acts).toHaveLength(MAX_SHOWN + 1)
  await attention.acted()
  await attention.show(evil)
  expect(acts).toHaveLength(MAX_SHOWN + 2)
})

test('a repeated request reopens a closed window, and does not focus an open one', async () => {
  const { acts, world, attention } = setUp()
  world.isShown = true
  await attention.showAgain(evil)
  expect(acts).toEqual([])
  world.isShown = false
  await attention.showAgain(evil)
  expect(acts).toEqual(['show'])
})

test('a site without a known tab is limited by its origin', async () => {
  const { acts, attention } = setUp()
  for (const origin of ['wc:one', 'wc:two']) for (let at = 0; at < 5; at++) await attention.show({ origin, tab: null })
  expect(acts).toHaveLength(2 * MAX_SHOWN)
})

const beside = { origin: 'https://beside.example', tab: 9, panel: 4 }

test('a request of a panel brings only its window to the front, as often as a request of the window may', async () => {
  const { acts, world, attention } = setUp()
  const taken = []
  for (let at = 0; at < MAX_SHOWN + 2; at++) taken.push(await attention.show(beside))
  expect(taken).toEqual([true, true, true, false, false])
  expect(acts).toEqual(Array(MAX_SHOWN).fill('show panel 4'))
  world.isShown = false
  await attention.acted()
  await attention.showAgain(beside)
  expect(acts).toHaveLength(MAX_SHOWN)
})

test('the window closes although a panel has requests', async () => {
  const { acts, waiting, attention } = setUp()
  waiting.panels = [4]
  await attention.hide()
  expect(acts).toEqual(['hide'])
})

test('the user opens the window, or the panel if only panels have requests', async () => {
  const { acts, waiting, attention } = setUp()
  waiting.panels = [4, 6]
  await attention.open()
  waiting.proposals = ['one']
  await attention.open()
  waiting.proposals = []
  waiting.requests = 1
  await attention.open()
  expect(acts).toEqual(['show panel 4', 'show', 'show'])
})
