import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventually } from '../process/eventually.fixture.ts'
import { NOWHERE, type Place } from './blocks.ts'
import { disk } from './failing-disk.fixture.ts'
import { type Log, type LogOptions, openLog } from './log.ts'
import { BATCH, NOTE } from './record.ts'
import { FILE_HEAD_BYTES } from './segment-files.ts'

vi.mock('node:fs', async original => (await import('./failing-disk.fixture.ts')).failingDisk(await original()))
vi.mock('node:fs/promises', async original => (await import('./failing-disk.fixture.ts')).failingSync(await original()))

const RECORD = 1

let folder: string
let log: Log
let failures: unknown[]

const open = (more: Partial<LogOptions> = {}): void => {
  failures = []
  log = openLog({
    folder,
    name: 'a',
    durability: 'process',
    segmentBytes: 500_000,
    room: { claim: () => undefined },
    isFailing: () => false,
    onFailure: thrown => failures.push(thrown),
    onDamage: () => expect.unreachable(),
    ...more,
  })
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'))
  open()
})
afterEach(async () => {
  disk.left = Number.POSITIVE_INFINITY
  disk.sync = undefined
  await log.close()
  rmSync(folder, { recursive: true })
})

const write = (text: string): number => {
  const { bytes, at } = log.reserve(Buffer.byteLength(text))
  return bytes.write(text, at)
}
const append = (text: string): Place => {
  const place: Place = { block: NOWHERE, at: 0, length: 0 }
  log.append(RECORD, write(text), place)
  return place
}
const note = (text: string): void => log.note(NOTE | RECORD, write(text))

const files = (): string[] => readdirSync(folder).sort()
const FIRST_FILE = 'a-000001.log'

/** Records the names of files that are synced from now on. */
const noteSyncs = (): string[] => {
  const synced: string[] = []
  disk.sync = path => synced.push(basename(path))
  return synced
}
const failSyncs = (): void => {
  disk.sync = () => {
    throw new Error('EIO')
  }
}

/** The log's records after a restart. */
const reloaded = async (more: Partial<LogOptions> = {}): Promise<string[]> => {
  await log.close()
  open(more)
  const found: string[] = []
  log.load((kind, { bytes, start, end }, place) => {
    if (kind === BATCH) return
    found.push(bytes.toString('utf8', start, end))
    log.retain(place)
  })
  return found
}

test('a process killed at any byte of a write leaves a whole batch or none of it, at every later start too', async () => {
  const batches = [['one'], ['two a', 'two b', 'two c'], ['three'], ['four a', 'four b']]
  for (const texts of batches) {
    if (texts.length === 1) texts.forEach(append)
    else log.batch(() => texts.forEach(append))
    await log.commit()
  }
  const path = join(folder, FIRST_FILE)
  const whole = readFileSync(path)
  const lengths = new Set<number>()
  for (let end = FILE_HEAD_BYTES; end < whole.length; end++) {
    await log.close()
    for (const file of files()) rmSync(join(folder, file))
    writeFileSync(path, whole.subarray(0, end))
    const texts = await reloaded({ onDamage: () => undefined })
    const count = batches.findLastIndex((_, index) => batches.slice(0, index + 1).flat().length <= texts.length) + 1
    expect(texts).toEqual(batches.slice(0, count).flat())
    lengths.add(count)
    append('later')
    expect(await reloaded()).toEqual([...texts, 'later'])
  }
  expect([...lengths]).toEqual([0, 1, 2, 3])
})

test('a batch of several blocks is complete, even if its caller throws', async () => {
  const texts = Array.from({ length: 5 }, (_, index) => `${index} ${'x'.repeat(30_000)}`)
  expect(() =>
    log.batch(() => {
      texts.forEach(append)
      throw new Error('no room')
    }),
  ).toThrow('no room')
  append('single')
  expect(await reloaded()).toEqual([...texts, 'single'])
})

test('a batch whose write failed leaves no sign of a torn batch', async () => {
  append('first')
  await log.commit()
  disk.left = 0
  log.batch(() => ['a', 'b'].forEach(append))
  note('kept')
  await expect(log.commit()).rejects.toThrow('ENOSPC')
  disk.left = Number.POSITIVE_INFINITY
  log.retry()
  expect(await reloaded()).toEqual(['first', 'kept'])
})

test('a flipped bit in a batch damages only its record', async () => {
  log.batch(() => ['one', 'two', 'three'].forEach(append))
  await log.commit()
  const path = join(folder, FIRST_FILE)
  const whole = readFileSync(path)
  await log.close()
  for (let bit = FILE_HEAD_BYTES * 8; bit < whole.length * 8; bit++) {
    const harmed = Buffer.from(whole)
    harmed[bit >> 3] = (harmed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    for (const file of files()) rmSync(join(folder, file))
    writeFileSync(path, harmed)
    expect((await reloaded({ onDamage: () => undefined })).length).toBeGreaterThanOrEqual(2)
  }
})

test('keeps the notes of several blocks when their write fails', async () => {
  append('first')
  await log.commit()
  const notes = Array.from({ length: 300 }, (_, index) => `${index} ${'x'.repeat(1000)}`)
  disk.left = 0
  for (const text of notes) note(text)
  await expect(log.commit()).rejects.toThrow('ENOSPC')
  disk.left = Number.POSITIVE_INFINITY
  log.retry()
  expect(await reloaded()).toEqual(['first', ...notes])
})

test('with durability disk, a commit resolves once its file is synced, and rejects if the sync fails', async () => {
  await log.close()
  open({ durability: 'disk' })
  const synced = noteSyncs()
  append('first')
  await log.commit()
  expect(synced).toEqual([FIRST_FILE])
  failSyncs()
  append('second')
  await expect(log.commit()).rejects.toThrow('EIO')
})

test('with durability disk, a commit that replaces a record is synced as well', async () => {
  await log.close()
  open({ durability: 'disk' })
  const place = append('first')
  await log.commit()
  const synced = noteSyncs()
  log.append(RECORD, write('its replacement'), place)
  await log.commit()
  expect(synced).toEqual([FIRST_FILE])
})

test('syncs a file again after a failed sync', async () => {
  append('first')
  await log.commit()
  failSyncs()
  await expect(log.sync()).rejects.toThrow('EIO')
  const synced = noteSyncs()
  await log.sync()
  await log.sync()
  expect(synced).toEqual([FIRST_FILE])
})

test('on a full disk, a file is removed with its last live record, even if the file has not reached its size', async () => {
  const places = [append('first'), append('second')]
  await log.commit()
  disk.left = 0
  places.push(append('refused'))
  await expect(log.commit()).rejects.toThrow('ENOSPC')
  expect(files()).toEqual([FIRST_FILE])
  for (const place of places) log.release(place)
  await eventually(() => expect(files()).toEqual([]))
})

test.each([
  ['syncs', failSyncs],
  [
    'writes',
    () => {
      disk.left = 0
    },
  ],
])('compaction stops and keeps the file while the disk refuses %s, and removes the file later', async (_, refuse) => {
  await log.close()
  open({ segmentBytes: 2000 })
  const kept = append(`kept ${'x'.repeat(500)}`)
  log.setOwner({ find: (_kind, { bytes, start }) => (bytes[start] === 'k'.charCodeAt(0) ? kept : undefined) })
  for (let index = 0; index < 40; index++) {
    log.release(append(`gone ${'x'.repeat(500)}`))
    await log.commit()
  }
  await log.sync()
  refuse()
  log.tidy()
  await eventually(() => expect(failures.length).toBeGreaterThan(0))
  await pause(50)
  expect(failures).toHaveLength(1)
  expect(files()).toContain(FIRST_FILE)
  disk.left = Number.POSITIVE_INFINITY
  disk.sync = undefined
  log.tidy()
  await eventually(() => expect(files()).not.toContain(FIRST_FILE))
  expect(await reloaded()).toContain(`kept ${'x'.repeat(500)}`)
})
