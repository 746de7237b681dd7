/** Reads QR codes from pictures. The decoder is big for what it is used, so it is loaded when it is first needed. */

/** Pixels, four bytes each, as a canvas gives them. */
export type Pixels = { width: number; height: number; data: Uint8ClampedArray }

/** Bytes of a picture that is opened. */
export const LARGEST_PICTURE = 30 << 20
/** Pixels of the longer side in which a code is looked for: a large picture first fine, then coarse. */
const SIDES = [1600, 800] as const
/** For one frame of a camera, the coarse look is enough. */
const FRAME_SIDE = 800

/** How long the decoder may think about a picture, in ms. */
const PATIENCE = 300

/** What the code in a picture says; null where there is none. */
export const readCode = async (pixels: Pixels): Promise<string | null> => {
  const { decodeQR } = await import('qr/decode.js')
  try {
    return decodeQR(pixels, { timeLimit: PATIENCE })
  } catch {
    // The decoder's only way to say that it found nothing.
    return null
  }
}

/** The size of a picture whose longer side is at most this long. */
export const within = (width: number, height: number, side: number): { width: number; height: number } => {
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Draws a picture on white: a code with a clear ground would be black on black. */
const pixelsOf = (source: CanvasImageSource, width: number, height: number, side: number): Pixels => {
  const size = within(width, height, side)
  const canvas = new OffscreenCanvas(size.width, size.height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('There is no canvas')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, size.width, size.height)
  context.drawImage(source, 0, 0, size.width, size.height)
  return context.getImageData(0, 0, size.width, size.height)
}

/** What the code in a file says; null where there is none. Throws for what is no picture. */
export const readFile = async (file: Blob): Promise<string | null> => {
  const picture = await createImageBitmap(file)
  try {
    for (const side of SIDES) {
      const found = await readCode(pixelsOf(picture, picture.width, picture.height, side))
      if (found !== null) return found
    }
    return null
  } finally {
    picture.close()
  }
}

/** What the code before the camera says at this moment; null where there is none. */
export const readFrame = async (video: HTMLVideoElement): Promise<string | null> =>
  video.videoWidth === 0 ? null : readCode(pixelsOf(video, video.videoWidth, video.videoHeight, FRAME_SIDE))
