/** Orders in which a server can hear of its own writes and those of others. */
import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { createLog } from '../process/log.ts'
import { type Redis, RedisUnavailable, type Reply } from '../redis/redis.ts'
import { openReplicatedTables } from './replicated-tables.ts'
import type { Table } from './tables.ts'

const FIELD = JSON.stringify(['t', 'k'])

type Pending = { resolve: (reply: Reply) => void; reject: (thrown: unknown) => void }

/** Writes and reads that wait for the test to answer them. */
let writes: Pending[]
let reads: Pending[]
let hear: (message: string) => void
let gap: () => void
let table: Table<number, string>
let told: (number | undefined)[]

const pendingIn = (list: () => Pending[]): Promise<Reply> =>
  new Promise((resolve, reject) => list().push({ resolve, reject }))

const redis: Redis = {
  send: () => pendingIn(() => writes),
  sendEach: async () => [],
  storing: (_, work) => work(),
  channel: name => name,
  load: async () => undefined,
  run: () => pendingIn(() => reads),
  subscribe: async (_, onMessage) => {
    hear = onMessage
  },
  unsubscribe: async () => undefined,
  onGap: tell => {
    gap = tell
  },
  failure: () => undefined,
  primaries: () => 1,
  close: async () => undefined,
}

const next = async (list: Pending[]): Promise<Pending> => {
  await turn()
  const one = list.shift()
  if (!one) throw new Error('nothing was sent')
  return one
}
const publish = (version: number, value: number | ''): void => hear(JSON.stringify([version, FIELD, `${value}`]))
const answer = async (version: number): Promise<void> => {
  ;(await next(writes)).resolve(version)
  await turn()
}
/** Answers a read with the value of the only row. */
const show = async (version: number, value?: number): Promise<void> => {
  ;(await next(reads)).resolve([`${version}`, value === undefined ? [] : [FIELD, `${value}`]])
  await turn()
}

beforeEach(async () => {
  writes = []
  reads = []
  told = []
  const opening = openReplicatedTables({ redis, prefix: 'relay', log: createLog('test', 'silent') })
  await show(10, 1)
  table = (await opening).table('t')
  table.onChange((_, value) => told.push(value))
})

test('a write is there at once, before its answer and its message', async () => {
  const done = table.put('k', 2)
  expect([table.get('k'), [...table.entries()]]).toEqual([2, [['k', 2]]])
  await answer(11)
  await done
  expect(table.get('k')).toBe(2)
  publish(11, 2)
  expect([table.get('k'), told]).toEqual([2, []])
})

test("another server's earlier write is not seen after this server's later one", async () => {
  void table.put('k', 2)
  publish(11, 3)
  expect([table.get('k'), told]).toEqual([2, []])
  publish(12, 2)
  await answer(12)
  expect([table.get('k'), told]).toEqual([2, []])
})

test("another server's later write is seen, whether it is heard before or after the answer", async () => {
  void table.put('k', 2)
  publish(11, 2)
  publish(12, 3)
  await answer(11)
  expect([table.get('k'), told]).toEqual([3, [3]])
  void table.put('k', 4)
  await answer(13)
  publish(13, 4)
  publish(14, '')
  expect([table.get('k'), told]).toEqual([undefined, [3, undefined]])
})

test('of two writes of this server, the later one counts before the answers', async () => {
  void table.put('k', 2)
  void table.remove('k')
  publish(11, 2)
  await answer(11)
  expect(table.get('k')).toBeUndefined()
  publish(12, '')
  await answer(12)
  expect([table.get('k'), told]).toEqual([undefined, []])
})

test('a refused write gives way to what others have written meanwhile', async () => {
  const done = table.put('k', 2)
  publish(11, 3)
  ;(await next(writes)).reject(new RedisUnavailable('no answer'))
  await expect(done).rejects.toThrow('no answer')
  expect([table.get('k'), told]).toEqual([3, [3]])
  // Redis has executed it after all.
  publish(12, 2)
  expect([table.get('k'), told]).toEqual([2, [3, 2]])
})

test('changes that arrive during a read are applied after it, unless it includes them', async () => {
  gap()
  await turn()
  publish(11, 2)
  publish(12, 3)
  publish(13, 4)
  expect(table.get('k')).toBe(1)
  await show(12, 3)
  expect([table.get('k'), told]).toEqual([4, [3, 4]])
})

test('a write whose message was lost is compared with the rows after the gap', async () => {
  void table.put('k', 2)
  await answer(11)
  gap()
  await show(12, 3)
  expect([table.get('k'), told]).toEqual([3, [3]])
})

test('an answered write that a failover has lost is taken back', async () => {
  void table.put('k', 2)
  await answer(11)
  gap()
  await show(10, 1)
  expect([table.get('k'), told]).toEqual([1, [1]])
})

test('a gap during a read, and a failed read, lead to another', async () => {
  gap()
  await turn()
  gap()
  ;(await next(reads)).reject(new RedisUnavailable('no answer'))
  await expect.poll(() => reads.length).toBe(1)
  await show(13, 5)
  expect([table.get('k'), reads.length]).toEqual([5, 0])
})
