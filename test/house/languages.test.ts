/** Checks that the wallet's texts are complete in every language, and are only in the language files. */
import { parse } from 'svelte/compiler'
import { describe, expect, test } from 'vitest'
import { filesBelow, read } from './sources.ts'

const FOLDER = 'extension/public/_locales'

type Messages = Record<string, { message: string }>

const languages = [...new Set(filesBelow(FOLDER).map(path => path.split('/').at(-2) ?? ''))]
const messagesOf = (language: string): Messages => JSON.parse(read(`${FOLDER}/${language}/messages.json`))
const english = messagesOf('en')

const PLURAL = /_(zero|one|two|few|many|other)$/
/**
 * Plural forms that stand for at most one number in every language. Such a form may spell out the number, such as
 * "once" or "two hours".
 */
const OF_ONE_NUMBER = /_(zero|one|two)$/
const isPlural = (key: string) => PLURAL.test(key) && `${key.replace(PLURAL, '')}_other` in english
const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
const formsOf = (tag: string) => {
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions()
  return FORMS.filter(form => pluralCategories.includes(form))
}
const places = (message: string) => [...new Set(message.match(/\$\d/g))].toSorted()

/** Returns the keys that a language with these plural forms must have, from the keys of English. */
const keysFor = (forms: readonly string[]): string[] => [
  ...new Set(
    Object.keys(english).flatMap(key =>
      isPlural(key) ? forms.map(form => `${key.replace(PLURAL, '')}_${form}`) : [key],
    ),
  ),
]

test('the language files are complete, and the manifest uses their texts', () => {
  expect(languages.toSorted()).toEqual(['ar', 'de', 'en', 'es', 'ja', 'zh_CN'])
  const { default_locale, name, description } = JSON.parse(read('manifest.json'))
  expect([default_locale, name, description]).toEqual(['en', '__MSG_extensionName__', '__MSG_extensionDescription__'])
})

describe.each(languages)('%s', language => {
  const messages = messagesOf(language)
  const entries = Object.entries(messages)
  const tag = messages.language?.message ?? ''

  test('names itself and its direction', () => {
    expect(tag).toBe(language.replace('_', '-'))
    expect(messages.direction?.message).toBe(language === 'ar' ? 'rtl' : 'ltr')
  })

  test('uses the same values as English', () => {
    const differing = entries.filter(([key, { message }]) => {
      const wanted = places((english[key] ?? english[key.replace(PLURAL, '_other')])?.message ?? '')
      const found = places(message)
      if (OF_ONE_NUMBER.test(key) && isPlural(key)) return !found.every(place => wanted.includes(place))
      return found.join() !== wanted.join()
    })
    expect(differing.map(([key]) => key)).toEqual([])
  })

  test('has exactly the messages of English, in its plural forms and in the same order', () => {
    expect(Object.keys(messages)).toEqual(keysFor(formsOf(tag)))
  })

  test('has text in every message, without invisible characters', () => {
    const wrong = entries.filter(
      ([, { message }]) => message.trim() === '' || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(message),
    )
    expect(wrong.map(([key]) => key)).toEqual([])
  })

  test('describes the wallet in at most 132 characters, the limit of stores', () => {
    expect(messages.extensionDescription?.message.length).toBeLessThanOrEqual(132)
  })
})

const sources = filesBelow('extension/src').filter(path => /\.(ts|svelte)$/.test(path) && !path.endsWith('.test.ts'))

test('every message is used', () => {
  const code = [...sources, 'manifest.json'].map(read).join('\n')
  const named = new Set(
    [...code.matchAll(/'(\w+)'|__MSG_(\w+)__/g)].map(([, quoted, inManifest]) => quoted ?? inManifest),
  )
  /** Patterns of keys with a variable part: `status_${…}`, `finding_${…}_text`. */
  const built = [...code.matchAll(/`(\w+_)\$\{[^}]+\}(\w*)`/g)].map(
    ([, start, end]) => new RegExp(`^${start}\\w+${end}$`),
  )
  const isNamed = (key: string) => named.has(isPlural(key) ? key.replace(PLURAL, '') : key)
  const unused = Object.keys(english).filter(key => !isNamed(key) && !built.some(pattern => pattern.test(key)))
  expect(unused).toEqual([])
})

/** Text that is not translated: names, keyboard keys and code. */
const NO_WORDS = [
  'Heliograph',
  'Esc',
  '0x',
  'px',
  'wss://',
  'wc:…',
  '_sendTransaction',
  '\\x19',
  'Signed Message:\\n<length>',
]
const SPOKEN = /^(?:aria-label|title|placeholder|alt|label|lead|note|action|hint)$/

/** Returns texts that are written in a component itself, including its accessible names. */
const wordsIn = (node: unknown, attribute = ''): string[] => {
  if (typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) return node.flatMap(child => wordsIn(child, attribute))
  const { type, name, data } = node as { type?: string; name?: string; data?: string }
  if (type === 'Text') {
    const words = data?.trim() ?? ''
    return /\p{L}/u.test(words) && (attribute === '' || SPOKEN.test(attribute)) ? [words] : []
  }
  return Object.values(node).flatMap(child => wordsIn(child, type === 'Attribute' ? name : attribute))
}

test('no component contains untranslated text', () => {
  const components = sources.filter(path => path.endsWith('.svelte'))
  expect(wordsIn(parse('<p title="Two">One <b aria-hidden="true">Three</b></p>', { modern: true }).fragment)).toEqual([
    'Two',
    'One',
    'Three',
  ])
  const found = components.flatMap(path =>
    wordsIn(parse(read(path), { modern: true }).fragment)
      .filter(words => !NO_WORDS.includes(words))
      .map(words => `${path}: ${words}`),
  )
  expect(found).toEqual([])
})
