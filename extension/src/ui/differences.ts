/** Where two texts that look alike differ. */

/** A text cut in three: what is alike at its start, what is not, what is alike at its end. */
export type Cut = { start: string; differs: string; end: string }

/** Cuts both texts by code points. */
export const compareTexts = (one: string, other: string): [one: Cut, other: Cut] => {
  const [a, b] = [[...one], [...other]]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const cut = (all: string[]): Cut => ({
    start: all.slice(0, start).join(''),
    differs: all.slice(start, all.length - end).join(''),
    end: all.slice(all.length - end).join(''),
  })
  return [cut(a), cut(b)]
}

const SCRIPTS: Readonly<Record<string, RegExp>> = {
  Latin: /\p{Script=Latin}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Armenian: /\p{Script=Armenian}/u,
  Hebrew: /\p{Script=Hebrew}/u,
  Georgian: /\p{Script=Georgian}/u,
}

/** "i = U+0069, Latin": what a single character is; empty for anything longer, which shows by itself. */
export const describeChar = (text: string): string => {
  const [char = '', ...more] = [...text]
  if (char === '' || more.length > 0) return ''
  const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  const script = Object.keys(SCRIPTS).find(name => SCRIPTS[name]?.test(char))
  return `${char} = ${code}${script === undefined ? '' : `, ${script}`}`
}
