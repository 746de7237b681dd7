import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { OTHER_SITE, SITE } from '../wallet.fixture.ts'
import { storedRequest } from './store.fixture.ts'
import {
  createRequests,
  keyOf,
  MAX_ANSWERS_PER_SITE,
  MAX_ANSWERS_SIZE,
  MAX_SIZE,
  MAX_SIZE_PER_SITE,
  MAX_STRANGERS_PER_TAB,
  MAX_STRANGERS_SIZE,
  MAX_STRANGERS_SIZE_PER_TAB,
  MAX_WAITING_PER_SITE,
  type WalletRequest,
} from './store.ts'

const request = (id: string, changes: Partial<WalletRequest> = {}) =>
  storedRequest({ key: keyOf(changes.origin ?? SITE, id), ...changes })
const connecting = (id: string, origin = SITE) =>
  request(id, {
    origin,
    method: 'eth_requestAccounts',
    effect: { kind: 'connect', accounts: [], connected: [], only: null },
  })
const unlocking = (id: string) => request(id, { method: 'eth_requestAccounts', effect: { kind: 'unlock' } })
const large = (id: string, size: number, origin = SITE) => request(id, { origin, payload: 'x'.repeat(size) })

const approved = { approve: true, accounts: [] }
const keys = (requests: readonly { key: string }[]) => requests.map(({ key }) => key)

test('a request is open, then decided, then answered, even across restarts', async () => {
  const session = memoryStore()
  const key = keyOf(SITE, '1')
  await createRequests(session).add(request('1'))
  expect(keys(await createRequests(session).open())).toEqual([key])
  expect(await createRequests(session).unfinished()).toEqual([])

  expect(await createRequests(session).decide(key, approved)).toBe(true)
  expect(await createRequests(session).open()).toEqual([])
  expect(await createRequests(session).unfinished()).toMatchObject([{ key, decision: approved }])

  await createRequests(session).keepSigned(key, ['0x02'])
  expect(await createRequests(session).get(key)).toMatchObject({ signed: ['0x02'] })

  await createRequests(session).finish(key, { result: '0x03' })
  expect(await createRequests(session).unfinished()).toEqual([])
  expect(await createRequests(session).get(key)).toEqual({ key, origin: SITE, outcome: { result: '0x03' } })
})

test('only the first decision and the first response count', async () => {
  const requests = createRequests(memoryStore())
  const key = keyOf(SITE, '1')
  await requests.add(request('1'))
  expect(await Promise.all([requests.decide(key, approved), requests.decide(key, approved)])).toEqual([true, false])
  await requests.finish(key, { result: 1 })
  await requests.finish(key, { result: 2 })
  expect(await requests.decide(key, approved)).toBe(false)
  expect(await requests.get(key)).toMatchObject({ outcome: { result: 1 } })
  expect(await requests.decide('unknown', approved)).toBe(false)
})

test('a decision about an outdated revision is ignored', async () => {
  const requests = createRequests(memoryStore())
  const key = keyOf(SITE, '1')
  await requests.add(request('1', { payload: 1 }))
  const change = ({ payload, ...rest }: WalletRequest) => ({ ...rest, payload: Number(payload) + 1 })
  expect(await Promise.all([requests.revise(key, change), requests.revise(key, change)])).toEqual([true, true])
  expect(await requests.get(key)).toMatchObject({ payload: 3, revision: 2 })
  await expect(requests.decide(key, approved, 1)).rejects.toMatchObject({ code: -32602 })
  expect(keys(await requests.open())).toEqual([key])
  expect(await requests.decide(key, approved, 2)).toBe(true)
  expect(await requests.revise(key, change)).toBe(false)
  expect(await requests.get(key)).toMatchObject({ payload: 3 })
})

test('an answered request does not keep any of its content', async () => {
  const session = memoryStore()
  const requests = createRequests(session)
  await requests.add(request('1', { payload: 'what was asked', effect: { kind: 'unlock' } }))
  await requests.finish(keyOf(SITE, '1'), { result: true })
  expect(JSON.stringify(await session.get('requests'))).not.toMatch(/asked|unlock/)
})

test("a site's id never matches another site's request", () => {
  expect(keyOf('https://a.example', '1')).not.toBe(keyOf('https://a.example:81', ''))
  expect(keyOf(SITE, `${OTHER_SITE} 1`)).not.toBe(keyOf(OTHER_SITE, '1'))
})

test('a site can have 20 open requests, and further ones are rejected immediately', async () => {
  expect(MAX_WAITING_PER_SITE).toBe(20)
  const requests = createRequests(memoryStore())
  for (let i = 0; i < MAX_WAITING_PER_SITE; i++) await requests.add(request(`${i}`))
  await expect(requests.add(request('more'))).rejects.toMatchObject({
    code: -32005,
    message: `This site already has ${MAX_WAITING_PER_SITE} pending requests`,
  })
  await requests.add(request('1', { origin: OTHER_SITE }))
  await requests.finish(keyOf(SITE, '0'), { result: true })
  await requests.add(request('more'))
})

test('a site has at most one connection request; unlock requests may repeat', async () => {
  const requests = createRequests(memoryStore())
  await requests.add(connecting('1'))
  await expect(requests.add(connecting('2'))).rejects.toMatchObject({ code: -32002 })
  await requests.add(connecting('1', OTHER_SITE))
  await requests.add(unlocking('3'))
  await requests.add(unlocking('4'))
  await requests.finish(keyOf(SITE, '1'), { result: [] })
  await requests.add(connecting('5'))
})

test('the size of open requests is limited per site and in total', async () => {
  const requests = createRequests(memoryStore())
  await expect(requests.add(large('1', MAX_SIZE_PER_SITE))).rejects.toMatchObject({
    code: -32005,
    message: expect.stringContaining(`of this site would exceed ${MAX_SIZE_PER_SITE} bytes`),
  })
  const half = MAX_SIZE_PER_SITE / 2
  await requests.add(large('1', half))
  await expect(requests.add(large('2', half))).rejects.toMatchObject({ code: -32005 })
  await requests.add(large('1', half, OTHER_SITE))
  const rest = large('1', MAX_SIZE - 2 * half, 'https://third.example')
  await expect(requests.add(rest)).rejects.toMatchObject({
    code: -32005,
    message: expect.stringContaining(`of all sites would exceed ${MAX_SIZE} bytes`),
  })
  await requests.finish(keyOf(SITE, '1'), { result: true })
  await requests.add(rest)
})

test('the limit counts bytes, not characters', async () => {
  const requests = createRequests(memoryStore())
  const wide = request('1', { payload: '語'.repeat(MAX_SIZE_PER_SITE / 3) })
  await expect(requests.add(wide)).rejects.toMatchObject({ code: -32005 })
})

test("each site's newest responses are kept, regardless of other sites", async () => {
  const requests = createRequests(memoryStore())
  const answer = async (id: string, origin: string, result: unknown = id) => {
    await requests.add(request(id, { origin }))
    await requests.finish(keyOf(origin, id), { result })
  }
  await answer('mine', SITE)
  for (let i = 0; i <= MAX_ANSWERS_PER_SITE; i++) await answer(`${i}`, OTHER_SITE)
  expect(await requests.get(keyOf(SITE, 'mine'))).toMatchObject({ outcome: { result: 'mine' } })
  expect(await requests.get(keyOf(OTHER_SITE, '0'))).toBeUndefined()
  expect(await requests.get(keyOf(OTHER_SITE, '1'))).toMatchObject({ outcome: { result: '1' } })
})

test('a response that is too large to store does not evict others', async () => {
  const requests = createRequests(memoryStore())
  for (const [id, result] of [
    ['1', 'small'],
    ['2', 'x'.repeat(MAX_ANSWERS_SIZE)],
  ] as const) {
    await requests.add(request(id))
    await requests.finish(keyOf(SITE, id), { result })
  }
  expect(await requests.get(keyOf(SITE, '1'))).toMatchObject({ outcome: { result: 'small' } })
  expect(await requests.get(keyOf(SITE, '2'))).toBeUndefined()
})

const stranger = (id: string, changes: Partial<WalletRequest> = {}) => request(id, { connected: false, ...changes })
const frame = (at: number) => `https://frame${at}.example`

test('unconnected sites in one tab share a limit of requests and bytes', async () => {
  const requests = createRequests(memoryStore())
  for (let at = 0; at < MAX_STRANGERS_PER_TAB; at++) await requests.add(stranger('1', { origin: frame(at), tab: 7 }))
  await expect(requests.add(stranger('2', { origin: frame(99), tab: 7 }))).rejects.toMatchObject({ code: -32005 })
  await requests.add(stranger('2', { origin: frame(99), tab: 8 }))
  const payload = 'x'.repeat(MAX_STRANGERS_SIZE_PER_TAB)
  await expect(requests.add(stranger('3', { origin: frame(98), tab: 9, payload }))).rejects.toMatchObject({
    code: -32005,
  })
})

test('unconnected sites in any number of tabs leave room for connected ones', async () => {
  const requests = createRequests(memoryStore())
  const payload = 'x'.repeat(MAX_STRANGERS_SIZE_PER_TAB - 2_000)
  let refused = 0
  for (let tab = 0; tab < 50; tab++)
    await requests.add(stranger('1', { origin: frame(tab), tab, payload })).catch(() => refused++)
  expect(refused).toBeGreaterThan(0)
  await requests.add(large('1', MAX_SIZE - MAX_STRANGERS_SIZE - 300_000))
})
