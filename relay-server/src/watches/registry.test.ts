import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import { createLog } from '@heliograph/shared/server/process/log'
import { openStore, type Store } from '@heliograph/shared/server/storage/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWatchRegistry, type Watch, type WatchRegistry } from './registry.ts'

const START = 1_800_000_000_000
const watch: Watch = {
  client: 'did:key:zAnn',
  id: '1',
  typ: 'subscriber',
  sub: 'https://push.example',
  whu: 'https://push.example/watch',
  tag: [1100, 1108],
  sts: ['accepted', 'queued'],
  expiresAt: START + 1000,
}

let folder: string
let store: Store
let registry: WatchRegistry
let time = START

const open = (shares = sharesOf()): void => {
  store = openStore(folder)
  const limits = { clientWatches: 2, watches: 3 }
  registry = openWatchRegistry({
    tables: store,
    log: createLog('test', 'silent'),
    limits,
    shares,
    now: () => time,
  })
}
const reopen = async (): Promise<void> => {
  await store.close()
  open()
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watches-'))
  time = START
  open()
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

test('a watch matches its client, side, status and tags only', async () => {
  await registry.add(watch)
  expect(registry.matching(watch.client, 'subscriber', 'queued', 1108)).toEqual([watch])
  expect(registry.matching('did:key:zBen', 'subscriber', 'queued', 1108)).toEqual([])
  expect(registry.matching(watch.client, 'publisher', 'accepted', 1108)).toEqual([])
  expect(registry.matching(watch.client, 'subscriber', 'delivered', 1108)).toEqual([])
  expect(registry.matching(watch.client, 'subscriber', 'queued', 1109)).toEqual([])
  expect([registry.has(), registry.has(watch.client), registry.has('did:key:zBen')]).toEqual([true, true, false])
})

test('a watch survives a restart, is replaced if it is added again, and ends when it is removed', async () => {
  await registry.add(watch)
  await registry.add({ ...watch, tag: [1] })
  await reopen()
  expect(registry.size()).toBe(1)
  expect(registry.matching(watch.client, 'subscriber', 'accepted', 1)).toHaveLength(1)
  await registry.remove(watch.client, watch.id)
  await registry.remove(watch.client, watch.id)
  expect([registry.size(), registry.has()]).toEqual([0, false])
  await reopen()
  expect(registry.size()).toBe(0)
})

test('a watch expires and frees its space', async () => {
  await registry.add(watch)
  await registry.add({ ...watch, id: '2', expiresAt: START + 5000 })
  time = START + 1000
  expect(registry.matching(watch.client, 'subscriber', 'accepted', 1100).map(({ id }) => id)).toEqual(['2'])
  await registry.add({ ...watch, id: '3', expiresAt: START + 5000 })
  expect(registry.size()).toBe(2)
  time = START + 5000
  await reopen()
  expect(registry.size()).toBe(0)
})

test('limits watches per client and overall, and names the limit in errors', async () => {
  await registry.add(watch)
  await registry.add({ ...watch, id: '2' })
  expect(() => registry.add({ ...watch, id: '3' })).toThrow(
    expect.objectContaining({ code: -32005, message: 'a client has at most 2 watches (client-watches)' }),
  )
  await registry.add({ ...watch, client: 'did:key:zBen' })
  expect(() => registry.add({ ...watch, client: 'did:key:zCat' })).toThrow('the relay has at most 3 watches (watches)')
  await registry.add({ ...watch, tag: [7] })
  time = START + 1000
  await registry.add({ ...watch, client: 'did:key:zCat', expiresAt: time + 1 })
  expect(registry.size()).toBe(1)
})

test('limits an address to its share, however many keys it uses', async () => {
  await store.close()
  const shares = sharesOf({ watches: 1 })
  open(shares)
  const address = shares.accountOf('address', '192.0.2.1').alone
  await registry.add(watch, address)
  await registry.add({ ...watch, expiresAt: START + 2000 }, address)
  expect(() => registry.add({ ...watch, client: 'did:key:zBen' }, address)).toThrow(
    'the share of your address is used up: 1 watches (address-watches)',
  )
  await registry.remove(watch.client, watch.id)
  await registry.add({ ...watch, client: 'did:key:zBen' }, address)
  expect(registry.size()).toBe(1)
})
