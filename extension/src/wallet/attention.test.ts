import { expect, test } from 'vitest'
import { createAttention } from './attention.ts'
import { createCell, memoryStore, type Store } from './store.ts'

const setUp = (store: Store = memoryStore()) => {
  const acts: string[] = []
  const waiting = { requests: 0, proposals: [] as string[] }
  const note = (act: string) => async () => {
    acts.push(act)
  }
  const attention = createAttention({
    window: { show: note('show'), showAgain: note('showAgain'), hide: note('hide') },
    hasRequests: async () => waiting.requests > 0,
    proposals: async () => waiting.proposals,
    shown: createCell<readonly string[]>(store, 'shown', []),
  })
  return { acts, waiting, attention, store }
}

test('each new proposal brings up the window, once', async () => {
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

test('the window goes with the last proposal, but not while a request waits', async () => {
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

test('the window stays behind the last request while a proposal waits', async () => {
  const { acts, waiting, attention } = setUp()
  waiting.proposals = ['one']
  await attention.onProposals()
  await attention.hide()
  expect(acts).toEqual(['show'])
  waiting.proposals = []
  await attention.onProposals()
  expect(acts).toEqual(['show', 'hide'])
})

test('another worker does not show again what was shown', async () => {
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
