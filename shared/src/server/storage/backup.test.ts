import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { copyLogs } from './backup.ts'
import { NOWHERE } from './blocks.ts'
import { checkFolder } from './check.ts'
import { BATCH, BATCH_LENGTH_BYTES, HEAD_BYTES, writeHead } from './record.ts'
import { logsIn, segmentNumbers, segmentPath } from './segment-files.ts'
import { openStore, type Store } from './store.ts'

/** Called before each listing and each opening of a file while a copy is made. */
const steps: { before: (() => void) | undefined } = vi.hoisted(() => ({ before: undefined }))

vi.mock('node:fs', async original => {
  const real = await original<typeof import('node:fs')>()
  const after = <A extends unknown[], R>(call: (...args: A) => R) => {
    return (...args: A): R => {
      steps.before?.()
      return call(...args)
    }
  }
  const readdirSync = after((path: string) => real.readdirSync(path))
  return { ...real, readdirSync, openSync: after(real.openSync) }
})

let base: string
let folder: string
let copy: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'backup-'))
  folder = join(base, 'data')
  copy = join(base, 'copy')
  mkdirSync(copy)
})
afterEach(() => rmSync(base, { recursive: true }))

const SEGMENT_BYTES = 500
const open = (path: string): Store => openStore(path, { segmentBytes: SEGMENT_BYTES })
const tableOf = (store: Store) => store.table<string, number>('t')

const rowsIn = async (path: string): Promise<Map<number, string>> => {
  const store = open(path)
  const rows = new Map(tableOf(store).entries())
  await store.close()
  return rows
}
const newestIn = (path: string): { path: string; number: number } => {
  const number = segmentNumbers(path, 'tables').at(-1) ?? 0
  return { number, path: segmentPath(path, 'tables', number) }
}
const putAll = (store: Store, keys: readonly number[], value: string) =>
  Promise.all(keys.map(key => tableOf(store).put(key, `${value} ${key}`)))

test('a copy of a store in use has all records that were durable before, in files for their owner only', async () => {
  const store = open(folder)
  const bytes: number[] = []
  for (let round = 0; round < 20; round++) {
    await putAll(store, [round, round + 1, 50], `round ${round} ${'.'.repeat(40)}`)
    if (round > 5) await tableOf(store).remove(round - 5)
    store.tidy()
    const expected = new Map(tableOf(store).entries())
    const target = join(base, `copy ${round}`)
    mkdirSync(target)
    bytes.push(copyLogs(folder, target))
    // The copy must not contain this later write.
    await putAll(store, [100 + round], 'later')
    expect(checkFolder(target).damages).toEqual([])
    for (const name of readdirSync(target)) expect(statSync(join(target, name)).mode & 0o777).toBe(0o600)
    expect(await rowsIn(target)).toEqual(expected)
  }
  await store.close()
  expect(segmentNumbers(folder, 'tables')[0]).toBeGreaterThan(1)
  expect(Math.min(...bytes)).toBeGreaterThan(0)
})

test('all logs are copied', async () => {
  const store = open(folder)
  await putAll(store, [1], 'row')
  const log = store.log('messages')
  log.reserve(4)
  log.append(1, 4, { block: NOWHERE, at: 0, length: 0 })
  await log.commit()
  copyLogs(folder, copy)
  expect(logsIn(copy).toSorted()).toEqual(['messages', 'tables'])
  await store.close()
})

test('a record that is being written to the newest file is left out', async () => {
  const store = open(folder)
  await putAll(store, [1, 2], 'row')
  const { path } = newestIn(folder)
  const whole = readFileSync(path)
  for (const length of [1, HEAD_BYTES, HEAD_BYTES + 5]) {
    writeFileSync(path, Buffer.concat([whole, whole.subarray(24, 24 + length)]))
    expect(copyLogs(folder, copy)).toBe(whole.length)
    expect(readFileSync(newestIn(copy).path).equals(whole)).toBe(true)
    rmSync(newestIn(copy).path)
  }
  await store.close()
})

test('all records of a batch that is being written are left out', async () => {
  const store = open(folder)
  await putAll(store, [1], 'row')
  await store.close()
  const { path, number } = newestIn(folder)
  const offset = statSync(path).size
  const note = Buffer.alloc(HEAD_BYTES + BATCH_LENGTH_BYTES)
  note.writeUInt32LE(1000, HEAD_BYTES)
  writeHead(note, 0, { kind: BATCH, length: BATCH_LENGTH_BYTES, file: number, offset })
  appendFileSync(path, note)
  expect(copyLogs(folder, copy)).toBe(offset)
})

test('a newest file without a complete head is left out', async () => {
  const store = open(folder)
  await putAll(store, [1], 'row')
  await store.close()
  writeFileSync(segmentPath(folder, 'tables', newestIn(folder).number + 1), 'HELIO')
  copyLogs(folder, copy)
  expect(segmentNumbers(copy, 'tables')).toEqual([1])
})

test('an existing file of the target is not overwritten', async () => {
  const store = open(folder)
  await putAll(store, [1], 'row')
  await store.close()
  copyLogs(folder, copy)
  expect(() => copyLogs(folder, copy)).toThrow('EEXIST')
})

test('a copy has every live record, whenever the server moves records and removes files during the copy', async () => {
  const kept = [1, 2, 3]
  const store = open(folder)
  await putAll(store, kept, 'kept')
  for (let round = 0; round < 12; round++) await putAll(store, [10, 11], `${round} ${'.'.repeat(60)}`)
  const before = join(base, 'before')
  cpSync(folder, before, { recursive: true })
  /** Copies of all files that the server ever wrote, each with its last contents. */
  const written = join(base, 'written')
  const collect = (): void => cpSync(folder, written, { recursive: true })
  for (let round = 0; round < 12; round++) {
    await putAll(store, [10, 11], `again ${round} ${'.'.repeat(60)}`)
    collect()
  }
  store.tidy()
  await store.close()
  collect()
  const removed = readdirSync(written).filter(name => !existsSync(join(folder, name)))
  expect(removed.length).toBeGreaterThan(readdirSync(before).length - 1)

  const changing = join(base, 'changing')
  const add = (): void => cpSync(written, changing, { recursive: true })
  const remove = (): void => {
    for (const name of removed) rmSync(join(changing, name))
  }
  /** Copies while files are added before the call with the number `added`, and removed before the call `gone`. */
  const copyDuring = async (added: number, gone: number): Promise<number> => {
    rmSync(changing, { recursive: true, force: true })
    rmSync(copy, { recursive: true, force: true })
    cpSync(before, changing, { recursive: true })
    mkdirSync(copy)
    let calls = 0
    steps.before = () => {
      calls += 1
      if (calls === added) add()
      if (calls === gone) remove()
    }
    copyLogs(changing, copy)
    steps.before = undefined
    expect(checkFolder(copy).damages).toEqual([])
    const rows = await rowsIn(copy)
    for (const key of kept) expect(rows.get(key), `${key}, ${added}, ${gone}`).toBe(`kept ${key}`)
    return calls
  }
  const calls = await copyDuring(0, 0)
  for (let added = 1; added <= calls; added++)
    for (let gone = added; gone <= calls; gone++) await copyDuring(added, gone)
})
