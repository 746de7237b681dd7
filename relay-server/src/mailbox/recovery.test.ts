import { expect, test } from 'vitest'
import type { AheadRecord } from './ahead-record.ts'
import { recover } from './recovery.ts'
import type { WriteAheadLog } from './write-ahead-log.ts'

const entry = (record: Partial<AheadRecord>, text = '') => ({
  record: { chunks: [], gone: [], changes: [], rows: [], ...record },
  bytes: Buffer.from(text),
})

const recoverFrom = (entries: ReturnType<typeof entry>[], stored: Record<number, string> = {}) => {
  const asked: number[] = []
  const log: Pick<WriteAheadLog, 'read'> = {
    read: function* (after) {
      asked.push(after)
      yield* entries
    },
  }
  const { chunks, changes, rows } = recover(log, 5, id =>
    stored[id] === undefined ? undefined : Buffer.from(stored[id]),
  )
  expect(asked).toEqual([5])
  return { chunks: [...chunks].map(([id, bytes]) => [id, `${bytes}`]), changes: [...changes], rows }
}

test('chunks are put together from the turns in which they were written', () => {
  const { chunks } = recoverFrom([
    entry({ chunks: [[1, 0, 2]] }, 'ab'),
    entry(
      {
        chunks: [
          [1, 2, 1],
          [2, 0, 3],
        ],
      },
      'cxyz',
    ),
  ])
  expect(chunks).toEqual([
    [1, 'abc'],
    [2, 'xyz'],
  ])
})

test('what the store has is left as it is, and what has gone from there does not come back', () => {
  const { chunks } = recoverFrom(
    [entry({ chunks: [[1, 0, 2]] }, 'ab'), entry({ chunks: [[1, 2, 2]] }, 'cd'), entry({ chunks: [[2, 4, 1]] }, 'y')],
    { 1: 'abcd' },
  )
  expect(chunks).toEqual([])
})

test('changes and rows come in their order', () => {
  const rows = [
    { table: 't', key: ['a'], value: 1 },
    { table: 't', key: ['a'] },
  ]
  const { changes, rows: found } = recoverFrom([
    entry({ changes: [[1, 0, ['acknowledged', 'did:key:zAnn']]], rows: rows.slice(0, 1) }),
    entry({ gone: [1, 0], rows: rows.slice(1) }),
  ])
  expect(changes).toEqual([
    [
      1,
      [
        [0, ['acknowledged', 'did:key:zAnn']],
        [0, ['gone']],
      ],
    ],
  ])
  expect(found).toEqual(rows)
})
