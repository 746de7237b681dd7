import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freeBytes, freeOf, hasLessThan } from './disk-room.ts'

const count = fc.nat(2 ** 40)
const blockSize = fc.constantFrom(512, 4096, 2 ** 20)

test('a file system without blocks, or with blocks without a size, has an unknown number of free bytes', () => {
  fc.assert(
    fc.property(count, count, blockSize, (blocks, bavail, bsize) => {
      expect(freeOf({ blocks: 0, bavail, bsize })).toBeUndefined()
      expect(freeOf({ blocks, bavail, bsize: 0 })).toBeUndefined()
    }),
  )
})

test('the available blocks of any other file system are its free bytes, and without such blocks it is full', () => {
  fc.assert(
    fc.property(count, count, blockSize, (more, bavail, bsize) => {
      expect(freeOf({ blocks: bavail + more + 1, bavail, bsize })).toBe(bavail * bsize)
    }),
  )
  expect(freeOf({ blocks: 16, bavail: 0, bsize: 4096 })).toBe(0)
})

test('a disk has fewer free bytes than a greater number', () => {
  const free = freeBytes(tmpdir()) ?? 0
  expect(hasLessThan(tmpdir(), 0)).toBe(false)
  expect(hasLessThan(tmpdir(), free * 2 + 2 ** 30)).toBe(true)
})
