/** Reads and writes data: URLs: https://www.rfc-editor.org/rfc/rfc2397 */

/** Matches everything before the comma, up to 200 characters of media type. Longer URLs are refused. */
const HEAD = /^data:([^,]{0,200}),/i
const IS_BASE64 = /;\s*base64\s*$/i
/** Maximum characters in a URL per encoded byte: `%20`. */
const CHARACTERS_PER_BYTE = 3

/** Decodes percent-encoding. Contracts often write JSON and SVG unencoded, including stray `%` and `#` characters. */
const decodePercents = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const isDataUrl = (url: string): boolean => /^data:/i.test(url)

/** Decodes a data: URL. Null if it is malformed, or longer than `most` bytes. */
export const decodeDataUrl = (url: string, most: number): Uint8Array<ArrayBuffer> | null => {
  const [whole, head = ''] = HEAD.exec(url) ?? []
  if (whole === undefined || url.length > whole.length + most * CHARACTERS_PER_BYTE) return null
  const body = decodePercents(url.slice(whole.length))
  try {
    const bytes = IS_BASE64.test(head)
      ? Uint8Array.from(atob(body), character => character.charCodeAt(0))
      : new TextEncoder().encode(body)
    return bytes.length > most ? null : bytes
  } catch {
    return null
  }
}

export const encodeDataUrl = (type: string, bytes: Uint8Array): string => {
  let characters = ''
  for (const byte of bytes) characters += String.fromCharCode(byte)
  return `data:${type};base64,${btoa(characters)}`
}
