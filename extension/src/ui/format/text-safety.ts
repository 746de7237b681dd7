/**
 * Makes untrusted text safe to display: splits it into runs that are shown as they are, and code points that are shown as
 * chips. The order of the signed text is kept, and nothing is dropped: invisible characters get a chip too.
 * Sources: Unicode UAX #9 (bidi controls), UTS #51 (emoji sequences), UAX #44 (Default_Ignorable_Code_Point).
 */

/** Why a code point is shown as a chip. */
export type ChipKind = 'bidi' | 'invisible' | 'control' | 'blankLines' | 'marks'
export type Part = { text: string } | { chip: ChipKind; code: string; count: number }

/**
 * Longest text that does not count as long, in characters. The user must scroll to the end of a long text before
 * signing.
 */
export const LONGEST_TEXT = 4_000
/** Maximum characters rendered as one piece. Each of them may need a chip. */
export const PIECE = 1_000
/** Maximum length of the names of accounts and contacts, which is also the background's limit. */
export const MAX_NAME_LENGTH = 32
const MOST_BLANK_LINES = 3
export const MOST_MARKS = 4

const BIDI = /^[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/
const CONTROL = /^[\p{Cc}\p{Cs}\u2028\u2029]$/u
/** Includes U+2800, the blank Braille pattern: it is invisible but not whitespace. */
const INVISIBLE = /^[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]$/u

const PICTURE = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u
const EMOJI_BASE = /^[\p{Extended_Pictographic}0-9#*]$/u
/** Letters and marks of scripts in which joiners change the shape of letters. */
const JOINED =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]$/u

const ZWNJ = '\u200c'
const ZWJ = '\u200d'
const EMOJI_STYLE = '\ufe0f'

/** True if an invisible character has a legitimate use here, such as a joiner in an emoji, so that it needs no chip. */
const isAtWork = (char: string, before: string, after: string): boolean => {
  if (char === EMOJI_STYLE) return EMOJI_BASE.test(before)
  if (char === ZWJ && PICTURE.test(before) && PICTURE.test(after)) return true
  return (char === ZWJ || char === ZWNJ) && JOINED.test(before) && JOINED.test(after)
}

const chipOf = (char: string): ChipKind | undefined => {
  if (BIDI.test(char)) return 'bidi'
  if (CONTROL.test(char)) return 'control'
  return INVISIBLE.test(char) ? 'invisible' : undefined
}

const codeOf = (char: string): string => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Matches a character that may need a chip. Most text has no such character and skips the slow path. */
const SUSPECT = /[\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u

const charParts = (text: string, plain: ReadonlySet<string>): Part[] => {
  if (!SUSPECT.test(text)) return text === '' ? [] : [{ text }]
  const parts: Part[] = []
  const chars = [...text]
  let run = ''
  let marks = 0
  const endRun = () => {
    if (run !== '') parts.push({ text: run })
    run = ''
  }
  chars.forEach((char, at) => {
    const kind = plain.has(char) || isAtWork(char, chars[at - 1] ?? '', chars[at + 1] ?? '') ? undefined : chipOf(char)
    if (kind) {
      endRun()
      parts.push({ chip: kind, code: codeOf(char), count: 1 })
      return
    }
    marks = /^\p{M}$/u.test(char) ? marks + 1 : 0
    if (marks <= MOST_MARKS) {
      run += char
      return
    }
    endRun()
    const last = parts.at(-1)
    if (last && 'chip' in last && last.chip === 'marks') last.count++
    else parts.push({ chip: 'marks', code: codeOf(char), count: 1 })
  })
  endRun()
  return parts
}

const SPACES = '[\\t \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]*'
const BLANK_LINES = new RegExp(`(?<=^|\\n)(?:${SPACES}\\n){${MOST_BLANK_LINES + 1},}`, 'g')
const LINE_CHARS: ReadonlySet<string> = new Set(['\n', '\t'])
const NOTHING: ReadonlySet<string> = new Set()

/** Splits a multi-line text into parts. More than three blank lines in a row become one chip with their number. */
export const blockParts = (text: string): Part[] => {
  const parts: Part[] = []
  let done = 0
  for (const { 0: run, index } of text.matchAll(BLANK_LINES)) {
    for (const part of charParts(text.slice(done, index), LINE_CHARS)) parts.push(part)
    parts.push({ chip: 'blankLines', code: 'U+000A', count: run.split('\n').length - 1 }, { text: '\n' })
    done = index + run.length
  }
  for (const part of charParts(text.slice(done), LINE_CHARS)) parts.push(part)
  return parts
}

/** Splits a single-line text into parts. A line break becomes a chip, like any control character. */
export const lineParts = (text: string): Part[] => charParts(text, NOTHING)

/** Writes out the code points of a single-line text, where chips cannot be shown. */
export const flatText = (text: string): string =>
  lineParts(text)
    .map(part => ('chip' in part ? part.code : part.text))
    .join('')

/** Returns the first `limit` UTF-16 units of a text. Does not split a surrogate pair. */
export const cutText = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const end = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit
  return text.slice(0, end)
}

/** Elides the start of a text whose end matters, such as a host: the registrable domain is at its end. */
export const cutStart = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const start = text.length - limit
  return `…${text.slice(/[\udc00-\udfff]/.test(text.charAt(start)) ? start + 1 : start)}`
}

/** Maximum distance by which a cut within a line moves back to avoid splitting a grapheme, in UTF-16 units. */
const CUT_ROOM = 64
const LINE_IS_BLANK = new RegExp(`${SPACES}\\n`, 'y')

const isBlankAt = (text: string, at: number): boolean => {
  LINE_IS_BLANK.lastIndex = at
  return LINE_IS_BLANK.test(text)
}

/**
 * Returns the end of the piece that begins at `start`: after a line if possible, never inside blank lines or a
 * grapheme.
 */
const endOfPiece = (text: string, start: number): number => {
  const most = start + PIECE
  if (text.length <= most) return text.length
  const line = text.lastIndexOf('\n', most - 1) + 1
  if (line > start + PIECE / 2) {
    let end = line
    while (isBlankAt(text, end)) end = LINE_IS_BLANK.lastIndex
    return end
  }
  for (let end = most; end > most - CUT_ROOM; end--)
    if (!SUSPECT.test(text.slice(end - 1, end + 1)) && cutText(text, end).length === end) return end
  return start + cutText(text.slice(start, most + 1), PIECE).length
}

/** Cuts a text into pieces that can be rendered on their own. Joined, they equal the text. */
export const piecesOf = (text: string): string[] => {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start)
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

/** Returns the number of code points. */
export const countChars = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Like `cutText`, with an ellipsis if anything was cut. */
export const clipText = (text: string, limit: number): string => {
  const cut = cutText(text, limit)
  return cut === text ? text : `${cut}…`
}

/** Returns an untrusted name, cut to 32 characters. */
export const cutName = (name: string): string => clipText(name, MAX_NAME_LENGTH)

/** Returns the distinct code points of the chips, by kind and in order, for the explanation below a message. */
export const hiddenCodes = (parts: readonly Part[]): Map<ChipKind, Set<string>> => {
  const found = new Map<ChipKind, Set<string>>()
  for (const part of parts) {
    if (!('chip' in part)) continue
    found.set(part.chip, (found.get(part.chip) ?? new Set()).add(part.code))
  }
  return found
}
