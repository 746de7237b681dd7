import { expect, test } from 'vitest'
import { hexRows } from './hex-rows.ts'

test('rows have an offset, eight bytes and their ASCII characters', () => {
  expect(hexRows('0xdaa02df3ed7dade98e46', 0, 100)).toEqual([
    { offset: '0000', bytes: 'da a0 2d f3 ed 7d ad e9', ascii: '··-··}··' },
    { offset: '0008', bytes: '8e 46', ascii: '·F' },
  ])
  expect(hexRows('0x', 0, 100)).toEqual([])
})

test('only the requested number of bytes is returned', () => {
  expect(hexRows(`0x${'41'.repeat(5000)}`, 0, 1024)).toHaveLength(128)
})

test('the rows of a piece have offsets from the start of the data', () => {
  const hex = `0x${'00'.repeat(16)}41`
  expect(hexRows(hex, 16, 8)).toEqual([{ offset: '0010', bytes: '41', ascii: 'A' }])
})
