import { expect, test } from 'vitest'
import { gif, png, webp } from './images.fixture.ts'
import { MAX_PIXELS, readPicture } from './picture.ts'

const drawn = { type: 'image/webp', bytes: Uint8Array.of(1, 2, 3) }
const draw = async () => drawn

test('an image is redrawn before it is shown', async () => {
  expect(await readPicture(png(10, 10), draw)).toBe('data:image/webp;base64,AQID')
})

test('a plain SVG is shown as it is', async () => {
  const svg = new TextEncoder().encode('<svg/>')
  expect(await readPicture(svg, draw)).toBe(`data:image/svg+xml;charset=utf-8;base64,${btoa('<svg/>')}`)
})

test('a picture of too many pixels is not decoded', async () => {
  const side = Math.sqrt(MAX_PIXELS)
  let decoded = 0
  const counting = async () => {
    decoded++
    return drawn
  }
  for (const make of [png, gif, webp.extended]) {
    expect(await readPicture(make(side, side + 1), counting)).toBeNull()
    expect(await readPicture(make(side, side), counting)).not.toBeNull()
  }
  expect(await readPicture(png(0, 5), counting)).toBeNull()
  expect(decoded).toBe(3)
})

test('a picture that cannot be decoded is not shown', async () => {
  const failing = async () => {
    throw new Error('no image')
  }
  expect(await readPicture(png(1, 1), failing)).toBeNull()
  expect(await readPicture(new TextEncoder().encode('<html>'), draw)).toBeNull()
})
