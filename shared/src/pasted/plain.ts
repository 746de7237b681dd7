/** Text without what pages, notes and messengers put into what people copy. */

/** Zero-width characters, joiners, soft hyphens, byte order marks, variation selectors, marks of direction. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** `text` with `by` in the place of every invisible character. */
export const replaceInvisible = (text: string, by: '' | ' '): string => text.replace(INVISIBLE, by)

/** An ampersand as HTML, also twice, and JSON write it. */
const AMPERSAND = /&(?:amp;)+|&#0*38;|&#x0*26;|\\u0026/gi

/** The text of a link that was copied out of HTML or JSON. */
export const plainAmpersands = (text: string): string => text.replace(AMPERSAND, '&')
