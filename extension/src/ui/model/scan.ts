/** Reads QR codes from images. The decoder is large and rarely used, so it is loaded on first use. */

/** RGBA pixels, as in ImageData. */
export type Pixels = { width: number; height: number; data: Uint8ClampedArray }

/** Largest accepted image file, in bytes. */
export const LARGEST_PICTURE = 30 << 20
/** Sizes at which a code is searched for, as px of the longer side: first fine, then coarse. */
const SIDES = [1600, 800] as const
/** Size for a camera frame, as px of the longer side. The coarse size is enough, because more frames follow. */
const FRAME_SIDE = 800

/** Time limit of the decoder per image, in ms. */
const PATIENCE = 300

/** Returns the text of the QR code in an image; null if there is none. */
export const readCode = async (pixels: Pixels): Promise<string | null> => {
  const { decodeQR } = await import('qr/decode.js')
  try {
    return decodeQR(pixels, { timeLimit: PATIENCE })
  } catch {
    // The decoder throws if it finds no code.
    return null
  }
}

/** Scales the size down so that the longer side is at most `side`. */
export const within = (width: number, height: number, side: number): { width: number; height: number } => {
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Draws the image on white, because a code with a transparent background would become black on black. */
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

/** Returns the text of the QR code in a file; null if there is none. Throws if the file is not an image. */
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

/** Returns the text of the QR code in the current camera frame; null if there is none. */
export const readFrame = async (video: HTMLVideoElement): Promise<string | null> =>
  video.videoWidth === 0 ? null : readCode(pixelsOf(video, video.videoWidth, video.videoHeight, FRAME_SIDE))
