/**
 * The words of the interface. They live in `_locales/<language>/messages.json`, where the browser picks the language;
 * where there is no extension API (tests, previews) the English file is read directly. `$1` to `$9` are filled in.
 */
import english from '../../public/_locales/en/messages.json'

export type TextKey = keyof typeof english
/** Stems of texts that depend on a number: `<stem>_one` and `<stem>_other`, and what else the language needs. */
export type PluralKey = { [K in TextKey]: K extends `${infer Stem}_other` ? Stem : never }[TextKey]

type ExtensionApi = { i18n?: { getMessage(key: string, values: string[]): string } }

const { browser, chrome } = globalThis as { browser?: ExtensionApi; chrome?: ExtensionApi }
const i18n = browser?.i18n ?? chrome?.i18n

/** Left out of the packaged extension, whose browser reads the file itself. */
const direct: Record<string, { message: string } | undefined> = import.meta.env.PROD ? {} : english

const fill = (message: string, values: readonly string[]): string =>
  message.replace(/\$(\d)/g, (_, place) => values[Number(place) - 1] ?? '')

const lookUp = (key: string, values: string[]): string =>
  i18n ? i18n.getMessage(key, values) : fill(direct[key]?.message ?? '', values)

export const text = (key: TextKey, ...values: readonly (string | number)[]): string => lookUp(key, values.map(String))

/** Words that stand inside a sentence, as they stand at its start. */
export const startSentence = (words: string): string =>
  words.charAt(0).toLocaleUpperCase(text('language')) + words.slice(1)

/** Numbers and times have the digits 0 to 9 in every language: those of addresses, and of what a person types here. */
export const DIGITS = { numberingSystem: 'latn' } as const

/**
 * The locale of what is written with words, such as months: the browser's own, with its region, where the words are in
 * its language, and else the language of the words.
 */
export const wordLocale = (): Intl.Locale => {
  const words = text('language')
  const { locale: browsers } = new Intl.DateTimeFormat().resolvedOptions()
  const languageOf = (tag: string) => new Intl.Locale(tag).language
  return new Intl.Locale(languageOf(browsers) === languageOf(words) ? browsers : words, DIGITS)
}

/** The text for a number, in the plural form of the language; the number itself, grouped, is `$1`. */
export const plural = (stem: PluralKey, count: number): string => {
  const values = [new Intl.NumberFormat(undefined, DIGITS).format(count)]
  const form = new Intl.PluralRules(text('language')).select(count)
  return lookUp(`${stem}_${form}`, values) || lookUp(`${stem}_other`, values)
}
