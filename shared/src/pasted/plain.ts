/** Text without the characters that nobody sees. Pages, notes and messengers put them into what people copy. */

/** Zero-width characters, joiners, soft hyphens, byte order marks, variation selectors, marks of direction. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** `text` with `by` in the place of every invisible character. */
export const replaceInvisible = (text: string, by: '' | ' '): string => text.replace(INVISIBLE, by)
