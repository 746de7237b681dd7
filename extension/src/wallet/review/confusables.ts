/**
 * Letters that look like others, after Unicode's UTS #39: each line is a letter of the host names that people know, and
 * what imitates it. It has the letters that are drawn alike in common typefaces and can stand in a host name.
 */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: 'аɑα',
  b: 'Ьƅв',
  c: 'сϲᴄⅽ',
  d: 'ԁⅾɗ',
  e: 'еҽєɛε',
  f: 'ſƒẝ',
  g: 'ɡցǥ',
  h: 'һհ',
  i: 'іɩιıӏ',
  j: 'јϳ',
  k: 'κкķ',
  l: 'ⅼ1|',
  m: 'мⅿ',
  n: 'ոпɴη',
  o: 'оοօ0ჿσө',
  p: 'рρϼ',
  q: 'ԛգ',
  r: 'гᴦꭇ',
  s: 'ѕꜱƽ',
  t: 'тτŧ',
  u: 'υսᴜ',
  v: 'ѵνᴠⅴ',
  w: 'ԝѡաɯω',
  x: 'хⅹχ',
  y: 'уүγყ',
  z: 'ᴢʐ',
  '-': '‐‑‒–−',
}

const plainOf = new Map(
  Object.entries(LOOKS_LIKE).flatMap(([plain, others]) => [...others].map(other => [other, plain] as const)),
)

/** Groups of letters that run together into another. */
const GROUPS: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['i', 'l'],
]

/** Two texts with one skeleton look alike: accents, scripts and the like are gone. */
export const skeletonOf = (text: string): string => {
  const letters = [...text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')]
  const plain = letters.map(letter => plainOf.get(letter) ?? letter).join('')
  return GROUPS.reduce((skeleton, [group, letter]) => skeleton.replaceAll(group, letter), plain)
}
