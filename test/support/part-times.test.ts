import { expect, test } from 'vitest'
import { partTimes } from './part-times.ts'

test('a part lasts from the start of its first file to the end of its last, although its files overlap', () => {
  const files = [
    { part: 'servers', tests: 3, start: 2_000, end: 63_000 },
    { part: 'unit', tests: 1_200, start: 0, end: 10_000 },
    { part: 'servers', tests: 40, start: 1_000, end: 31_000 },
  ]
  expect(partTimes(files).split('\n')).toEqual([
    'part     time  files  tests  sum of files',
    'servers  62 s      2     43          91 s',
    'unit     10 s      1   1200          10 s',
    'all      63 s      3   1243         101 s',
  ])
})
