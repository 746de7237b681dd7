import encodeQR from 'qr'
import { expect, test } from 'vitest'
import { qrOf } from './qr.ts'
import { type Pixels, readCode, within } from './scan.ts'

const LINK = `wc:${'ab'.repeat(32)}@2?relay-protocol=irn&symKey=${'cd'.repeat(32)}`
const ADDRESS = '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408'
const MODULE = 6
const QUIET = 4

/** Returns a QR code as an image, dark on white. */
const draw = (modules: readonly (readonly boolean[])[]): Pixels => {
  const side = (modules.length + 2 * QUIET) * MODULE
  const isDark = (x: number, y: number) => modules[Math.floor(y / MODULE) - QUIET]?.[Math.floor(x / MODULE) - QUIET]
  const data = new Uint8ClampedArray(side * side * 4).map((_, at) => {
    const pixel = at >> 2
    return at % 4 === 3 || !isDark(pixel % side, Math.floor(pixel / side)) ? 255 : 0
  })
  return { width: side, height: side, data }
}

test('QR codes of links and of the wallet itself are read', async () => {
  expect(await readCode(draw(encodeQR(LINK, 'raw', { border: 1 })))).toBe(LINK)
  expect(await readCode(draw(qrOf(ADDRESS)))).toBe(ADDRESS)
})

test('an image without a code gives null', async () => {
  const data = new Uint8ClampedArray(200 * 200 * 4).fill(255)
  expect(await readCode({ width: 200, height: 200, data })).toBeNull()
})

test('images are scaled down, never up', () => {
  expect(within(4000, 3000, 1600)).toEqual({ width: 1600, height: 1200 })
  expect(within(300, 200, 1600)).toEqual({ width: 300, height: 200 })
  expect(within(5000, 1, 800)).toEqual({ width: 800, height: 1 })
})
