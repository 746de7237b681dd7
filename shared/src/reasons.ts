/**
 * Errors as reasons. An error carries a stable `reason`, such as `nonceUsed`, and the `values` that belong to it. Its text is
 * made from a catalogue: reason → text with places for the values, `The nonce {nonce} was used already.`
 *
 * Each part of the code has its own catalogue in English. The wallet's pages use the ones of their language in `_locales`.
 * No code reads a text to find out which error it has; it compares reasons.
 */

/** Values of an error by name. */
export type Values = Readonly<Record<string, string | number>>

/** Reasons of one part of the code, and their English texts. Declare it `as const`, so that the compiler knows the values. */
export type Catalogue = Readonly<Record<string, string>>

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** The values that a text has places for. */
/** Values of an error by name. */
export type ValuesIn<Text extends string> = { readonly [Name in NamesIn<Text>]: string | number }

/** Maximum length of a value. Longer ones are cut. */
const MAX_VALUE_LENGTH = 300

const PLACE = /\{(\w+)\}/g

/** The names of the values in a text, in order. */
const namesIn = (text: string): string[] => [...text.matchAll(PLACE)].map(([, name = '']) => name)

/** Replaces `{name}` with the value of this name. */
export const fillIn = (text: string, values: Values): string =>
  text.replace(PLACE, (_, name: string) => String(values[name] ?? ''))

const cut = (value: string | number): string | number =>
  typeof value === 'string' && value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value

/**
 * The values for which the text has a place, cut to a limited length. A value that the text does not name does not leave
 * its function, so a text decides whether an error quotes.
 */
export const valuesFor = (text: string, values: Values): Values =>
  Object.fromEntries(namesIn(text).map(name => [name, cut(values[name] ?? '')]))
