/** Strict conversion between text and UTF-8 (RFC 3629), without replacement characters. */

/** Keeps a byte order mark: JSON does not allow one, and sealed text must not change. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes UTF-8. Throws TypeError for invalid bytes. */
export const fromUtf8 = (bytes: Uint8Array): string => utf8.decode(bytes)

/** An unpaired surrogate, which UTF-8 cannot encode. */
const LONE_SURROGATE = /\p{Cs}/u

/** True for text without unpaired surrogates. */
export const isWellFormed = (text: string): boolean => !LONE_SURROGATE.test(text)
