/**
 * Errors as reasons. An error carries a stable `reason`, such as `nonceUsed`, and its `values`. A catalogue maps each
 * reason to a text with placeholders for the values: `The nonce {nonce} was used already.`
 *
 * Each part of the code has its own English catalogue. The wallet's pages use translated catalogues from `_locales`.
 * Code compares reasons and never parses texts.
 */

/** Values of an error by name. */
export type Values = Readonly<Record<string, string | number>>

/**
 * Reasons of one part of the code, with their English texts. Declare it `as const`, so that the compiler knows the
 * values.
 */
export type Catalogue = Readonly<Record<string, string>>

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** The values that a text's placeholders need. */
export type ValuesIn<Text extends string> = { readonly [Name in NamesIn<Text>]: string | number }

/** Maximum length of a value in characters. Longer values are cut. */
const MAX_VALUE_LENGTH = 300

const PLACE = /\{(\w+)\}/g

/** Returns the names of a text's placeholders, in order. */
const namesIn = (text: string): string[] => [...text.matchAll(PLACE)].map(([, name = '']) => name)

/** Replaces `{name}` with the value of this name. */
export const fillIn = (text: string, values: Values): string =>
  text.replace(PLACE, (_, name: string) => String(values[name] ?? ''))

const cut = (value: string | number): string | number =>
  typeof value === 'string' && value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value

/**
 * Returns the values that have a placeholder in the text, cut to a limited length. Other values are dropped, so the
 * text decides which input an error quotes.
 */
export const valuesFor = (text: string, values: Values): Values =>
  Object.fromEntries(namesIn(text).map(name => [name, cut(values[name] ?? '')]))
