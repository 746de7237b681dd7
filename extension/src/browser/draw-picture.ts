/**
 * Draws a picture again with the browser's decoder, so that the result has only the pixels of one frame and no other
 * data.
 */
import type { DrawPicture } from '../wallet/collectibles/picture.ts'

const OUTPUT = { type: 'image/webp', quality: 0.9 }

export const drawPicture: DrawPicture = async (bytes, type, side) => {
  const bitmap = await createImageBitmap(new Blob([bytes], { type }))
  try {
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
    const [width, height] = [bitmap.width, bitmap.height].map(size => Math.max(1, Math.round(size * scale)))
    const canvas = new OffscreenCanvas(width ?? 1, height ?? 1)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    // A browser that cannot write WebP writes PNG, so the type is read from the result.
    const drawn = await canvas.convertToBlob(OUTPUT)
    return { type: drawn.type, bytes: new Uint8Array(await drawn.arrayBuffer()) }
  } finally {
    bitmap.close()
  }
}
