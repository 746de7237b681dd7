/**
 * Provides the texts of another language through the extension API: `preview.html?lang=<folder of _locales>`. Load it
 * before the pages, which look for the extension API once.
 */

type Messages = Record<string, { message: string } | undefined>

const files = import.meta.glob<Messages>('../../extension/public/_locales/*/messages.json', {
  eager: true,
  import: 'default',
})
const messagesOf = (language: string): Messages =>
  files[`../../extension/public/_locales/${language}/messages.json`] ?? {}

/** As in a browser, a missing message is taken from the default language. */
const getMessageIn = (language: string) => (key: string, values: readonly string[]) => {
  const message = (messagesOf(language)[key] ?? messagesOf('en')[key])?.message ?? ''
  return message.replace(/\$(\d)/g, (_, place) => values[Number(place) - 1] ?? '')
}

const language = new URLSearchParams(location.search).get('lang')
if (language !== null) Object.assign(globalThis, { browser: { i18n: { getMessage: getMessageIn(language) } } })
