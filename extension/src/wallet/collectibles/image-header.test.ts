import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readImageHeader } from './image-header.ts'
import { gif, jpeg, png, webp } from './images.fixture.ts'

const side = fc.integer({ min: 1, max: 16_000 })

test.each([
  ['image/png', png],
  ['image/gif', gif],
  ['image/jpeg', jpeg],
  ['image/webp', webp.extended],
  ['image/webp', webp.lossless],
  ['image/webp', webp.lossy],
] as const)('the size of a %s image is read', (type, make) => {
  fc.assert(
    fc.property(side, side, (width, height) => {
      expect(readImageHeader(make(width, height))).toEqual({ type, width, height })
    }),
  )
})

test('fill bytes before a JPEG marker do not hide a frame, and a segment without a marker is refused', () => {
  const filled = [...jpeg(60_000, 50_000)]
  filled.splice(8, 0, 0xff, 0xff)
  expect(readImageHeader(Uint8Array.from(filled))).toEqual({ type: 'image/jpeg', width: 60_000, height: 50_000 })
  const hidden = [0xff, 0xd8, 0xff, 0xff, ...jpeg(60_000, 50_000).subarray(8), ...new Array(50_000).fill(0)]
  hidden.splice(4 + 0xc200 + 1, 0, ...jpeg(16, 16).subarray(8))
  expect(readImageHeader(Uint8Array.from(hidden))).toEqual({ type: 'image/jpeg', width: 60_000, height: 50_000 })
  const unmarked = [...jpeg(16, 16)]
  unmarked[8] = 0
  expect(readImageHeader(Uint8Array.from(unmarked))).toBeNull()
})

test('a truncated image has no size, and reading it terminates', () => {
  const start = fc.constantFrom(png(1, 1), gif(1, 1), jpeg(1, 1), webp.extended(1, 1), Uint8Array.of())
  fc.assert(
    fc.property(start, fc.nat(40), fc.uint8Array({ maxLength: 60 }), (image, length, more) => {
      const header = readImageHeader(Uint8Array.from([...image.subarray(0, length), ...more]))
      if (header) expect(header.width * header.height).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 2_000 },
  )
  expect(readImageHeader(png(1, 1).subarray(0, 20))).toBeNull()
  expect(readImageHeader(Uint8Array.of(0xff, 0xd8, 0, 0, 0, 0, 0, 0))).toBeNull()
})

test.each(['<html>', '<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.4', '', 'RIFF1234WAVEfmt '])(
  '%s is not an image',
  text => {
    expect(readImageHeader(new TextEncoder().encode(text))).toBeNull()
  },
)
