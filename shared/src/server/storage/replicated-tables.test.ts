/** Orders in which a server can receive its own writes and the writes of other servers. */
import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { createLog } from '../process/log.ts'
import { type Redis, RedisUnavailable, type Reply } from '../redis/redis.ts'
import { openReplicatedTables, type ReplicatedTables } from './replicated-tables.ts'
import type { Table } from './tables.ts'

const EPOCH = JSON.stringify(['', 'epoch'])
const FIELD = JSON.stringify(['t', 'k'])

type Pending = { resolve: (reply: Reply) => void; reject: (thrown: unknown) => void }

/** Pending writes and reads, which the test answers. */
let writes: Pending[]
let reads: Pending[]
/** Arguments of the scripts that restore rows. */
let backs: (readonly string[])[]
let hear: (message: string) => void
let gap: () => void
let tables: ReplicatedTables
let table: Table<number, string>
let losses: number
let told: (number | undefined)[]

const pendingIn = (list: () => Pending[]): Promise<Reply> =>
  new Promise((resolve, reject) => list().push({ resolve, reject }))

const redis: Redis = {
  send: () => pendingIn(() => writes),
  sendEach: async () => [],
  storing: (_, work) => work(),
  channel: name => name,
  load: async () => undefined,
  run: (_, __, args) => {
    if (args.length > 0) backs.push(args)
    return pendingIn(() => reads)
  },
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
const show = async (version: number, value?: number, epoch = 'first'): Promise<void> => {
  const row = value === undefined ? [] : [FIELD, `${value}`]
  ;(await next(reads)).resolve([`${version}`, [EPOCH, epoch, ...row]])
  await turn()
}

/** Answers a script that restores rows. Returns the expected epoch and version, and the rows. */
const putBack = async (): Promise<string[]> => {
  ;(await next(reads)).resolve(null)
  await turn()
  const [, epoch = '', version = '', , ...rows] = backs.shift() ?? []
  return [epoch, version, ...rows]
}

beforeEach(async () => {
  writes = []
  reads = []
  backs = []
  losses = 0
  told = []
  const onLost = () => {
    losses += 1
  }
  const opening = openReplicatedTables({ redis, prefix: 'relay', log: createLog('test', 'silent'), onLost })
  await show(10, 1)
  tables = await opening
  table = tables.table('t')
  table.onChange((_, value) => told.push(value))
})

test('a write is visible at once, before its answer and its message', async () => {
  const done = table.put('k', 2)
  expect([table.get('k'), [...table.entries()]]).toEqual([2, [['k', 2]]])
  await answer(11)
  await done
  expect(table.get('k')).toBe(2)
  publish(11, 2)
  expect([table.get('k'), told]).toEqual([2, []])
})

test("another server's earlier write is not visible after this server's later write", async () => {
  void table.put('k', 2)
  publish(11, 3)
  expect([table.get('k'), told]).toEqual([2, []])
  publish(12, 2)
  await answer(12)
  expect([table.get('k'), told]).toEqual([2, []])
})

test("another server's later write is visible, whether it arrives before or after the answer", async () => {
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

test('of two writes of this server, the later one is visible before the answers', async () => {
  void table.put('k', 2)
  void table.remove('k')
  publish(11, 2)
  await answer(11)
  expect(table.get('k')).toBeUndefined()
  publish(12, '')
  await answer(12)
  expect([table.get('k'), told]).toEqual([undefined, []])
})

test('after a refused write, the writes of other servers are visible', async () => {
  const done = table.put('k', 2)
  publish(11, 3)
  ;(await next(writes)).reject(new RedisUnavailable('no answer'))
  await expect(done).rejects.toThrow('no answer')
  expect([table.get('k'), told]).toEqual([3, [3]])
  // Redis executed the write although its response was lost, so the change is published.
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

test('an answered write that a failover has lost is restored', async () => {
  void table.put('k', 2)
  await answer(11)
  publish(11, 2)
  gap()
  await show(10, 1)
  expect(await putBack()).toEqual(['first', '11', FIELD, '2'])
  await show(13, 2, 'second')
  expect([table.get('k'), told, losses]).toEqual([2, [], 1])
})

test('the rows are restored when the epoch has changed, and writes made meanwhile stay', async () => {
  gap()
  await show(3, undefined, 'second')
  expect(await putBack()).toEqual(['first', '10', FIELD, '1'])
  await show(12, 7, 'second')
  expect([table.get('k'), told, losses]).toEqual([7, [7], 1])
})

test('a write that Redis refuses because it has lost rows is repeated once they are restored', async () => {
  const done = table.put('k', 2)
  await answer(-1)
  ;(await next(reads)).resolve(['0', []])
  expect(await putBack()).toEqual(['first', '10', FIELD, '2'])
  await show(12, 2, 'second')
  await answer(13)
  await done
  expect([table.get('k'), told, losses]).toEqual([2, [], 1])
})

test('a check reads and restores only if the epoch has changed', async () => {
  const fine = tables.check()
  ;(await next(writes)).resolve('first')
  await fine
  const lost = tables.check()
  ;(await next(writes)).resolve(null)
  ;(await next(reads)).resolve(['0', []])
  expect(await putBack()).toEqual(['first', '10', FIELD, '1'])
  await show(12, 1, 'second')
  await lost
  expect([table.get('k'), reads.length]).toEqual([1, 0])
})

test('a gap during a read, and a failed read, lead to another read', async () => {
  gap()
  await turn()
  gap()
  ;(await next(reads)).reject(new RedisUnavailable('no answer'))
  await expect.poll(() => reads.length).toBe(1)
  await show(13, 5)
  expect([table.get('k'), reads.length]).toEqual([5, 0])
})
