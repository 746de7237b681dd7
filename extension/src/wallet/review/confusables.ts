/**
 * Letters that look like others, after Unicode's UTS #39: each line is a letter of the names that people know, and what
 * imitates it. It has the letters that are drawn alike in common typefaces. https://www.unicode.org/reports/tr39/
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

/** Capitals that look like others, where their small letters do not: of Greek, Cyrillic, Cherokee, Lisu and Coptic. */
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

/** By each letter, in its own case, the letter of the names that it looks like. */
const plainOf: ReadonlyMap<string, string> = new Map(
  [LOOKS_LIKE, CAPITALS].flatMap(table =>
    Object.entries(table).flatMap(([plain, others]) => [...others].map(other => [other, plain] as const)),
  ),
)

/** Groups of letters that run together into another. */
const GROUPS: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['i', 'l'],
]

const withoutMarks = (text: string): string => text.replace(/\p{M}/gu, '')

const plainLetter = (letter: string): string =>
  plainOf.get(letter) ?? plainOf.get(letter.toLowerCase()) ?? letter.toLowerCase()

/** A letter is looked up before it is normalized: NFKD makes other letters of some that look like a known one. */
const plainLetters = (letter: string): string =>
  plainOf.get(letter) ?? [...withoutMarks(letter.normalize('NFKD'))].map(plainLetter).join('')

/** Two texts with one skeleton look alike: accents, scripts and the like are gone. */
export const skeletonOf = (text: string): string => {
  const plain = [...withoutMarks(text.normalize('NFD'))].map(plainLetters).join('')
  return GROUPS.reduce((skeleton, [group, letter]) => skeleton.replaceAll(group, letter), plain)
}

/** As `skeletonOf`, for names: unseen characters, spaces and full stops count for nothing. */
export const nameSkeletonOf = (name: string): string =>
  skeletonOf(name.replace(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\s.\u2024\uff0e]/gu, ''))

/** True for texts that differ in case alone. */
export const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The known name that another one can be taken for though it is written otherwise; undefined where one is the same. */
export const findImitatedName = (name: string, known: readonly string[]): string | undefined => {
  const skeleton = nameSkeletonOf(name)
  if (skeleton === '' || known.some(other => sameText(other, name))) return undefined
  return known.find(other => nameSkeletonOf(other) === skeleton)
}
