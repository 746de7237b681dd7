/** Tables that several servers share on one Redis server, and on a cluster. */
import { eventually } from '@heliograph/shared/server/process/eventually.fixture'
import { createLog } from '@heliograph/shared/server/process/log'
import { openRedis } from '@heliograph/shared/server/redis/open'
import { type Redis, RedisUnavailable } from '@heliograph/shared/server/redis/redis'
import { openReplicatedTables } from '@heliograph/shared/server/storage/replicated-tables'
import type { Table } from '@heliograph/shared/server/storage/tables'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type RedisServer, startRedis, startRedisCluster } from '../support/redis.ts'

const ROWS = 'relay:{tables}:rows'

type Row = { n: number }
type Told = [key: string, value: Row | undefined]

const log = createLog('test', 'silent')
const open: { close: () => Promise<void> }[] = []

const as = (redis: Redis): Redis => redis
/** A server that receives no changes. */
const deaf = (redis: Redis): Redis => ({ ...redis, subscribe: async () => undefined })

/** Opens one server's table, and records the changes by other servers that it was notified of. */
const openTable = async (urls: readonly string[], wrap = as) => {
  const [first = '', ...others] = urls
  const redis = wrap(await openRedis([first, ...others], { durability: 'process' }))
  let losses = 0
  const onLost = (): void => {
    losses += 1
  }
  const tables = await openReplicatedTables({ redis, prefix: 'relay', log, onLost })
  const table = tables.table<Row, string>('t')
  const told: Told[] = []
  table.onChange((key, value) => told.push([key, value]))
  const close = async (): Promise<void> => {
    tables.close()
    await redis.close()
  }
  open.push({ close })
  return { table, told, check: tables.check, losses: () => losses, other: tables.table<Row, string>('other') }
}

afterEach(async () => {
  for (const { close } of open.splice(0)) await close()
})

describe('on one Redis', () => {
  let server: RedisServer
  beforeEach(async () => {
    server = await startRedis(['--appendfsync', 'always'])
  })
  afterEach(() => server.stop())

  const two = async () => [await openTable([server.url]), await openTable([server.url])] as const

  test('another server sees rows that are added, replaced and removed; the writer gets no notification', async () => {
    const [a, b] = await two()
    await a.table.put('é "x"', { n: 1 })
    expect(a.table.get('é "x"')).toEqual({ n: 1 })
    await eventually(() => expect(b.table.get('é "x"')).toEqual({ n: 1 }))
    await b.table.put('é "x"', { n: 2 })
    await b.table.put('a', { n: 3 })
    await eventually(() => expect([...a.table.entries()]).toEqual([...b.table.entries()]))
    expect([...b.table.entries()]).toEqual([
      ['a', { n: 3 }],
      ['é "x"', { n: 2 }],
    ])
    await a.table.remove('é "x"')
    expect(a.table.get('é "x"')).toBeUndefined()
    await eventually(() => expect(b.table.get('é "x"')).toBeUndefined())
    expect(b.told).toEqual([
      ['é "x"', { n: 1 }],
      ['é "x"', undefined],
    ])
    expect(a.told).toEqual([
      ['é "x"', { n: 2 }],
      ['a', { n: 3 }],
    ])
  })

  test('tables are separate', async () => {
    const [a, b] = await two()
    await a.other.put('k', { n: 1 })
    await a.table.put('last', { n: 2 })
    await eventually(() => expect(b.told).toEqual([['last', { n: 2 }]]))
    expect([b.other.get('k'), b.table.get('k')]).toEqual([{ n: 1 }, undefined])
  })

  test('a newly started server has all rows', async () => {
    const [a] = await two()
    await Promise.all(Array.from({ length: 500 }, (_, n) => a.table.put(`${n}`, { n })))
    await a.table.remove('7')
    const late = await openTable([server.url])
    expect([...late.table.entries()]).toEqual([...a.table.entries()])
    expect([[...late.table.entries()].length, late.told]).toEqual([499, []])
  })

  test('servers that write the same row concurrently agree on its value, and so do their listeners', async () => {
    const [a, b] = await two()
    const views = [new Map<string, number>(), new Map<string, number>()]
    const put = async (which: 0 | 1, key: string, n: number): Promise<void> => {
      views[which]?.set(key, n)
      await [a, b][which]?.table.put(key, { n })
    }
    for (const [which, { table }] of [a, b].entries())
      table.onChange((key, value) => value && views[which]?.set(key, value.n))
    await Promise.all(Array.from({ length: 400 }, (_, n) => put(n % 2 === 0 ? 0 : 1, `${n % 7}`, n)))
    const third = await openTable([server.url])
    const stored = [...third.table.entries()]
    expect(stored).toHaveLength(7)
    await eventually(() => {
      for (const { table } of [a, b]) expect([...table.entries()]).toEqual(stored)
      for (const view of views) expect(stored.map(([key]) => [key, { n: view.get(key) }])).toEqual(stored)
    })
  })

  test('changes during a disconnection are notified afterwards', async () => {
    const [a, b] = await two()
    for (const key of ['kept', 'changed', 'removed']) await a.table.put(key, { n: 1 })
    await eventually(() => expect(b.told).toHaveLength(3))
    b.told.length = 0
    await server.kill()
    await server.restart()
    // Changes made directly in Redis are not published.
    const field = (key: string) => JSON.stringify(['t', key])
    await server.command('HSET', 'relay:{tables}:rows', field('changed'), '{"n":2}', field('added'), '{"n":3}')
    await server.command('HDEL', 'relay:{tables}:rows', field('removed'))
    await server.command('CLIENT', 'KILL', 'TYPE', 'normal')
    await server.command('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await eventually(() =>
      expect(new Map(b.told)).toEqual(
        new Map([
          ['changed', { n: 2 }],
          ['added', { n: 3 }],
          ['removed', undefined],
        ]),
      ),
    )
    // The server's other connection may still be lost. Until it is restored, a change is refused, so the change is
    // retried.
    await eventually(() => a.table.put('later', { n: 4 }))
    await eventually(() => expect(b.table.get('later')).toEqual({ n: 4 }))
    expect(b.table.get('kept')).toEqual({ n: 1 })
  })

  test('after a missed version the rows are read again, although no connection was lost', async () => {
    const [a, b] = await two()
    await a.table.put('known', { n: 1 })
    await eventually(() => expect(b.told).toHaveLength(1))
    await server.command('HSET', 'relay:{tables}:rows', JSON.stringify(['t', 'missed']), '{"n":2}')
    await server.command('INCR', 'relay:{tables}:version')
    await a.table.put('next', { n: 3 })
    await eventually(() => expect(b.table.get('missed')).toEqual({ n: 2 }))
    expect(b.table.get('next')).toEqual({ n: 3 })
  })

  test('a refused write rejects and is undone, and removing still works when Redis is full', async () => {
    const [a, b] = await two()
    await a.table.put('old', { n: 1 })
    await a.table.put('kept', { n: 1 })
    await eventually(() => expect(b.told).toHaveLength(2))
    await server.command('CONFIG', 'SET', 'maxmemory', '1')
    await expect(a.table.put('new', { n: 2 })).rejects.toThrow(RedisUnavailable)
    await expect(a.table.put('kept', { n: 2 })).rejects.toThrow(RedisUnavailable)
    expect(a.told).toEqual([
      ['new', undefined],
      ['kept', { n: 1 }],
    ])
    expect([a.table.get('new'), a.table.get('kept')]).toEqual([undefined, { n: 1 }])
    await a.table.remove('old')
    await eventually(() => expect([...b.table.entries()]).toEqual([['kept', { n: 1 }]]))
    await server.command('CONFIG', 'SET', 'maxmemory', '0')
    await a.table.put('new', { n: 3 })
    await eventually(() => expect(b.table.get('new')).toEqual({ n: 3 }))
  })

  const rowsOf = ({ table }: { table: Table<Row, string> }) => Object.fromEntries(table.entries())

  test('lost rows are restored, even when Redis is full', async () => {
    const [a, b] = await two()
    await a.table.put('x', { n: 1 })
    await eventually(() => expect(b.told).toHaveLength(1))
    await server.command('FLUSHALL')
    await server.command('CONFIG', 'SET', 'maxmemory', '1')
    await a.check()
    await server.command('CONFIG', 'SET', 'maxmemory', '0')
    await b.check()
    for (const one of [a, b]) expect(rowsOf(one)).toEqual({ x: { n: 1 } })
  })

  test('any server restores lost rows, with the last value that each server wrote', async () => {
    const [a, b] = await two()
    await a.table.put('x', { n: 1 })
    await b.table.put('y', { n: 2 })
    await server.command('FLUSHALL')
    await Promise.all([a.check(), b.table.put('y', { n: 3 }), a.table.put('z', { n: 4 })])
    const late = await openTable([server.url])
    for (const one of [a, b, late])
      await eventually(() => expect(rowsOf(one)).toEqual({ x: { n: 1 }, y: { n: 3 }, z: { n: 4 } }))
    expect([a.told, b.told.filter(([key]) => key === 'y'), late.losses()]).toEqual([
      [
        ['y', { n: 2 }],
        ['y', { n: 3 }],
      ],
      [],
      0,
    ])
    await a.check()
    await b.check()
    expect([a.losses(), b.losses()]).toEqual([1, 1])
  })

  test('a server that starts before lost rows are restored gets them', async () => {
    const [a] = await two()
    await a.table.put('x', { n: 1 })
    await server.command('FLUSHALL')
    const late = await openTable([server.url])
    await late.table.put('y', { n: 2 })
    await a.check()
    for (const one of [a, late]) await eventually(() => expect(rowsOf(one)).toEqual({ x: { n: 1 }, y: { n: 2 } }))
  })

  test('a row that is removed after a restore is not restored by another server', async () => {
    const a = await openTable([server.url])
    await a.table.put('x', { n: 1 })
    await a.table.put('y', { n: 1 })
    const late = await openTable([server.url], deaf)
    await server.command('FLUSHALL')
    await a.check()
    await a.table.remove('x')
    await late.check()
    for (const one of [a, late]) expect(rowsOf(one)).toEqual({ y: { n: 1 } })
    expect((await server.command('HKEYS', ROWS)) as string[]).not.toContain(JSON.stringify(['t', 'x']))
  })

  test('a row that a replica has not removed yet stays removed when it takes over', async () => {
    const [a, b] = await two()
    await a.table.put('x', { n: 1 })
    await a.table.put('y', { n: 1 })
    const rows = Object.entries((await server.command('HGETALL', ROWS)) as Record<string, string>).flat()
    const version = `${await server.command('GET', 'relay:{tables}:version')}`
    await a.table.remove('x')
    await b.table.put('y', { n: 2 })
    await eventually(() => expect(rowsOf(a)).toEqual({ y: { n: 2 } }))
    await server.command('DEL', ROWS)
    await server.command('HSET', ROWS, ...rows)
    await server.command('SET', 'relay:{tables}:version', version)
    await server.command('CLIENT', 'KILL', 'TYPE', 'normal')
    await server.command('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await eventually(() => expect([a.losses(), b.losses()]).toEqual([1, 1]))
    const late = await openTable([server.url])
    for (const one of [a, b, late]) await eventually(() => expect(rowsOf(one)).toEqual({ y: { n: 2 } }))
  })

  test('a write that Redis executes after its time limit is also notified to its writer', async () => {
    const [a, b] = await two()
    await a.table.put('k', { n: 1 })
    await eventually(() => expect(b.told).toHaveLength(1))
    server.pause()
    await expect(a.table.put('k', { n: 2 })).rejects.toThrow(RedisUnavailable)
    server.resume()
    await b.table.put('last', { n: 0 })
    await eventually(() => expect(a.table.get('last')).toEqual({ n: 0 }))
    await eventually(() => expect([...a.table.entries()]).toEqual([...b.table.entries()]))
    expect(a.told[0]).toEqual(['k', { n: 1 }])
  })
})

test('on a cluster, another server sees changes, even after a primary was restarted', async () => {
  const cluster = await startRedisCluster(['--appendfsync', 'always'])
  try {
    const [a, b] = [await openTable(cluster.urls), await openTable(cluster.urls)]
    await a.table.put('one', { n: 1 })
    await eventually(() => expect(b.told).toEqual([['one', { n: 1 }]]))
    for (const server of cluster.servers) {
      await server.kill()
      await server.restart()
    }
    await vi.waitFor(() => a.table.put('two', { n: 2 }), { timeout: 30_000, interval: 200 })
    await eventually(() => expect(b.table.get('two')).toEqual({ n: 2 }))
    expect(b.table.get('one')).toEqual({ n: 1 })
  } finally {
    for (const { close } of open.splice(0)) await close()
    await cluster.stop()
  }
})
