/** Whether bytes can be shown as text, and what in a text a reader would not see. */

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** C0 and C1 controls other than tab and line ends: a sign that the bytes are no text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for just these
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u
/** Bidirectional controls, zero-width characters, tags and other format characters that change what a text seems to say. */
const HIDDEN = /[\p{Cf}\u2028\u2029\u{e0000}-\u{e007f}]/u

/** The text of bytes that are valid UTF-8 without control characters, else null. */
export const readableText = (bytes: Uint8Array): string | null => {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return null
  }
  return CONTROL.test(text) ? null : text
}
/** Zero-width joiners between emoji or letters, where they belong to the writing. */
const JOINER = /(?<=\p{L}|\p{M}|\p{Emoji})(?:\u200c|\u200d)(?=\p{L}|\p{Emoji})/gu

/** True when a text holds characters that a reader does not see. */
export const hasHiddenCharacters = (text: string): boolean => HIDDEN.test(text.replace(JOINER, ''))
