/**
 * Spellings that look like a given text, from the data of Unicode's UTS #39. The wallet uses a different table.
 * https://www.unicode.org/reports/tr39/
 */
import { oneIn, pick, type Random } from '../support/random.ts'

const ALIKE: Readonly<Record<string, string>> = {
  a: 'аαɑ⍺',
  b: 'ЬƄᏏᑲᖯ',
  c: 'сϲⅽᴄⲥꮯ',
  d: 'ԁⅾⅆᏧᑯ',
  e: 'еҽ℮ℯꬲ',
  f: 'ꬵꞙẝք',
  g: 'ɡցᶃƍ',
  h: 'һհᏂℎ',
  i: 'іιɩıꙇᎥꭵ⍳l1',
  j: 'јϳⅉ',
  k: '𝐤ｋ',
  l: 'Iі1ⅼ|ǀІӀӏᛁⵏꓲ∣',
  m: 'ⅿｍ',
  n: 'ոռ',
  o: 'оοօσᴏ0ჿഠⲟ੦',
  p: 'рρϱ⍴ⲣ',
  q: 'ԛգզ',
  r: 'гᴦⲅꭇꭈꮁ',
  s: 'ѕꜱƽꮪ',
  t: '𝐭ｔ',
  u: 'υսᴜʋꞟꭎꭒ',
  v: 'νѵⅴᴠ∨⋁ꮩ',
  w: 'ԝѡաɯᴡꮃ',
  x: 'хⅹ×ᕁᕽ⨯',
  y: 'уүγɣყꭚᶌ',
  z: 'ᴢꮓ',
  A: 'АΑᎪᗅꓮ',
  B: 'ВΒᏴᗷꓐℬꞴ',
  C: 'СϹᏟⲤⅭꓚ',
  D: 'ᎠᗞᗪꓓⅮ',
  E: 'ЕΕᎬⴹꓰ⋿',
  F: 'ϜᖴꓝꞘ',
  G: 'ԌᏀᏳꓖ',
  H: 'НΗᎻᕼꓧⲎ',
  I: 'ІΙӀⅠꓲⲒᛁl1|',
  J: 'ЈͿᎫᒍꓙ',
  K: 'КΚᏦᛕꓗⲔ\u212a',
  L: 'ᏞᒪꓡⅬℒⳐ',
  M: 'МΜϺᎷᗰꓟⅯⲘ',
  N: 'ΝꓠⲚ',
  O: 'ОΟՕⲞⵔꓳ0',
  P: 'РΡⲢᏢᑭꓑ',
  Q: 'ⵕ',
  R: 'ᎡᏒᖇꓣƦ',
  S: 'ЅՏᏚᏕꓢ$',
  T: 'ТΤⲦᎢꓔ⊤',
  U: 'Սᑌꓴ∪⋃',
  V: 'ѴⅤᏙᐯꓦⴸ',
  W: 'ԜᎳᏔꓪ',
  X: 'ХΧⅩⲬꓫ᙭╳',
  Y: 'ΥҮⲨᎩᎽꓬ',
  Z: 'ΖᏃꓜ',
}

/** The first capital and the first small letter of each styled alphabet. */
const STYLES: readonly (readonly [number, number])[] = [
  [0xff21, 0xff41],
  [0x1d400, 0x1d41a],
  [0x1d468, 0x1d482],
  [0x1d5a0, 0x1d5ba],
  [0x1d670, 0x1d68a],
  [0x24b6, 0x24d0],
]
const ACCENTS = ['\u0301', '\u0323', '\u0308', '\u0327', '\u0335', '\u0307\u0301']
const SPACES = [' ', '\u00a0', '\u2009', '\u3000', '  ']
const UNSEEN = ['\u200b', '\u2060', '\u00ad', '\ufe0f', '\u034f', '\u2800', '\u{e0061}']

const alike = (letter: string, random: Random): string => pick(random, [...(ALIKE[letter] ?? letter)])

const styled = (letter: string, random: Random): string => {
  const [capital, small] = pick(random, STYLES)
  if (/[A-Z]/.test(letter)) return String.fromCodePoint(capital + letter.charCodeAt(0) - 65)
  return /[a-z]/.test(letter) ? String.fromCodePoint(small + letter.charCodeAt(0) - 97) : letter
}

type Edit = (letter: string, random: Random) => string
const sometimes =
  (edit: Edit): Edit =>
  (letter, random) =>
    oneIn(random, 2) ? letter : edit(letter, random)

/** Edits of a name's letters. Each keeps a letter or replaces it with a lookalike. */
export const EDITS: Readonly<Record<string, Edit>> = {
  'letters of the other case': sometimes(letter =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  ),
  'look-alike letters': sometimes(alike),
  'one look-alike letter': (letter, random) => (oneIn(random, 4) ? alike(letter, random) : letter),
  'styled letters': sometimes(styled),
  accents: (letter, random) => (oneIn(random, 3) ? letter + pick(random, ACCENTS) : letter),
  spaces: (letter, random) => (oneIn(random, 4) ? letter + pick(random, SPACES) : letter),
  'unseen characters': (letter, random) => (oneIn(random, 6) ? letter + pick(random, UNSEEN) : letter),
}
