/** Text and its UTF-8 (RFC 3629), neither altered on the way to the other. */

/** A byte order mark stays in the text: JSON has no place for one, and a sealed text is what was sealed. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text that the bytes are in UTF-8. Throws TypeError for bytes that are none. */
export const fromUtf8 = (bytes: Uint8Array): string => utf8.decode(bytes)

/** Half of a surrogate pair alone, for which UTF-8 has no form. */
const LONE_SURROGATE = /\p{Cs}/u

/** True for text that UTF-8 carries unaltered. */
export const isWellFormed = (text: string): boolean => !LONE_SURROGATE.test(text)
