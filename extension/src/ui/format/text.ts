/**
 * The texts of the interface. The browser picks the language from `_locales/<language>/messages.json`. Without an extension
 * API (tests, previews) the English file is read directly. `$1` to `$9` are replaced with values.
 */
import { fillIn } from '@heliograph/shared/reasons'
import english from '../../../public/_locales/en/messages.json'
import type { ReasonView, RevertView } from '../../messages.ts'

export type TextKey = keyof typeof english
/** Keys of plural texts: `<stem>_one`, `<stem>_other` and the other plural forms of the language. */
export type PluralKey = { [K in TextKey]: K extends `${infer Stem}_other` ? Stem : never }[TextKey]

type ExtensionApi = { i18n?: { getMessage(key: string, values: string[]): string } }

const { browser, chrome } = globalThis as { browser?: ExtensionApi; chrome?: ExtensionApi }
const i18n = browser?.i18n ?? chrome?.i18n

/** The English texts, for tests and previews. Empty in the packaged extension, where the browser reads the texts. */
const direct: Record<string, { message: string } | undefined> = import.meta.env.PROD ? {} : english

const fill = (message: string, values: readonly string[]): string =>
  message.replace(/\$(\d)/g, (_, place) => values[Number(place) - 1] ?? '')

const lookUp = (key: string, values: string[]): string =>
  i18n ? i18n.getMessage(key, values) : fill(direct[key]?.message ?? '', values)

export const text = (key: TextKey, ...values: readonly (string | number)[]): string => lookUp(key, values.map(String))

/** Returns the text of an error's reason, or the general text if the language has none for it. */
export const reasonText = ({ reason, values }: ReasonView): string =>
  fillIn(lookUp(`error_${reason}`, []), values) || text('somethingFailed')

/** Returns why a call would fail, in the contract's or the node's own words if they are known. */
export const revertText = (why: RevertView): string => (typeof why === 'string' ? why : reasonText(why))

/** Capitalises words for the start of a sentence. */
export const startSentence = (words: string): string =>
  words.charAt(0).toLocaleUpperCase(text('language')) + words.slice(1)

/** Digits are 0 to 9 in every language, to match addresses and typed amounts. */
export const DIGITS = { numberingSystem: 'latn' } as const

/**
 * Returns the locale for formats that contain words, such as months: the browser's locale with its region if the texts
 * are in that language, otherwise the language of the texts.
 */
export const wordLocale = (): Intl.Locale => {
  const words = text('language')
  const { locale: browsers } = new Intl.DateTimeFormat().resolvedOptions()
  const languageOf = (tag: string) => new Intl.Locale(tag).language
  return new Intl.Locale(languageOf(browsers) === languageOf(words) ? browsers : words, DIGITS)
}

/** Returns the text for a number, in the language's plural form. `$1` is the number with digit grouping. */
export const plural = (stem: PluralKey, count: number): string => {
  const values = [new Intl.NumberFormat(undefined, DIGITS).format(count)]
  const form = new Intl.PluralRules(text('language')).select(count)
  return lookUp(`${stem}_${form}`, values) || lookUp(`${stem}_other`, values)
}
