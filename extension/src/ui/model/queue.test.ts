import { expect, test } from 'vitest'
import type { ProposalView, RequestView, UiState } from '../../messages.ts'
import { itemsOf, rowOf, shownIn } from './queue.ts'

const request = (id: string, createdAt: number, kind: RequestView['effect']['kind'] = 'message') =>
  ({
    id,
    createdAt,
    origin: 'https://site.example',
    peer: null,
    findings: [{ level: 'caution', name: 'notText', values: ['1'] }],
    effect: { kind, text: 'hi', bytes: '0x6869', signIn: null },
  }) as unknown as RequestView
const proposal = (id: string, createdAt: number) =>
  ({ id, createdAt, peer: { name: 'Quill', url: '', description: '', key: '' } }) as unknown as ProposalView
const state = (requests: RequestView[], proposals: ProposalView[]) =>
  ({ requests, remote: { relays: [], pairings: [], refused: [], proposals, sessions: [] } }) as unknown as UiState

test('requests and proposals are in order of arrival', () => {
  const items = itemsOf(state([request('a', 2), request('b', 4)], [proposal('p', 3)]))
  expect(items.map(({ id }) => id)).toEqual(['a', 'p', 'b'])
})

test('requests that only wait for unlocking are left out', () => {
  expect(itemsOf(state([request('a', 2, 'unlock')], []))).toEqual([])
})

test('a row has the level of its request, even if the request is only long', () => {
  const long = { ...request('a', 2), findings: [] }
  const [asked] = itemsOf(state([{ ...long, effect: { ...long.effect, text: 'a'.repeat(4_001) } as never }], []))
  expect(asked && rowOf(asked).level).toBe('caution')
})

test('a row has a title, a requester and a level', () => {
  const [asked, proposed] = itemsOf(state([request('a', 2)], [proposal('p', 3)]))
  expect(asked && rowOf(asked)).toEqual({
    icon: 'sign',
    title: 'Sign a message',
    who: 'site.example',
    level: 'caution',
  })
  expect(proposed && rowOf(proposed)).toEqual({ icon: 'relay', title: 'Connect “Quill”?', who: 'Quill', level: 'none' })
})

test('the window shows the requests without a panel and all proposals, and a panel only its own requests', () => {
  const requests = [request('window', 1), { ...request('one', 2), panel: 1 }, { ...request('two', 3), panel: 2 }]
  const all = { ...state(requests, [proposal('p', 4)]), waiting: requests } as UiState
  const idsIn = (place: number | null) => {
    const shown = shownIn(all, place)
    return [itemsOf(shown).map(({ id }) => id), shown.waiting.map(({ id }) => id)]
  }
  expect(idsIn(null)).toEqual([['window', 'p'], ['window']])
  expect(idsIn(1)).toEqual([['one'], ['one']])
  expect(idsIn(3)).toEqual([[], []])
})
