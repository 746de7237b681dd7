/**
 * Provides the texts of another language through the extension API: `preview.html?lang=<folder of _locales>`. Must be
 * loaded before the pages, which look up the extension API only once.
 */

type Messages = Record<string, { message: string } | undefined>

const files = import.meta.glob<Messages>('../../extension/public/_locales/*/messages.json', { import: 'default' })
const messagesOf = async (language: string): Promise<Messages> =>
  (await files[`../../extension/public/_locales/${language}/messages.json`]?.()) ?? {}

const language = new URLSearchParams(location.search).get('lang')
if (language !== null) {
  const messages = await messagesOf(language)
  // A missing message is taken from the default language, as in a browser.
  const defaults = language === 'en' ? messages : await messagesOf('en')
  const getMessage = (key: string, values: readonly string[]): string => {
    const message = (messages[key] ?? defaults[key])?.message ?? ''
    return message.replace(/\$(\d)/g, (_, place) => values[Number(place) - 1] ?? '')
  }
  Object.assign(globalThis, { browser: { i18n: { getMessage } } })
}
