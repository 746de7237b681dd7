import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NOWHERE, type Place } from './blocks.ts'
import { disk } from './failing-disk.fixture.ts'
import { type Log, openLog } from './log.ts'
import { NOTE } from './record.ts'

vi.mock('node:fs', async original => (await import('./failing-disk.fixture.ts')).failingDisk(await original()))

const RECORD = 1

let folder: string
let log: Log

const open = (): void => {
  log = openLog({
    folder,
    name: 'a',
    durability: 'process',
    segmentBytes: 500_000,
    room: { claim: () => undefined },
    isFailing: () => false,
    onFailure: () => undefined,
    onDamage: () => expect.unreachable(),
  })
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'))
  open()
})
afterEach(async () => {
  disk.left = Number.POSITIVE_INFINITY
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

/** All that is in the log after a restart. */
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

test('all notes of several blocks are kept whole when the disk refuses them', async () => {
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
