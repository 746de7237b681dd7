/**
 * Letters that look like others, after Unicode's UTS #39: each line is a letter of the names that people know, and what
 * imitates it. It has the letters that are drawn alike in common typefaces. https://www.unicode.org/reports/tr39/
 */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: 'аɑαᴀ',
  b: 'Ьƅвʙƀ',
  c: 'сϲᴄⅽ',
  d: 'ԁⅾɗđᴅ',
  e: 'еҽєɛεᴇ',
  f: 'ſƒẝꜰ',
  g: 'ɡցǥɢ',
  h: 'һհħʜ',
  i: 'іɩιıӏɪɨ',
  j: 'јϳᴊ',
  k: 'κкķᴋ',
  l: 'ⅼ1|łʟ',
  m: 'мⅿᴍ',
  n: 'ոпɴη',
  o: 'оοօ0ჿσөøᴏ',
  p: 'рρϼᴘ',
  q: 'ԛգ',
  r: 'гᴦꭇʀ',
  s: 'ѕꜱƽ$',
  t: 'тτŧᴛ',
  u: 'υսᴜ',
  v: 'ѵνᴠⅴ',
  w: 'ԝѡաɯωᴡ',
  x: 'хⅹχ',
  y: 'уүγყʏ',
  z: 'ᴢʐ',
  '-': '‐‑‒–−',
}

/** Capitals that look like others, where their small letters do not: of Greek, Cyrillic, Cherokee, Lisu and Coptic. */
const CAPITALS: Readonly<Record<string, string>> = {
  a: 'Ꭺꓮ',
  b: 'ΒᏴꓐⲂ',
  c: 'ᏟꓚⲤ',
  d: 'Ꭰꓓ',
  e: 'Ꭼꓰ',
  f: 'Ϝꓝ',
  g: 'Ꮐꓖ',
  h: 'ΗНᎻꓧⲎ',
  i: 'Ⅰꓲ',
  j: 'Ꭻꓙ',
  k: 'ᏦꓗⲔ',
  l: 'Ꮮꓡ',
  m: 'ΜᎷꓟⲘ',
  n: 'ΝꓠⲚ',
  o: 'ꓳⲞ',
  p: 'ᏢꓑⲢ',
  r: 'Ꭱꓣ',
  s: 'Ꮪꓢ',
  t: 'ᎢꓔⲦ',
  u: 'ꓴՍ',
  v: 'Ꮩꓦ',
  w: 'Ꮃꓪ',
  x: 'ꓫⲬ',
  y: 'ΥᎩꓬⲨ',
  z: 'ΖᏃꓜ',
}

const tableOf = (lookalikes: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(lookalikes).flatMap(([plain, others]) => [...others].map(other => [other, plain] as const)))

const plainOf = tableOf(LOOKS_LIKE)
const plainOfCapital = tableOf(CAPITALS)

/** Groups of letters that run together into another. */
const GROUPS: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['i', 'l'],
]

/** Two texts with one skeleton look alike: accents, scripts and the like are gone. */
export const skeletonOf = (text: string): string => {
  const letters = [...text.normalize('NFKD').replace(/\p{M}/gu, '')]
  const small = letters.map(letter => plainOfCapital.get(letter) ?? letter.toLowerCase())
  const plain = small.flatMap(letter => [...letter].map(part => plainOf.get(part) ?? part)).join('')
  return GROUPS.reduce((skeleton, [group, letter]) => skeleton.replaceAll(group, letter), plain)
}

/** As `skeletonOf`, for names: unseen characters, spaces and full stops count for nothing. */
export const nameSkeletonOf = (name: string): string =>
  skeletonOf(name.normalize('NFKC').replace(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\s.]/gu, ''))

/** True for texts that differ in case alone. */
export const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The known name that another one can be taken for though it is written otherwise; undefined where one is the same. */
export const findImitatedName = (name: string, known: readonly string[]): string | undefined => {
  const skeleton = nameSkeletonOf(name)
  if (skeleton === '' || known.some(other => sameText(other, name))) return undefined
  return known.find(other => nameSkeletonOf(other) === skeleton)
}
