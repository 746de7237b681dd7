/** Base64 (RFC 4648 §4) with the platform's `btoa` and `atob`. */

/** Bytes per call of `String.fromCharCode`: a call's number of arguments is limited. */
const CHUNK = 8_192

export const toBase64 = (bytes: Uint8Array): string => {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)))
  return btoa(parts.join(''))
}

/** Throws DOMException if the text is not base64. */
export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), character => character.charCodeAt(0))
