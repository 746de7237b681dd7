/** Headers of images with a given size. The rest of the image is missing. */

const bytesOf = (...parts: (string | readonly number[])[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    parts.flatMap(part => (typeof part === 'string' ? Array.from(part, letter => letter.charCodeAt(0)) : part)),
  )
const big = (value: number, size: number): number[] =>
  Array.from({ length: size }, (_, at) => (value >>> (8 * (size - 1 - at))) & 0xff)
const little = (value: number, size: number): number[] => big(value, size).toReversed()

export const png = (width: number, height: number) =>
  bytesOf('\x89PNG\r\n\x1a\n', big(13, 4), 'IHDR', big(width, 4), big(height, 4), [8, 6, 0, 0, 0])

/** Creates a GIF with a 1 × 1 logical screen, an application extension, and a frame of the given size. */
export const gif = (width: number, height: number) =>
  bytesOf(
    ...['GIF89a', little(1, 2), little(1, 2), [0x80, 0, 0], [0, 0, 0, 255, 255, 255]],
    ...[[0x21, 0xff, 11], 'NETSCAPE2.0', [3, 1, 0, 0, 0], [0x2c], little(0, 2), little(0, 2)],
    ...[little(width, 2), little(height, 2), [0]],
  )

export const jpeg = (width: number, height: number) =>
  bytesOf(
    [0xff, 0xd8, 0xff, 0xe0],
    big(4, 2),
    [0, 0],
    [0xff, 0xc2],
    big(11, 2),
    [8],
    big(height, 2),
    big(width, 2),
    [1],
  )

const riff = (...parts: (string | readonly number[])[]) => bytesOf('RIFF', little(0, 4), 'WEBP', ...parts)

export const webp = {
  extended: (width: number, height: number) =>
    riff('VP8X', little(10, 4), [0, 0, 0, 0], little(width - 1, 3), little(height - 1, 3)),
  lossless: (width: number, height: number) =>
    riff('VP8L', little(0, 4), [0x2f], little((width - 1) | ((height - 1) << 14), 4)),
  lossy: (width: number, height: number) =>
    riff('VP8 ', little(0, 4), [0, 0, 0, 0x9d, 0x01, 0x2a], little(width, 2), little(height, 2)),
}
