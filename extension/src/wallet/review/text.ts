/** Whether bytes can be shown as text, and what in a text a reader would not see. */

/** A byte order mark stays where it is: it is signed, and it is not seen. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** C0 and C1 controls other than tab and line ends: a sign that the bytes are no text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for just these
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u

/** Bidirectional controls, zero-width and other characters that draw nothing. U+2800 is a Braille pattern without dots. */
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u

/** Letters and marks of scripts in which joiners change the shape of what is written. */
const JOINED =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}]'
const PICTURE = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]'

/** Invisible characters that do the work they are there for: in emoji, UTS #51, and where writing joins its letters. */
const AT_WORK = new RegExp(
  [
    '(?<=[\\p{Extended_Pictographic}0-9#*])\\ufe0f',
    `(?<=${PICTURE})\\u200d(?=${PICTURE})`,
    `(?<=${JOINED})[\\u200c\\u200d](?=${JOINED})`,
  ].join('|'),
  'gu',
)

/** The text of any bytes, with U+FFFD for what is no UTF-8: to look for something in it, not to show it. */
export const lenientText = (bytes: Uint8Array): string => lenientUtf8.decode(bytes)

/** C0 and C1 controls but tab and line feed, and all that draws nothing. */
const UNSEEN = new RegExp(`${CONTROL.source}|${HIDDEN.source}`, 'gu')

/**
 * A text as a lenient reader takes it: compatibility forms replaced (NFKC), nothing unseen in it, one space or one line feed
 * where there is any white space. To look for something in it, not to show it.
 */
export const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(UNSEEN, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()

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

/** True when a text holds characters that a reader does not see. */
export const hasHiddenCharacters = (text: string): boolean => HIDDEN.test(text.replace(AT_WORK, ''))
