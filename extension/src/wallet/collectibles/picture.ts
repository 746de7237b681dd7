/** Makes a picture that the wallet's pages can show from the bytes of a hostile file. */
import { encodeDataUrl } from './data-url.ts'
import { type ImageHeader, readImageHeader } from './image-header.ts'
import { readPlainSvg } from './plain-svg.ts'

type Drawn = { type: string; bytes: Uint8Array }
/**
 * Decodes the first frame of an image and draws it again, so that neither side has more than `side` pixels. Throws if it
 * cannot be decoded.
 */
export type DrawPicture = (bytes: Uint8Array<ArrayBuffer>, type: ImageHeader['type'], side: number) => Promise<Drawn>

export const MAX_PICTURE_BYTES = 2 << 20
/** Decoded, this takes 64 MiB. */
export const MAX_PIXELS = 16 << 20
/** Twice the largest width in a page, for screens with two pixels in a point. */
const SIDE = 400
/** How long drawing may take, in ms. */
const PATIENCE = 5_000

const late = (): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new Error('The picture takes too long to draw')), PATIENCE))

/** A data: URL. Null for anything but a bounded image. */
export const readPicture = async (bytes: Uint8Array<ArrayBuffer>, draw: DrawPicture): Promise<string | null> => {
  const header = readImageHeader(bytes)
  if (header === null) {
    const svg = readPlainSvg(bytes)
    return svg && encodeDataUrl('image/svg+xml;charset=utf-8', svg)
  }
  const pixels = header.width * header.height
  if (pixels === 0 || pixels > MAX_PIXELS) return null
  try {
    const drawn = await Promise.race([draw(bytes, header.type, SIDE), late()])
    return encodeDataUrl(drawn.type, drawn.bytes)
  } catch {
    return null
  }
}
