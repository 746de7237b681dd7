import { expect, test } from 'vitest'
import { createAheadWriter } from './ahead-writer.ts'
import { type Chunk, createGroup, type PendingRow } from './message-tables.ts'
import type { Ahead, WriteAheadLog } from './write-ahead-log.ts'

const chunkOf = (id: number, text: string): Chunk => ({
  id,
  bytes: Buffer.from(text),
  isStored: false,
  messages: 0,
  live: 0,
  lists: 0,
})
const group = createGroup()
const rowOf = (name: string): PendingRow => ({ row: { table: 't', key: [name], value: 1 }, isSafe: false })

/** A log that takes what it is given unless it is broken, and a store that does the same. */
const open = () => {
  const entries: Ahead[] = []
  const state = { isBroken: false, isFull: false, length: 0, commits: 0 }
  const log: WriteAheadLog = {
    append: entry => {
      if (state.isBroken) throw new Error('no space')
      entries.push(entry)
    },
    length: () => state.length,
    turn: () => undefined,
    forget: () => undefined,
    read: function* () {},
  }
  const writer = createAheadWriter(log, async () => {
    state.commits += 1
    if (state.isFull) throw new Error('the store is full')
  })
  const written = () => entries.map(({ record, bytes }) => [record, Buffer.concat(bytes).toString()] as const)
  return { state, writer, written }
}

test('what is done in a turn is one entry, and safe for all who asked', async () => {
  const { writer, written, state } = open()
  const [chunk, other] = [chunkOf(1, 'abcdef'), chunkOf(2, 'xyz')]
  const row = rowOf('r')
  writer.added(chunk, 0, 2)
  const first = writer.save(group)
  writer.added(chunk, 2, 4)
  writer.added(other, 1, 3)
  writer.changed(chunk, 0, ['gone'])
  writer.changed(other, 1, ['acknowledged', 'did:key:zBen'])
  writer.put(row)
  expect(writer.save(group)).toBe(first)
  expect([written(), row.isSafe]).toEqual([[], false])
  await first
  const record = {
    chunks: [
      [1, 0, 4],
      [2, 1, 2],
    ],
    gone: [1, 0],
    changes: [[2, 1, ['acknowledged', 'did:key:zBen']]],
    rows: [row.row],
  }
  expect([written(), row.isSafe, state.commits]).toEqual([[[record, 'abcdyz']], true, 0])
})

test('a turn in which nothing was done is no entry', async () => {
  const { writer, written } = open()
  await writer.save(group)
  expect(written()).toEqual([])
})

test('what the log does not take is safe when it is committed', async () => {
  const { writer, written, state } = open()
  const row = rowOf('r')
  state.isBroken = true
  writer.added(chunkOf(1, 'ab'), 0, 2)
  writer.put(row)
  await writer.save(group)
  expect([written(), state.commits, row.isSafe]).toEqual([[], 1, false])
  state.isBroken = false
  writer.changed(chunkOf(1, 'ab'), 0, ['gone'])
  await writer.save(group)
  expect(written()).toEqual([[{ chunks: [], gone: [1, 0], changes: [], rows: [] }, '']])
})

test('what nobody takes is refused, and its bytes lie before those of what comes next', async () => {
  const { writer, written, state } = open()
  const chunk = chunkOf(1, 'abcd')
  Object.assign(state, { isBroken: true, isFull: true })
  writer.added(chunk, 0, 2)
  writer.changed(chunk, 0, ['gone'])
  writer.put(rowOf('refused'))
  const refused = writer.save(group)
  const noted = writer.noted()
  await expect(refused).rejects.toThrow('the store is full')
  await expect(noted).resolves.toBeUndefined()
  Object.assign(state, { isBroken: false, isFull: false })
  writer.added(chunk, 2, 4)
  await writer.save(group)
  expect(written()).toEqual([[{ chunks: [[1, 0, 4]], gone: [1, 0], changes: [], rows: [] }, 'abcd']])
})

test('turns end in their order, whichever way they are safe', async () => {
  const { writer, state } = open()
  const ended: string[] = []
  state.isBroken = true
  writer.changed(chunkOf(1, ''), 0, ['gone'])
  const first = writer.save(group).then(() => ended.push('committed'))
  await new Promise(resolve => setImmediate(resolve))
  state.isBroken = false
  writer.changed(chunkOf(1, ''), 0, ['gone'])
  await Promise.all([writer.save(group).then(() => ended.push('written')), first])
  expect(ended).toEqual(['committed', 'written'])
})

test('when the commits are far behind they are waited for', async () => {
  const { writer, written, state } = open()
  state.length = 2 ** 30
  writer.changed(chunkOf(1, ''), 0, ['gone'])
  await writer.save(group)
  expect([state.commits, written()]).toEqual([1, []])
})

test('what goes into another group is another entry, and refused apart', async () => {
  const { writer, written, state } = open()
  const later = createGroup()
  writer.changed(chunkOf(1, ''), 0, ['gone'])
  const first = writer.save(group)
  writer.split()
  writer.changed(chunkOf(2, ''), 0, ['gone'])
  const second = writer.save(later)
  Object.assign(state, { isBroken: true, isFull: true })
  await expect(first).rejects.toThrow('the store is full')
  Object.assign(state, { isBroken: false, isFull: false })
  await second
  expect(written().map(([record]) => record.gone)).toEqual([[1, 0, 2, 0]])
})

test('a chunk that is stored and has no bytes any more is left out, and no other is cut at the wrong place', async () => {
  const { writer, written } = open()
  const [gone, kept] = [chunkOf(1, 'abc'), chunkOf(2, 'xyz')]
  writer.added(gone, 0, 3)
  writer.added(kept, 0, 3)
  gone.bytes = undefined
  await writer.save(group)
  expect(written()).toEqual([[{ chunks: [[2, 0, 3]], gone: [], changes: [], rows: [] }, 'xyz']])
})

test('a row that is refused is marked, so that no commit has it', async () => {
  const { writer, state } = open()
  const row = rowOf('r')
  Object.assign(state, { isBroken: true, isFull: true })
  writer.put(row)
  await expect(writer.save(group)).rejects.toThrow('the store is full')
  expect([row.isSafe, row.isRefused]).toEqual([false, true])
})
