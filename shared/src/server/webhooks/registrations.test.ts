import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sharesOf } from '../limits/shares.fixture.ts'
import { NOBODY } from '../limits/shares.ts'
import { createLog } from '../process/log.ts'
import { openStore, type Store } from '../storage/store.ts'
import { openRegistrations, type Registrations } from './registrations.ts'

const DAY = 24 * 60 * 60 * 1000
const URL = 'https://push.example/hook'
const trusted = { payers: NOBODY, isTrusted: true }
const stranger = { payers: NOBODY, isTrusted: false }

let folder: string
let store: Store
let time: number
let registrations: Registrations

const open = (): void => {
  store = openStore(folder)
  registrations = openRegistrations({
    tables: store,
    log: createLog('test', 'silent'),
    shares: sharesOf(),
    limits: { perTopic: 10, topics: 10, bytes: 10_000, days: 30 },
    now: () => time,
  })
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'registrations-'))
  time = 1_800_000_000_000
  open()
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

const urls = (topic: string) => registrations.toCall(topic)?.map(({ url }) => url)

test('a webhook expires unless it is renewed, also across a restart', async () => {
  await registrations.add('a', URL, trusted)
  await registrations.add('b', URL, trusted)
  time += 20 * DAY
  await registrations.add('b', URL, trusted)
  await store.close()
  open()
  time += 11 * DAY
  expect([urls('a'), urls('b')]).toEqual([undefined, [URL]])
  registrations.sweep()
  expect(registrations.size()).toBe(1)
})

test('webhooks of a topic with spaces are kept across a restart, apart from the webhooks of its first word', async () => {
  await registrations.add('two words', URL, trusted)
  await registrations.add('two', `${URL}/2`, trusted)
  await store.close()
  open()
  expect([urls('two words'), urls('two')]).toEqual([[URL], [`${URL}/2`]])
})

test('removes a URL that is not confirmed within a day, and keeps a confirmed URL for its days', async () => {
  expect(await registrations.add('a', URL, stranger)).toBe(true)
  expect(await registrations.add('b', `${URL}/2`, stranger)).toBe(true)
  expect(urls('a')).toBeUndefined()
  expect(registrations.confirm(URL)).toEqual(['a'])
  time += 2 * DAY
  registrations.sweep()
  expect([urls('a'), registrations.size()]).toEqual([[URL], 1])
})

test('a confirmed URL needs no further challenge for other topics', async () => {
  await registrations.add('a', URL, stranger)
  registrations.confirm(URL)
  expect(await registrations.add('b', URL, stranger)).toBe(false)
  expect(urls('b')).toEqual([URL])
})

test('a registration stored before expiry existed gets the full number of days', async () => {
  const table = store.table<unknown, string>('webhooks')
  await table.put('old', [URL])
  await store.close()
  open()
  expect(urls('old')).toEqual([URL])
  time += 31 * DAY
  expect(urls('old')).toBeUndefined()
})

test('rows with all webhooks of a topic are converted, and removed webhooks do not come back', async () => {
  const table = store.table<unknown, string>('webhooks')
  await table.put('old', [
    [URL, time + DAY, 0, true],
    [`${URL}/2`, time + DAY, 0, true],
  ])
  await store.close()
  open()
  expect(urls('old')).toEqual([URL, `${URL}/2`])
  registrations.remove('old', URL)
  await store.close()
  open()
  expect(urls('old')).toEqual([`${URL}/2`])
  expect([...store.table('webhooks').entries()]).toEqual([])
})
