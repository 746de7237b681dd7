import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NOWHERE, type Place } from './blocks.ts'
import { disk } from './failing-disk.fixture.ts'
import { type Log, type LogOptions, openLog } from './log.ts'
import { NOTE } from './record.ts'

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
const reloaded = async (): Promise<string[]> => {
  await log.close()
  open()
  const found: string[] = []
  log.load((_, { bytes, start, end }, place) => {
    found.push(bytes.toString('utf8', start, end))
    log.retain(place)
  })
  return found
}

test('keeps the notes of several blocks when the disk refuses them', async () => {
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

test('on a full disk, a file is removed with its last live record, though it was not full', async () => {
  const places = [append('first'), append('second')]
  await log.commit()
  disk.left = 0
  places.push(append('refused'))
  await expect(log.commit()).rejects.toThrow('ENOSPC')
  expect(files()).toEqual([FIRST_FILE])
  for (const place of places) log.release(place)
  await vi.waitFor(() => expect(files()).toEqual([]))
})

test.each([
  ['syncs', failSyncs],
  [
    'writes',
    () => {
      disk.left = 0
    },
  ],
])(
  'compaction keeps the file and ends its run when the disk refuses %s, and removes it once it takes them',
  async (_, refuse) => {
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
    await vi.waitFor(() => expect(failures.length).toBeGreaterThan(0))
    await pause(50)
    expect(failures).toHaveLength(1)
    expect(files()).toContain(FIRST_FILE)
    disk.left = Number.POSITIVE_INFINITY
    disk.sync = undefined
    log.tidy()
    await vi.waitFor(() => expect(files()).not.toContain(FIRST_FILE))
    expect(await reloaded()).toContain(`kept ${'x'.repeat(500)}`)
  },
)
