import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Damage } from './damage.ts'
import { disk } from './failing-disk.fixture.ts'
import { fileHead } from './segment-files.ts'
import { openStore, type Store } from './store.ts'

vi.mock('node:fs', async original => (await import('./failing-disk.fixture.ts')).failingDisk(await original()))

let folder: string
let store: Store
let damages: Damage[]

const open = (): void => {
  damages = []
  store = openStore(folder, { segmentBytes: 5000, onDamage: damage => damages.push(damage) })
}
const reopen = async (): Promise<void> => {
  await store.close()
  open()
}
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'store-')), 'a', 'b')
  open()
})
afterEach(async () => {
  disk.left = Number.POSITIVE_INFINITY
  await store.close()
  rmSync(join(folder, '..', '..'), { recursive: true })
})

const rows = (name = 't'): [unknown, unknown][] => [...store.table<unknown, string | number>(name).entries()]
const logs = (): string[] => readdirSync(folder).filter(name => name.endsWith('.log'))

test('tables are loaded again, in key order and separately', async () => {
  const numbers = store.table<string, number>('t')
  const texts = store.table<{ a: number[] }, string>('u')
  await Promise.all([
    numbers.put(10, 'ten'),
    numbers.put(9, 'grüße ☀'),
    numbers.put(1, 'one'),
    texts.put('x', { a: [1] }),
  ])
  await Promise.all([numbers.remove(1), numbers.put(10, 'ten again'), numbers.remove(7)])
  await reopen()
  expect(rows()).toEqual([
    [9, 'grüße ☀'],
    [10, 'ten again'],
  ])
  expect(store.table<unknown, string>('u').get('x')).toEqual({ a: [1] })
  expect([store.table('u').get('y'), damages]).toEqual([undefined, []])
})

test('all changes of a turn are one write, in the order of the calls', async () => {
  const table = store.table<string, number>('t')
  let writes = 0
  disk.step = () => {
    writes += 1
    return Number.POSITIVE_INFINITY
  }
  await Promise.all([table.put(1, 'first'), table.put(2, 'kept'), table.remove(1), table.put(1, 'last')])
  disk.step = undefined
  // `step` runs before and after a write, so 2 means that all changes were written at once.
  expect(writes).toBe(2)
  await reopen()
  expect(rows()).toEqual([
    [1, 'last'],
    [2, 'kept'],
  ])
})

test('closing waits for pending writes', async () => {
  const done = store.table<string, number>('t').put(1, 'one')
  await reopen()
  await done
  expect(rows()).toEqual([[1, 'one']])
})

test('refused writes fail completely, with the reason; removals are kept until there is room', async () => {
  const table = store.table<string, number>('t')
  await Promise.all([table.put(1, 'one'), table.put(2, 'two')])
  disk.left = 50
  await expect(Promise.all([table.put(1, 'changed'), table.put(3, 'x'.repeat(100))])).rejects.toThrow('ENOSPC')
  expect([table.get(1), table.get(3)]).toEqual(['one', undefined])
  expect(store.failure()).toBe('the disk is full')
  disk.left = 0
  await expect(table.remove(2)).rejects.toThrow('ENOSPC')
  disk.left = Number.POSITIVE_INFINITY
  await vi.waitFor(() => expect(store.failure()).toBeUndefined(), { timeout: 20_000 })
  await reopen()
  expect([rows(), damages]).toEqual([[[1, 'one']], []])
})

test('rows that are overwritten repeatedly take at most twice the live bytes plus some files', async () => {
  const table = store.table<string, number>('t')
  for (let round = 0; round < 40; round++) {
    for (let key = 0; key < 20; key++) void table.put(key, `${round} ${'x'.repeat(100)}`)
    await table.put(99, `${round}`)
    store.tidy()
  }
  const bytes = (): number => logs().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  await vi.waitFor(
    () => {
      store.tidy()
      expect(bytes()).toBeLessThan(2 * 21 * 150 + 5 * 5000)
    },
    { timeout: 20_000 },
  )
  await reopen()
  expect(rows().map(([key]) => key)).toEqual([...Array.from({ length: 20 }, (_, key) => key), 99])
  expect([store.table('t').get(7), store.table('t').get(99)]).toEqual([`39 ${'x'.repeat(100)}`, '39'])
})

test('the error names a directory that cannot be used, and a file of another format', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => openStore(file)).toThrow(`the data folder ${file} cannot be used: `)
  await store.table<string, number>('t').put(1, 'one')
  await store.close()
  const [name = ''] = logs()
  const path = join(folder, name)
  const bytes = readFileSync(path)
  const head = fileHead(1, 0, 2)
  bytes.set(head)
  writeFileSync(path, bytes)
  expect(() => openStore(folder)).toThrow(
    `the data folder ${folder} cannot be used: ${path} has format 2 and this version reads format 1: start the version that wrote it, or use another data folder`,
  )
  bytes.set(fileHead(1, 0))
  writeFileSync(path, bytes)
  writeFileSync(join(folder, 'store.mdb'), '')
  expect(() => openStore(folder)).toThrow('it holds the store of an earlier version (store.mdb)')
  rmSync(join(folder, 'store.mdb'))
  open()
  expect(rows()).toEqual([[1, 'one']])
})

test('a file that is started while all earlier files are removed is kept', async () => {
  for (let time = 0; time < 20; time++) {
    expect(rows()).toEqual(time > 0 ? [['a', time - 1]] : [])
    const table = store.table<number, string>('t')
    const removed = table.remove('a')
    await table.put('a', time)
    await removed
    await reopen()
  }
})

test('a torn end of the newest file is reported once and kept in a separate file', async () => {
  await store.table<string, string>('t').put('a', 'kept')
  await store.close()
  const [name = ''] = logs()
  const path = join(folder, name)
  const { size } = statSync(path)
  writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('torn')]))
  open()
  expect(damages).toEqual([{ path, at: size, bytes: 4, reason: 'no valid record is there' }])
  expect(readFileSync(`${path}.${size}.damaged`, 'utf8')).toBe('torn')
  await store.table<string, string>('t').put('b', 'new')
  await reopen()
  expect(damages).toEqual([])
  expect(rows()).toEqual([
    ['a', 'kept'],
    ['b', 'new'],
  ])
})
