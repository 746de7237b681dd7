/** Finds the part in which two similar texts differ. */

/** A text in three parts: the common prefix, the part that differs, the common suffix. */
export type Cut = { start: string; differs: string; end: string }

/** Splits both texts, by code points. */
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

/** "i = U+0069, Latin" for a single character; empty for a longer text. */
export const describeChar = (text: string): string => {
  const [char = '', ...more] = [...text]
  if (char === '' || more.length > 0) return ''
  const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  const script = Object.keys(SCRIPTS).find(name => SCRIPTS[name]?.test(char))
  return `${char} = ${code}${script === undefined ? '' : `, ${script}`}`
}
