import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  blockParts,
  clipText,
  countChars,
  cutName,
  cutStart,
  cutText,
  flatText,
  hiddenCodes,
  lineParts,
  MAX_NAME_LENGTH,
  MOST_MARKS,
  type Part,
  PIECE,
  piecesOf,
} from './text-safety.ts'

/** Returns the shown text, with chips in square brackets. */
const draw = (parts: readonly Part[]): string =>
  parts
    .map(part => {
      if ('text' in part) return part.text
      return part.chip === 'marks' || part.chip === 'blankLines' ? `[${part.count} ${part.chip}]` : `[${part.code}]`
    })
    .join('')

test('plain text of any script is shown unchanged', () => {
  for (const text of ['Hello, 0x1', 'naïve café', '漢字かな', 'שלום', 'مرحبا', 'नमस्ते', '한국어', '👋🏽 😀'])
    expect(lineParts(text), text).toEqual([{ text }])
  expect(lineParts('')).toEqual([])
})

test('bidirectional controls become chips, in the order of the signed text', () => {
  expect(draw(lineParts('TCK-\u202e0094\u202c-A'))).toBe('TCK-[U+202E]0094[U+202C]-A')
  for (const code of [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202d, 0x2066, 0x2067, 0x2068, 0x2069])
    expect(lineParts(String.fromCodePoint(code))[0]).toMatchObject({ chip: 'bidi' })
})

test('zero-width characters, fillers, tags and the blank Braille pattern become chips', () => {
  expect(draw(lineParts('Admin\u200bistrator'))).toBe('Admin[U+200B]istrator')
  for (const code of [0xad, 0x200c, 0x200d, 0x2060, 0xfeff, 0x3164, 0x2800, 0x180e, 0xe0041, 0xfe0f])
    expect(lineParts(`a${String.fromCodePoint(code)}b`)[1], code.toString(16)).toMatchObject({ chip: 'invisible' })
})

test('joiners stay in emoji and between letters of scripts that join', () => {
  for (const text of ['👩‍💻', '🏳️‍🌈', '❤️', '1️⃣', 'می‌خواهم', 'क्‍ष']) expect(lineParts(text), text).toEqual([{ text }])
  expect(draw(lineParts('pay\u200dpal'))).toBe('pay[U+200D]pal')
  for (const text of [
    '\u06cc\u200cpal',
    'pal\u200c\u06cc',
    '\u{1f469}\u200dpal',
    'pal\u200d\u{1f469}',
    '\u06cc\u200d\u{1f469}',
  ])
    expect(lineParts(text), text).toHaveLength(3)
})

test('control codes become chips; line feed and tab only in single-line text', () => {
  expect(draw(blockParts('a\nb\tc\r\u0007\u0085'))).toBe('a\nb\tc[U+000D][U+0007][U+0085]')
  expect(draw(lineParts('a\nb\tc'))).toBe('a[U+000A]b[U+0009]c')
  expect(draw(blockParts('a\u2028b\ud800c'))).toBe('a[U+2028]b[U+D800]c')
})

test('every character that has no shape of its own, or changes the direction or line, becomes a chip', () => {
  const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800]/u
  const shown: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    const char = String.fromCodePoint(code)
    if (hidden.test(char) && lineParts(`a${char}b`).length !== 3) shown.push(code.toString(16))
    if (hidden.test(char) && !/[\n\t]/.test(char) && blockParts(`a${char}b`).length !== 3) shown.push(code.toString(16))
  }
  expect(shown).toEqual([])
})

test('three blank lines are shown; more become a chip with their number', () => {
  expect(draw(blockParts('a\n\n\n\nb'))).toBe('a\n\n\n\nb')
  expect(draw(blockParts('a\n\n\n\n\nb'))).toBe('a\n[4 blankLines]\nb')
  expect(draw(blockParts(`a${'\n \t'.repeat(200)}\nb`))).toBe('a\n[200 blankLines]\nb')
  expect(draw(blockParts(`${'\n'.repeat(9)}b`))).toBe('[9 blankLines]\nb')
})

test('a letter keeps four combining marks; the others become a chip with their number', () => {
  expect(draw(lineParts(`e${'\u0301'.repeat(4)}x`))).toBe(`e${'\u0301'.repeat(4)}x`)
  expect(draw(lineParts(`e${'\u0301'.repeat(60)}x`))).toBe(`e${'\u0301'.repeat(MOST_MARKS)}[56 marks]x`)
})

test('markup is shown as text', () => {
  expect(lineParts('<b>bold</b>&amp;')).toEqual([{ text: '<b>bold</b>&amp;' }])
})

test('nothing is dropped: runs and chips together hold every character', () => {
  const awkward = fc.constantFrom(
    '\u202e',
    '\u200b',
    '\u200d',
    '\n',
    '\t',
    '\r',
    'a',
    'é',
    '😀',
    '\u0301',
    'م',
    '\ufe0f',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(awkward, fc.string({ unit: 'binary', maxLength: 1 }))), chars => {
      const text = chars.join('')
      const drawn = lineParts(text).reduce(
        (sum, part) => sum + ('text' in part ? countChars(part.text) : part.count),
        0,
      )
      expect(drawn).toBe(countChars(text))
    }),
  )
})

test('no run holds a bidirectional or control character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      for (const part of lineParts(text))
        if ('text' in part) expect(part.text).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cc}/u)
    }),
  )
})

test('a cut never splits a surrogate pair', () => {
  expect(cutText('abc', 3)).toBe('abc')
  expect(cutText('ab😀', 3)).toBe('ab')
  expect(cutText('ab😀', 4)).toBe('ab😀')
  expect(clipText('ab😀', 4)).toBe('ab😀')
  expect(clipText('ab😀', 3)).toBe('ab…')
  expect(cutName('x'.repeat(MAX_NAME_LENGTH))).toBe('x'.repeat(MAX_NAME_LENGTH))
  expect(cutName('x'.repeat(MAX_NAME_LENGTH + 1))).toBe(`${'x'.repeat(MAX_NAME_LENGTH)}…`)
})

test('hidden codes are listed by kind, each once', () => {
  const found = hiddenCodes(lineParts('\u202ea\u200b\u202eb\u0007'))
  expect([...found].map(([kind, codes]) => [kind, [...codes]])).toEqual([
    ['bidi', ['U+202E']],
    ['invisible', ['U+200B']],
    ['control', ['U+0007']],
  ])
})

test('a megabyte of text is split into parts quickly', () => {
  expect(blockParts('word '.repeat(200_000))).toHaveLength(1)
})

test('flatText writes the codes out', () => {
  expect(flatText('a\u202eb\nc')).toBe('aU+202EbU+000Ac')
})

test('cutStart keeps the end of a long site name and splits no surrogate pair', () => {
  expect(cutStart('harbor.example', 14)).toBe('harbor.example')
  expect(cutStart('a.harbor.example', 14)).toBe('…harbor.example')
  expect(cutStart('a🎈b', 2)).toBe('…b')
})

test('a text of invisible characters becomes one chip for each', () => {
  expect(blockParts('\u200b'.repeat(300_000))).toHaveLength(300_000)
  expect(blockParts(`${'\u200b'.repeat(300_000)}${'\n'.repeat(9)}`)).toHaveLength(300_003)
})

test('pieces end after a line, and never inside blank lines or a grapheme', () => {
  const lines = `${'a line of the text\n'.repeat(600)}`
  for (const piece of piecesOf(lines)) expect([piece.endsWith('\n'), piece.length <= PIECE]).toEqual([true, true])
  const blank = `${'x'.repeat(PIECE - 10)}${'\n'.repeat(200)}end`
  expect(piecesOf(blank).map(piece => blockParts(piece).length)).toEqual([3, 1])
  const emoji = '\u{1f469}\u200d\u{1f4bb}'
  for (const piece of piecesOf(`a${emoji.repeat(2_000)}`)) expect(piece).not.toMatch(/\p{Cs}/u)
})

test('property: the joined pieces equal the text', () => {
  const part = fc.constantFrom('word ', '\n', '\n\n\n\n\n\n', '\t\n', '\u{1f600}', 'e\u0301', '\u202e', ' '.repeat(300))
  const text = fc.array(fc.tuple(part, fc.integer({ min: 1, max: 900 })), { maxLength: 40 })
  fc.assert(
    fc.property(text, parts => {
      const whole = parts.map(([one, times]) => one.repeat(times)).join('')
      const pieces = piecesOf(whole)
      expect(pieces.join('')).toBe(whole)
      for (const piece of pieces) expect(piece).toMatch(/^\P{Cs}+$/u)
    }),
    { numRuns: 200 },
  )
})
