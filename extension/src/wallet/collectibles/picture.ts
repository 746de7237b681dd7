/** Converts a file, which can be hostile, to a picture that the wallet's pages can show. */
import { encodeDataUrl } from './data-url.ts'
import { type ImageHeader, readImageHeader } from './image-header.ts'
import { readPlainSvg } from './plain-svg.ts'

type Drawn = { type: string; bytes: Uint8Array }
/**
 * Decodes an image's first frame and redraws it with at most `side` pixels in each dimension. Throws if it cannot be
 * decoded.
 */
export type DrawPicture = (bytes: Uint8Array<ArrayBuffer>, type: ImageHeader['type'], side: number) => Promise<Drawn>

export const MAX_PICTURE_BYTES = 2 << 20
/** Maximum pixels of an image. Decoded, they take 64 MiB. */
export const MAX_PIXELS = 16 << 20
/** Maximum side of a redrawn picture: twice its largest width on a page, for high-density screens. */
const SIDE = 400
/** Maximum duration of drawing in ms. */
const PATIENCE = 5_000

const late = (): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new Error('Drawing the picture timed out')), PATIENCE))

/** Returns the picture as a data: URL. Null if it is not an image within the limits. */
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
