import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWriteAheadLog, type WriteAheadLog } from './write-ahead-log.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ahead-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Adds an entry that has a name, by which it is known when it is read back. */
const append = (log: WriteAheadLog, name: string, ...texts: string[]) =>
  log.append({
    record: { chunks: [], gone: [], changes: [], rows: [{ table: 'names', key: [name] }] },
    bytes: texts.map(text => Buffer.from(text)),
  })
const readBack = (after = 0) =>
  [...openWriteAheadLog(folder).read(after)].map(({ record, bytes }) => [record.rows[0]?.key[0], `${bytes}`])
const path = (number: number) => join(folder, `messages-${number}.ahead`)

test('what was appended is read back in order by the next process, whatever file it is in', () => {
  const log = openWriteAheadLog(folder)
  append(log, 'first', 'one', ' two')
  append(log, 'é')
  expect(log.turn()).toBe(1)
  append(log, 'third', 'ü')
  expect(readBack()).toEqual([
    ['first', 'one two'],
    ['é', ''],
    ['third', 'ü'],
  ])
  expect(readBack(1)).toEqual([['third', 'ü']])
})

test('what the store has is forgotten, and the files with it', () => {
  const log = openWriteAheadLog(folder)
  append(log, 'stored')
  const first = log.turn() ?? 0
  append(log, 'new')
  expect(log.length()).toBeGreaterThan(0)
  log.forget(first)
  expect(readBack()).toEqual([['new', '']])
  log.forget(log.turn() ?? 0)
  expect([readdirSync(folder), log.length(), log.turn()]).toEqual([[], 0, undefined])
})

test('files of an earlier process stay until they are forgotten, and are never written to', () => {
  append(openWriteAheadLog(folder), 'first')
  const log = openWriteAheadLog(folder)
  append(log, 'second')
  expect(readBack()).toEqual([
    ['first', ''],
    ['second', ''],
  ])
  log.forget(log.turn() ?? 0)
  expect(readdirSync(folder)).toEqual([])
})

test('a number that the store knows is not given again', () => {
  const log = openWriteAheadLog(folder)
  expect([...log.read(7)]).toEqual([])
  append(log, 'new')
  expect(readBack(7)).toEqual([['new', '']])
})

test('a last entry that is not whole is left out, wherever it was cut or altered', () => {
  const log = openWriteAheadLog(folder)
  append(log, 'whole', 'x'.repeat(40))
  const end = readFileSync(path(1)).length
  append(log, 'cut', 'y'.repeat(40))
  const file = readFileSync(path(1))
  fc.assert(
    fc.property(fc.integer({ min: end, max: file.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const altered = Buffer.from(file)
      altered.writeUInt8(altered.readUInt8(at) ^ flip, at)
      for (const left of [file.subarray(0, at), altered]) {
        writeFileSync(path(1), left)
        expect(readBack()).toEqual([['whole', 'x'.repeat(40)]])
      }
    }),
  )
})
