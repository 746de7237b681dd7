/** Decodes messages as text, and finds characters that a reader cannot see. */

/** Keeps a byte order mark, because it is signed although it is invisible. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** C0 and C1 controls other than tab and line ends. Bytes that contain them are not text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for just these
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u

/** Bidirectional controls, zero-width and other invisible characters. U+2800 is a Braille pattern without dots. */
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u

/** Scripts in which joiners change the shape of letters. */
const JOINED =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}]'
const PICTURE = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]'

/** Invisible characters in legitimate use: in emoji (UTS #51), and between letters of scripts with joiners. */
const AT_WORK = new RegExp(
  [
    '(?<=[\\p{Extended_Pictographic}0-9#*])\\ufe0f',
    `(?<=${PICTURE})\\u200d(?=${PICTURE})`,
    `(?<=${JOINED})[\\u200c\\u200d](?=${JOINED})`,
  ].join('|'),
  'gu',
)

/** Decodes any bytes, with U+FFFD for invalid UTF-8. For searching, not for display. */
export const lenientText = (bytes: Uint8Array): string => lenientUtf8.decode(bytes)

/** Matches control and invisible characters. */
const UNSEEN = new RegExp(`${CONTROL.source}|${HIDDEN.source}`, 'gu')

/**
 * Normalizes a text to how a lenient verifier reads it: NFKC, without invisible characters, and with runs of white
 * space reduced to one space or line feed. For searching, not for display.
 */
export const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(UNSEEN, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()

/** Decodes valid UTF-8 without control characters. Null for other bytes. */
export const readableText = (bytes: Uint8Array): string | null => {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return null
  }
  return CONTROL.test(text) ? null : text
}

/** True if the text contains invisible characters that are not in legitimate use. */
export const hasHiddenCharacters = (text: string): boolean => HIDDEN.test(text.replace(AT_WORK, ''))
