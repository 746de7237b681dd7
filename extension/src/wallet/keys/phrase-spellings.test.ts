import { entropyToMnemonic } from '@scure/bip39'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordLists } from '../wallet.fixture.ts'
import { LANGUAGES } from './languages.ts'
import { normalizePhrase, toPhrase } from './phrase.ts'

const ACCENTS = /[\u0300-\u036f]/g

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

test('in languages with Latin letters, any word can be shortened to its first four letters', async () => {
  for (const language of LANGUAGES) {
    const list = [...(await wordLists(language))]
    if (!/^[a-z]+$/.test(list.join('').replace(ACCENTS, ''))) continue
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
        async (entropy, cut) => {
          const phrase = normalizePhrase(entropyToMnemonic(entropy, list))
          const short = (word: string) => word.replace(ACCENTS, '').slice(0, 4)
          const given = phrase.split(' ').map((word, at) => (cut[at] ? short(word) : word))
          expect(await toPhrase(given.join(' '), wordLists)).toBe(phrase)
        },
      ),
      { numRuns: 10 },
    )
  }
})

const NOISE = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '']
const BETWEEN = [' ', ', ', '; ', '\n', '\r\n', '\t', '\u00a0', '\u3000', ' · ', '\n- ', '/', '" "']

test('phrases of every language are read without accents, in any case, with numbers, punctuation and invisible characters', async () => {
  for (const language of LANGUAGES) {
    const list = [...(await wordLists(language))]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(16, 20, 24, 28, 32).chain(size => fc.uint8Array({ minLength: size, maxLength: size })),
        fc.constantFrom('NFC', 'NFD'),
        fc.constantFrom(...BETWEEN),
        fc.array(fc.constantFrom(...NOISE), { minLength: 24, maxLength: 24 }),
        fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
        async (entropy, form, between, noise, [isNumbered, isUpper, isPlain]) => {
          const phrase = normalizePhrase(entropyToMnemonic(entropy, list))
          const spelled = phrase.split(' ').map((word, at) => {
            const plain = isPlain ? word.replace(ACCENTS, '') : word
            const cased = isUpper ? plain.toUpperCase() : plain
            return `${isNumbered ? `${at + 1}. ` : ''}${cased.normalize(form)}${noise[at]}`
          })
          expect(await toPhrase(spelled.join(between), wordLists)).toBe(phrase)
        },
      ),
      { numRuns: 20 },
    )
  }
})
