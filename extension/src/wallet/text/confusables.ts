/**
 * Confusable letters according to Unicode's UTS #39. Each line has a Latin letter and the letters that look like it in
 * common typefaces. https://www.unicode.org/reports/tr39/
 */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: 'аɑαᴀ⍺',
  b: 'ЬƅвʙƀьᏏꮟᑲᖯ',
  c: 'сϲᴄⅽⲥꮯ',
  d: 'ԁⅾɗđᴅᏧᑯ',
  e: 'еҽєɛεᴇ℮ꬲ',
  f: 'ſƒẝꜰꬵꞙք',
  g: 'ɡցǥɢᶃƍ',
  h: 'һհħʜᏂ',
  i: 'іɩιıӏɪɨꙇᎥꭵ⍳',
  j: 'јϳᴊ',
  k: 'κкķᴋ',
  l: 'ⅼ1|łʟǀᛁⵏ∣',
  m: 'мⅿᴍ',
  n: 'ոпɴηռ',
  o: 'оοօ0ჿσөøᴏഠⲟ੦',
  p: 'рρϼᴘ⍴ⲣϱ',
  q: 'ԛգզ',
  r: 'гᴦꭇʀⲅꭈꮁ',
  s: 'ѕꜱƽ$ꮪ',
  t: 'тτŧᴛ',
  u: 'υսᴜʋꞟꭎꭒ',
  v: 'ѵνᴠⅴ∨⋁ꮩ',
  w: 'ԝѡաɯωᴡꮃ',
  x: 'хⅹχ×ᕁᕽ⨯',
  y: 'уүγყʏɣꭚᶌ',
  z: 'ᴢʐꮓ',
  '-': '‐‑‒–−',
}

/** Greek, Cyrillic, Cherokee, Lisu and Coptic capitals whose lowercase forms are not confusable. */
const CAPITALS: Readonly<Record<string, string>> = {
  a: 'Ꭺꓮᗅ',
  b: 'ΒᏴꓐⲂᗷꞴ',
  c: 'ᏟꓚⲤϹ',
  d: 'Ꭰꓓᗞᗪ',
  e: 'Ꭼꓰⴹ⋿',
  f: 'ϜꓝᖴꞘ',
  g: 'ᏀꓖԌᏳ',
  h: 'ΗНᎻꓧⲎᕼ',
  i: 'ⅠꓲⲒ',
  j: 'Ꭻꓙᒍ',
  k: 'ᏦꓗⲔᛕ',
  l: 'ᏞꓡᒪⳐ',
  m: 'ΜᎷꓟⲘϺᗰ',
  n: 'ΝꓠⲚ',
  o: 'ꓳⲞⵔ',
  p: 'ᏢꓑⲢᑭ',
  q: 'ⵕ',
  r: 'ᎡꓣᏒᖇ',
  s: 'ᏚꓢՏᏕ',
  t: 'ᎢꓔⲦ⊤',
  u: 'ꓴՍᑌ∪⋃',
  v: 'Ꮩꓦᐯⴸ',
  w: 'ᎳꓪᏔ',
  x: 'ꓫⲬ᙭╳',
  y: 'ΥᎩꓬⲨᎽ',
  z: 'ΖᏃꓜ',
}

/** Maps each confusable letter, case-sensitively, to the Latin letter that it resembles. */
const plainOf: ReadonlyMap<string, string> = new Map(
  [LOOKS_LIKE, CAPITALS].flatMap(table =>
    Object.entries(table).flatMap(([plain, others]) => [...others].map(other => [other, plain] as const)),
  ),
)

/** Letter pairs that look like a single letter, and letters that look alike in lowercase. */
const GROUPS: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['i', 'l'],
]

const withoutMarks = (text: string): string => text.replace(/\p{M}/gu, '')

const plainLetter = (letter: string): string =>
  plainOf.get(letter) ?? plainOf.get(letter.toLowerCase()) ?? letter.toLowerCase()

/**
 * Returns the Latin letters that a letter resembles. Looks it up before normalizing, because NFKD replaces some
 * confusable letters with letters that are not confusable.
 */
const plainLetters = (letter: string): string =>
  plainOf.get(letter) ?? [...withoutMarks(letter.normalize('NFKD'))].map(plainLetter).join('')

/** Returns the UTS #39 skeleton without accents. Texts with the same skeleton look alike. */
export const skeletonOf = (text: string): string => {
  const plain = [...withoutMarks(text.normalize('NFD'))].map(plainLetters).join('')
  return GROUPS.reduce((skeleton, [group, letter]) => skeleton.replaceAll(group, letter), plain)
}

/** Like `skeletonOf`, for names: also ignores invisible characters, spaces and full stops. */
export const nameSkeletonOf = (name: string): string =>
  skeletonOf(name.replace(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\s.\u2024\uff0e]/gu, ''))

/** Compares texts, ignoring case. */
export const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/**
 * Finds the known name that `name` imitates with other letters. Undefined if there is none, or if a known name differs
 * only in case.
 */
export const findImitatedName = (name: string, known: readonly string[]): string | undefined => {
  const skeleton = nameSkeletonOf(name)
  if (skeleton === '' || known.some(other => sameText(other, name))) return undefined
  return known.find(other => nameSkeletonOf(other) === skeleton)
}
