import encodeQR from 'qr'

/** Rows of modules, true for dark. */
export type Modules = readonly (readonly boolean[])[]

const BORDER = 1

const withoutBorder = <T>(line: readonly T[]): readonly T[] => line.slice(BORDER, -BORDER)

/** Encodes a text as a QR code (ISO/IEC 18004) with error correction M, without a quiet zone. */
export const qrOf = (text: string): Modules =>
  withoutBorder(encodeQR(text, 'raw', { ecc: 'medium', border: BORDER })).map(withoutBorder)
