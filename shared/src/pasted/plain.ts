/** Removes characters that pages, notes and messengers add to copied text. */

/** Zero-width characters, joiners, soft hyphens, byte order marks, variation selectors, direction marks. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** Replaces every invisible character with `by`. */
export const replaceInvisible = (text: string, by: '' | ' '): string => text.replace(INVISIBLE, by)

/** An ampersand as escaped in HTML (even several times) and in JSON. */
const AMPERSAND = /&(?:amp;)+|&#0*38;|&#x0*26;|\\u0026/gi

/** Unescapes the ampersands of a link that was copied from HTML or JSON. */
export const plainAmpersands = (text: string): string => text.replace(AMPERSAND, '&')
