/**
 * Recognizes an image by its first bytes and reads its size without decoding it. The declared type is not trusted, and
 * even a small file can decode to gigabytes.
 */

/** `width` and `height` are in pixels. */
export type ImageHeader = {
  type: 'image/png' | 'image/gif' | 'image/jpeg' | 'image/webp'
  width: number
  height: number
}

type Reader = DataView<ArrayBuffer>
type Size = Pick<ImageHeader, 'width' | 'height'>

const LITTLE = true

const textAt = (view: Reader, at: number, length: number): string =>
  String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length))

/** https://www.w3.org/TR/png-3/#11IHDR */
const pngSize = (view: Reader): Size => ({ width: view.getUint32(16), height: view.getUint32(20) })

/**
 * Returns the larger of the logical screen and the first frame, as decoders do:
 * https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 */
const gifSize = (view: Reader): Size => {
  const flags = view.getUint8(10)
  let at = 13 + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  while (view.getUint8(at) === 0x21) {
    at += 2
    while (view.getUint8(at) !== 0) at += view.getUint8(at) + 1
    at++
  }
  return {
    width: Math.max(view.getUint16(6, LITTLE), view.getUint16(at + 5, LITTLE)),
    height: Math.max(view.getUint16(8, LITTLE), view.getUint16(at + 7, LITTLE)),
  }
}

/**
 * True for markers of frame headers: SOF0 to SOF15, except DHT, JPG and DAC, which lie between them. ITU-T T.81, table
 * B.1
 */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/**
 * Returns the position of the next segment's marker, which any number of fill bytes may precede. Throws if there is
 * none.
 */
const jpegMarker = (view: Reader, from: number): number => {
  if (view.getUint8(from) !== 0xff) throw new RangeError('A JPEG segment has no marker')
  let at = from
  while (view.getUint8(at + 1) === 0xff) at++
  return at
}

const jpegSize = (view: Reader): Size => {
  let at = jpegMarker(view, 2)
  while (!isFrame(view.getUint8(at + 1))) at = jpegMarker(view, at + 2 + Math.max(2, view.getUint16(at + 2)))
  return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
}

/** https://developers.google.com/speed/webp/docs/riff_container */
const webpSize = (view: Reader): Size => {
  const form = textAt(view, 12, 4)
  if (form === 'VP8X') {
    const sideAt = (at: number) => 1 + view.getUint16(at, LITTLE) + (view.getUint8(at + 2) << 16)
    return { width: sideAt(24), height: sideAt(27) }
  }
  if (form === 'VP8L') {
    const bits = view.getUint32(21, LITTLE)
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) }
  }
  return { width: view.getUint16(26, LITTLE) & 0x3fff, height: view.getUint16(28, LITTLE) & 0x3fff }
}

const headerOf = (view: Reader): ImageHeader | null => {
  if (textAt(view, 0, 8) === '\x89PNG\r\n\x1a\n') return { type: 'image/png', ...pngSize(view) }
  if (/^GIF8[79]a$/.test(textAt(view, 0, 6))) return { type: 'image/gif', ...gifSize(view) }
  if (view.getUint16(0) === 0xffd8) return { type: 'image/jpeg', ...jpegSize(view) }
  if (/^RIFF[\s\S]{4}WEBP$/.test(textAt(view, 0, 12))) return { type: 'image/webp', ...webpSize(view) }
  return null
}

/** Reads an image's type and size. Null for anything but a PNG, GIF, JPEG or WebP image. */
export const readImageHeader = (bytes: Uint8Array<ArrayBuffer>): ImageHeader | null => {
  try {
    return headerOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch {
    return null
  }
}
