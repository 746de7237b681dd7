import { expect, test } from 'vitest'
import { hasHiddenCharacters, readableText } from './text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('valid UTF-8 without controls is decoded unchanged', () => {
  for (const text of ['', 'hello', 'a\n\r\tb', 'héllo 語 🎈', '\ufeffhello', '\u202ehello'])
    expect(readableText(bytes(text))).toBe(text)
})

test('invalid UTF-8 and controls are not text', () => {
  for (const data of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe8, 0xaa]])
    expect(readableText(Uint8Array.from(data))).toBeNull()
  for (const control of ['\0', '\u0008', '\u001b[31m', '\u007f', '\u0085'])
    expect(readableText(bytes(control))).toBeNull()
})

test('hidden characters are found', () => {
  const hidden = {
    'right-to-left override': 'pay \u202e001',
    'right-to-left mark': 'a\u200fb',
    isolate: '\u2066a\u2069',
    'zero-width space': 'a\u200bb',
    'zero-width joiner between Latin letters': 'pay\u200dpal',
    'zero-width non-joiner between digits': '1\u200c0',
    'joiner at the end': 'مه\u200d',
    'byte order mark': '\ufeffhello',
    'soft hyphen': 'pay\u00adpal',
    'Hangul filler': 'a\u3164b',
    'combining grapheme joiner': 'a\u034fb',
    'variation selector behind a letter': 'a\ufe0f',
    'supplementary variation selector': 'a\u{e0101}',
    'tag characters': 'a\u{e0068}\u{e0069}',
    'line separator': 'a\u2028b',
    'empty Braille pattern': 'a\u2800b',
  }
  for (const [name, text] of Object.entries(hidden)) expect(hasHiddenCharacters(text), name).toBe(true)
})

test('invisible characters in legitimate use are not reported', () => {
  const plain = {
    text: 'Sign in to site.example at 12:00 (100 %)\n\n- agree',
    'other scripts': '語 Привет مرحبا שלום नमस्ते',
    'a Persian non-joiner': 'می\u200cخواهم',
    'a Devanagari joiner': 'क्\u200dष',
    'an emoji composed of several': '👩\u200d🚀',
    'an emoji with a skin tone': '👩🏽\u200d🚀',
    'an emoji in emoji style': '❤\ufe0f\u200d🔥',
    'a keycap': '1\ufe0f\u20e3',
  }
  for (const [name, text] of Object.entries(plain)) expect(hasHiddenCharacters(text), name).toBe(false)
})
