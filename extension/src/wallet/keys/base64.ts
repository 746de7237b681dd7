/** Base64 of bytes, RFC 4648 §4, by the platform's own functions. */

/** Bytes that are turned into text at a time: a call takes a limited number of arguments. */
const CHUNK = 8_192

export const toBase64 = (bytes: Uint8Array): string => {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)))
  return btoa(parts.join(''))
}

/** Throws a DOMException for what is not base64. */
export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), character => character.charCodeAt(0))
