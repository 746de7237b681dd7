/** What pages, the window and background work get after changes of the stored state. */
import { expect, test, vi } from 'vitest'
import type { UiState } from '../messages.ts'
import { createFollowing, type FollowingParts } from './following.ts'
import { memoryStore } from './storage/store.ts'
import { connectedWallet, createdWallet, SECOND, startNode, startWallet, undecided } from './wallet.fixture.ts'

const start = (parts: Partial<FollowingParts> = {}) => {
  const done: string[] = []
  const note = (name: string) => async () => void done.push(name)
  const following = createFollowing({
    desk: { settleUnlocked: note('settle'), reviewWaiting: note('review') },
    sessions: { reconcile: note('reconcile') },
    attention: { onProposals: note('proposals') },
    readState: async () => ({ contacts: [], chainId: 1 }) as unknown as UiState,
    work: async () => [],
    ...parts,
  })
  const states: UiState[] = []
  following.observeState(state => void states.push(state))
  return { following, done, states }
}

test.each(['settleUnlocked', 'reviewWaiting', 'reconcile', 'onProposals', 'readState', 'work'] as const)(
  'a failure of %s is reported and keeps nothing else from its turn',
  async broken => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const done: string[] = []
    const step = (name: string) => async () => {
      if (name === broken) throw new Error('Corruption: block checksum mismatch')
      done.push(name)
    }
    const { following } = start({
      desk: { settleUnlocked: step('settleUnlocked'), reviewWaiting: step('reviewWaiting') },
      sessions: { reconcile: step('reconcile') },
      attention: { onProposals: step('onProposals') },
      readState: async () => {
        await step('readState')()
        return {} as UiState
      },
      work: async () => {
        await step('work')()
        return []
      },
    })
    await following.follow()
    await expect.poll(() => log.mock.calls).toHaveLength(1)
    const all = ['settleUnlocked', 'reconcile', 'onProposals', 'readState', 'work', 'reviewWaiting']
    expect(done.toSorted()).toEqual(all.filter(name => name !== broken).toSorted())
    log.mockRestore()
  },
)

test('pages get a state only if a part differs, and equal parts keep their identity', async () => {
  const states = [
    { contacts: [], sites: ['a'], chainId: 1 },
    { contacts: [], sites: ['a'], chainId: 1 },
    { contacts: [], sites: ['b'], chainId: 1 },
  ] as unknown as UiState[]
  let at = 0
  const { following, states: seen } = start({ readState: async () => structuredClone(states[at++] ?? ({} as UiState)) })
  for (const _ of states) await following.follow()
  expect(seen).toEqual([states[0], states[2]])
  expect(seen[1]?.contacts).toBe(seen[0]?.contacts)
  expect(seen[1]?.sites).not.toBe(seen[0]?.sites)
})

test('new work is announced once', async () => {
  let work: string[] = []
  const { following } = start({ work: async () => work })
  const announced: string[][] = []
  following.observeWork(() => void announced.push(work))
  for (const next of [[], ['a'], ['a'], ['a', 'b'], ['b'], [], ['a']]) {
    work = next
    await following.follow()
  }
  expect(announced).toEqual([['a'], ['a', 'b'], ['a']])
})

test('a pending transaction, a request and a subscription are new work; their end and a contact are not', async () => {
  let announced = 0
  const { store } = await connectedWallet()
  const headless = startWallet({
    store,
    person: undecided,
    chain: startNode({ eth_getBlockByNumber: () => ({ number: '0x1', hash: '0x1' }) }).chain,
    onWork: () => void announced++,
  })
  const { wallet, ask } = headless
  await wallet.ui.saveContact({ address: SECOND, name: 'Mira' })
  expect(announced).toBe(0)
  ask('personal_sign', '0x68656c6c6f', (await wallet.ui.getState(null)).selected).catch(() => undefined)
  await expect.poll(() => announced).toBe(1)
  await wallet.ui.rejectAll(null)
  expect(announced).toBe(1)
  await wallet.request('https://site.example', { id: 'sub', page: '1', method: 'eth_subscribe', params: ['newHeads'] })
  await expect.poll(() => announced).toBe(2)
})

test('a method that changes the state resolves once the pages have it', async () => {
  const { wallet, state } = await createdWallet({ store: { local: memoryStore(), session: memoryStore() } })
  await wallet.ui.saveContact({ address: SECOND, name: 'Mira' })
  expect(state()?.contacts).toMatchObject([{ name: 'Mira' }])
  await wallet.ui.lock(null)
  expect(state()).toMatchObject({ phase: 'locked', contacts: [] })
})
