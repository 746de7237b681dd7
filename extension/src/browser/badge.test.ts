import { beforeEach, expect, test, vi } from 'vitest'
import type { MutedView, UiState } from '../messages.ts'
import { COPIED_STAYS, createBadge } from './badge.ts'
import { world } from './browser.fixture.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

beforeEach(() => {
  world.badges.length = 0
})

const state = (waiting: number, proposals = 0, muted: readonly Partial<MutedView>[] = [], unseen = 0) =>
  ({
    unseen,
    waiting: Array(waiting).fill({}),
    remote: { proposals: Array(proposals).fill({}) },
    muted,
  }) as unknown as UiState

test('the badge counts pending requests and proposals, and disappears with the last', () => {
  const show = createBadge().show
  for (const next of [state(0), state(1), state(1), state(2, 1), state(0)]) show(next)
  expect(world.badges).toEqual(['1', '3', ''])
})

test('the badge also counts new transfers', () => {
  const show = createBadge().show
  for (const next of [state(0, 0, [], 2), state(1, 0, [], 2), state(0)]) show(next)
  expect(world.badges).toEqual(['2', '3', ''])
})

test('shows a notice for requests of a muted site until the mute ends', () => {
  vi.useFakeTimers()
  try {
    const show = createBadge().show
    const until = Date.now() + 30_000
    show(state(0, 0, [{ asked: false, until }]))
    expect(world.badges).toEqual([])
    show(state(0, 0, [{ asked: true, until }]))
    show(state(1, 0, [{ asked: true, until }]))
    show(state(0, 0, [{ asked: true, until }]))
    vi.advanceTimersByTime(29_999)
    expect(world.badges).toEqual(['!', '1', '!'])
    vi.advanceTimersByTime(1)
    expect(world.badges.at(-1)).toBe('')
  } finally {
    vi.useRealTimers()
  }
})

test('shows for a moment that the address was copied, and then the latest count', () => {
  vi.useFakeTimers()
  try {
    const { show, copied } = createBadge()
    show(state(1))
    copied()
    show(state(2))
    vi.advanceTimersByTime(COPIED_STAYS)
    expect(world.badges).toEqual(['1', '✓', '2', '2'])
  } finally {
    vi.useRealTimers()
  }
})
