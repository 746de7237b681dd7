import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStore } from './store.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('what was written is there after the next opening', async () => {
  const dataDir = join(folder, 'a', 'b')
  const store = openStore(dataDir)
  const table = store.table<string, number>('t', 'msgpack')
  await store.write([() => table.put(1, 'one')])
  await store.close()
  const again = openStore(dataDir)
  expect(again.table<string, number>('t', 'msgpack').get(1)).toBe('one')
  await again.close()
})

test('writes of one turn take effect in the order of the calls', async () => {
  const store = openStore(folder)
  const table = store.table<string, number>('t', 'msgpack')
  await Promise.all([
    store.write([() => table.put(1, 'first'), () => table.put(2, 'kept')]),
    store.write([() => table.remove(1)]),
    store.write([() => table.put(1, 'last')]),
  ])
  expect([table.get(1), table.get(2)]).toEqual(['last', 'kept'])
  await store.close()
})

test('a write is not answered before it is committed', async () => {
  const store = openStore(folder)
  const table = store.table<string, number>('t', 'msgpack')
  const done = store.write([() => table.put(1, 'one')])
  expect(table.get(1)).toBeUndefined()
  await done
  expect(table.get(1)).toBe('one')
  await store.close()
})

test('closing waits for what was asked for', async () => {
  const store = openStore(folder)
  const table = store.table<string, number>('t', 'msgpack')
  const done = store.write([() => table.put(1, 'one')])
  await store.close()
  await done
  const again = openStore(folder)
  expect(again.table<string, number>('t', 'msgpack').get(1)).toBe('one')
  await again.close()
})

test('what is written later waits for its time, for the next write, or for the end', async () => {
  const store = openStore(folder)
  const table = store.table<string, number>('t', 'msgpack')
  await store.writeLater([() => table.put(1, 'in its time')])
  expect(table.get(1)).toBe('in its time')
  const later = store.writeLater([() => table.put(2, 'with the next')])
  const now = store.write([() => table.put(3, 'now')])
  expect(later).toBe(now)
  await now
  expect([table.get(2), table.get(3)]).toEqual(['with the next', 'now'])
  const last = store.writeLater([() => table.put(4, 'at the end')])
  await store.close()
  await last
  const again = openStore(folder)
  expect(again.table<string, number>('t', 'msgpack').get(4)).toBe('at the end')
  await again.close()
})

test('a failed commit says why, and the next one works', async () => {
  const store = openStore(folder)
  const table = store.table<string, number>('t', 'msgpack')
  await expect(store.write([() => Promise.reject(new Error('no space left'))])).rejects.toThrow('no space left')
  expect(store.failure()).toBe('no space left')
  await store.write([() => table.put(1, 'one')])
  expect(table.get(1)).toBe('one')
  await vi.waitFor(() => expect(store.failure()).toBeUndefined(), { timeout: 20_000 })
  await store.close()
})

test('a commit asks what it will store when its turn has come, once', async () => {
  const store = openStore(folder)
  const table = store.table<string, number>('t', 'msgpack')
  let begins = 0
  const begin = (): number => {
    begins += 1
    return 3
  }
  const first = store.write([() => table.put(1, 'one')], begin)
  const second = store.write([() => table.put(2, 'two')], begin)
  expect(begins).toBe(0)
  await Promise.all([first, second])
  expect(begins).toBe(2)
  expect(store.freeBytes()).toBeGreaterThan(0)
  await store.close()
})

test('a folder that cannot be used is named', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  expect(() => openStore(file)).toThrow(`the data folder ${file} cannot be used: `)
})

test('room that has become free goes back to the disk, and nothing is lost meanwhile', async () => {
  const store = openStore(folder)
  const table = store.table<Buffer, number>('t', 'binary')
  const size = () => statSync(join(folder, 'store.mdb')).size
  const keys = Array.from({ length: 3000 }, (_, key) => key)
  for (let round = 0; round < 2; round++) {
    await store.write(keys.map(key => () => table.put(key, Buffer.alloc(16_000, key))))
    await store.write(keys.slice(10).map(key => () => table.remove(key)))
    const before = size()
    const shrunk = store.shrink()
    const written = store.write([() => table.put(7000 + round, Buffer.from('meanwhile'))])
    await Promise.all([shrunk, written])
    expect(size()).toBeLessThan(before / 10)
    expect(table.get(3)).toEqual(Buffer.alloc(16_000, 3))
  }
  await store.close()
  const again = openStore(folder)
  const same = again.table<Buffer, number>('t', 'binary')
  expect([...same.getRange()].map(({ key }) => key)).toEqual([...keys.slice(0, 10), 7000, 7001])
  await again.close()
  expect(readdirSync(folder).sort()).toEqual(['store.mdb', 'store.mdb-lock'])
})

test('a file of which most is used stays as it is', async () => {
  const store = openStore(folder)
  const table = store.table<Buffer, number>('t', 'binary')
  await store.write(Array.from({ length: 3000 }, (_, key) => () => table.put(key, Buffer.alloc(16_000))))
  const { ino } = statSync(join(folder, 'store.mdb'))
  await store.shrink()
  expect(statSync(join(folder, 'store.mdb')).ino).toBe(ino)
  await store.close()
})
