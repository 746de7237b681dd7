import { entropyToMnemonic } from '@scure/bip39'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PHRASE, wordLists } from '../wallet.fixture.ts'
import { LANGUAGES } from './languages.ts'
import { checkPhrase, newPhrase, normalizePhrase, toPhrase } from './phrase.ts'

const LENGTHS = [12, 15, 18, 21, 24] as const

test('new phrases have the requested length and are never the same', async () => {
  for (const words of LENGTHS) {
    const phrase = await newPhrase(words, wordLists)
    expect(phrase.split(' ')).toHaveLength(words)
    expect(await checkPhrase(phrase, wordLists)).toEqual({ valid: true, unknownWords: [] })
    expect(await newPhrase(words, wordLists)).not.toBe(phrase)
  }
})

test('a phrase is read with any case and spaces', async () => {
  const untidy = `  ${PHRASE.toUpperCase().replaceAll(' ', '\n ')}\t`
  expect(await toPhrase(untidy, wordLists)).toBe(PHRASE)
})

test('phrases of every language are valid in any Unicode form, and have one normalized form', async () => {
  const entropies = fc
    .constantFrom(16, 20, 24, 28, 32)
    .chain(size => fc.uint8Array({ minLength: size, maxLength: size }))
  for (const language of LANGUAGES) {
    const list = [...(await wordLists(language))]
    await fc.assert(
      fc.asyncProperty(entropies, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), async (entropy, form) => {
        const phrase = entropyToMnemonic(entropy, list)
        expect(await toPhrase(` ${phrase.normalize(form)}\n`, wordLists)).toBe(normalizePhrase(phrase))
      }),
      { numRuns: 20 },
    )
  }
})

test('an invalid phrase is rejected, and its unknown words are reported', async () => {
  const wrongSum = 'test '.repeat(12).trim()
  expect(await checkPhrase(wrongSum, wordLists)).toEqual({ valid: false, unknownWords: [] })
  expect(await checkPhrase(PHRASE.replace('junk', 'junkk'), wordLists)).toEqual({ valid: false, unknownWords: [11] })
  for (const phrase of [wrongSum, '', 'test', `${PHRASE} test`, PHRASE.replace('junk', 'junk\u200b')])
    await expect(toPhrase(phrase, wordLists)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('not a recovery phrase'),
    })
})

test('unknown words are those of the language that knows most of the words', async () => {
  const words = (await wordLists('japanese')).slice(0, 5)
  const check = (phrase: readonly string[]) => checkPhrase(phrase.join(' '), wordLists)
  expect(await check(words)).toEqual({ valid: false, unknownWords: [] })
  expect(await check([...words, 'ozone'])).toEqual({ valid: false, unknownWords: [5] })
})

test('a phrase with words of two languages is invalid', async () => {
  const [spanish, french] = await Promise.all([wordLists('spanish'), wordLists('french')])
  const mixed = [...spanish.slice(0, 6), ...french.slice(500, 506)].join(' ')
  expect((await checkPhrase(mixed, wordLists)).valid).toBe(false)
})

test('an English phrase loads no other word list', async () => {
  const asked: string[] = []
  const noting: typeof wordLists = language => {
    asked.push(language)
    return wordLists(language)
  }
  expect(await toPhrase(PHRASE, noting)).toBe(PHRASE)
  expect(asked).toEqual(['english'])
})
