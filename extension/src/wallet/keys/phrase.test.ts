import { expect, test } from 'vitest'
import { PHRASE, wordLists } from '../wallet.fixture.ts'
import { ACCOUNTS_PATH, addressesAt } from './derivation.ts'
import { LANGUAGES } from './languages.ts'
import { checkPhrase, newPhrase, toPhrase, wordListFor } from './phrase.ts'

const LENGTHS = [12, 15, 18, 21, 24] as const

test('new phrases have the requested length, and each is different', async () => {
  for (const words of LENGTHS) {
    const phrase = await newPhrase(words, wordLists)
    expect(phrase.split(' ')).toHaveLength(words)
    expect(await checkPhrase(phrase, wordLists)).toEqual({ valid: true, unknownWords: [] })
    expect(await newPhrase(words, wordLists)).not.toBe(phrase)
  }
})

test('a phrase is read regardless of case and spacing', async () => {
  const untidy = `  ${PHRASE.toUpperCase().replaceAll(' ', '\n ')}\t`
  expect(await toPhrase(untidy, wordLists)).toBe(PHRASE)
})

test('an invalid phrase is rejected, and its unknown words are reported', async () => {
  const wrongSum = 'test '.repeat(12).trim()
  expect(await checkPhrase(wrongSum, wordLists)).toEqual({ valid: false, unknownWords: [] })
  expect(await checkPhrase(PHRASE.replace('junk', 'junkk'), wordLists)).toEqual({ valid: false, unknownWords: [11] })
  for (const phrase of [wrongSum, '', 'test', `${PHRASE} test`, PHRASE.replace('junk', 'jun\u200bkk')])
    await expect(toPhrase(phrase, wordLists)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('not a recovery phrase'),
    })
})

test('unknown words are reported for the language that knows the most words', async () => {
  const words = (await wordLists('japanese')).slice(0, 5)
  const check = (phrase: readonly string[]) => checkPhrase(phrase.join(' '), wordLists)
  expect(await check(words)).toEqual({ valid: false, unknownWords: [] })
  expect(await check([...words, 'ozone'])).toEqual({ valid: false, unknownWords: [5] })
})

test('a phrase with words from two languages is invalid', async () => {
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

const ACCENTS = /[\u0300-\u036f]/g
const CARD = 'adapt patrol eternal modify make run common noble salute lecture detail aim'
const card = CARD.split(' ')
const numbered = (mark: (place: number) => string) => card.map((word, at) => `${mark(at + 1)}${word}`).join('\n')
/** Positions of the words on a card with two columns, read line by line. */
const inColumns = (at: number) => (at % 2 === 0 ? at / 2 : 6 + (at - 1) / 2)
const first = async (text: string) => {
  const phrase = await toPhrase(text, wordLists)
  return (await addressesAt({ phrase, passphrase: '', path: ACCOUNTS_PATH }, 0, 1))[0]
}

test.each([
  ['abaco (11 times) abierto', `${'abaco '.repeat(11)}abierto`, '0x97Eb7E2D802949D2739E08f9935Abd03A1e046Cb'],
  [
    'ábaco … abierto, composed (NFC)',
    `${'ábaco '.repeat(11)}abierto`.normalize('NFC'),
    '0x97Eb7E2D802949D2739E08f9935Abd03A1e046Cb',
  ],
  ['P with U+200B after each word', card.map(word => `${word}\u200b`).join(' ')],
  ['P with U+200B as the only separator', card.join('\u200b')],
  ['P with ", " between the words', card.join(', ')],
  ['P as lines "1. adapt", "2. patrol", …', numbered(place => `${place}. `)],
  ['"P." with the quotes and the period', `"${CARD}."`],
  ['P in upper case, with CRLF in it', card.join('\r\n').toUpperCase()],
  ['P as lines "1) adapt"', numbered(place => `${place}) `)],
  ['P as lines "1: adapt"', numbered(place => `${place}: `)],
  ['P as lines "1 adapt"', numbered(place => `${place} `)],
  ['P as lines "#01 – adapt"', numbered(place => `#${String(place).padStart(2, '0')} – `)],
  ['P as lines with a tab', numbered(place => `${place}\t`)],
  ['P as bullets', numbered(() => '• ')],
  ['P as a JSON array', JSON.stringify(card)],
  ['P with semicolons', card.join(';')],
  ['P with non-breaking spaces', card.join('\u00a0')],
  ['P with ideographic spaces', card.join('\u3000')],
  ['P with a soft hyphen in a word', CARD.replace('eternal', 'eter\u00adnal')],
  ['P after a byte order mark', `\ufeff${CARD}`],
  ['P in typographic quotes', `„${CARD}“`],
  ['P as lines "Word 1: adapt"', numbered(place => `Word ${place}: `)],
  ['P as lines "0. adapt"', numbered(place => `${place - 1}. `)],
  ['P as lines "adapt 1"', card.map((word, at) => `${word} ${at + 1}`).join('\n')],
  ['P in circled numbers', numbered(place => String.fromCodePoint(0x245f + place))],
  ['P from a card with two columns', card.map((_, at) => `${inColumns(at) + 1}. ${card[inColumns(at)]}`).join(' ')],
  ['P after a title', `Recovery phrase: ${CARD}`],
  ['P in lines after a title and before a note', `My old wallet\n${CARD}\nKeep this paper safe`],
  ['numbered P after a title and before a note', `Recovery phrase\n${numbered(place => `${place}. `)}\n\nMade 2019`],
  [
    'the first four letters of each word, as on metal backup cards',
    card
      .map(word => word.slice(0, 4))
      .join(' ')
      .toUpperCase(),
  ],
  ['P in keycap numbers', numbered(place => `${[...String(place)].map(digit => `${digit}\ufe0f\u20e3`).join('')} `)],
  ['P in lower case as in Turkish', CARD.toUpperCase().toLocaleLowerCase('tr')],
  ['P in upper case as in Turkish', CARD.toLocaleUpperCase('tr')],
  ['P after a title of three words', `My seed phrase: ${CARD}`],
  ['P in a line after a title of three words', `MetaMask seed phrase\n${CARD}`],
  ['P in JSON with a path', JSON.stringify({ phrase: CARD, path: "m/44'/60'/0'/0" })],
  ['P in an environment file', `MNEMONIC="${CARD}"`],
  ['P in sentences', `Seed phrase: ${CARD}. Keep it secret!`],
  ['P in a column between a title and a note', `Recovery phrase\n\n${card.join('\r\n')}\r\n\r\nKeep this safe`],
  ['numbered P before a note with a number', `${numbered(place => `${place}. `)}\n\n(12 words, of 2019)`],
  ['P in two lines after a title', `Seed:\n${card.slice(0, 6).join(' ')}\n${card.slice(6).join(' ')}`],
])('%s is read', async (_, text, address = '0xF399217Ee582869eb3F9C8976650376665B53CbA') => {
  expect(await first(text)).toBe(address)
})

test.each([
  ['zoo (12 times)', 'zoo '.repeat(12)],
  ['P with eleven words', card.slice(1).join(' ')],
  ['P with an extra word', `${CARD} zoo`],
  ['P twice', `${CARD}\n${CARD}`],
  ['P after other words in the list, which make it longer', `seed phrase word\n${CARD}`],
  ['P with a Cyrillic letter', CARD.replace('adapt', 'а\u0064apt')],
  ['the first three letters of each word', card.map(word => word.slice(0, 3)).join(' ')],
  ['the first five letters of each word', card.map(word => word.slice(0, 5)).join(' ')],
  [
    'the first four letters of other words',
    card
      .toReversed()
      .map(word => word.slice(0, 4))
      .join(' '),
  ],
])('%s is invalid', async (_, text) => {
  await expect(toPhrase(text, wordLists)).rejects.toMatchObject({ reason: 'notPhrase' })
})

test('no word in a list equals another word without its accents', async () => {
  for (const language of LANGUAGES) {
    const list = await wordLists(language)
    expect(new Set(list.map(word => word.replace(ACCENTS, ''))).size, language).toBe(list.length)
  }
})

test('a spelling without accents that matches two words is unknown', async () => {
  const list = ['xen\u0303a', 'xena\u0301', ...(await wordLists('spanish')).slice(2)]
  const twoWords: typeof wordLists = async language => (language === 'spanish' ? list : wordLists(language))
  expect((await checkPhrase(`${'xena '.repeat(11)}abierto`, twoWords)).unknownWords).toHaveLength(11)
  expect((await checkPhrase(`${'xeña '.repeat(11)}abierto`, twoWords)).unknownWords).toEqual([])
})

test('Japanese voicing marks are not optional', async () => {
  const list = await wordLists('japanese')
  const voiced = list.findIndex(word => word.includes('\u3099'))
  const plain = String(list[voiced]).replace('\u3099', '')
  expect(list).not.toContain(plain)
  expect((await checkPhrase(plain, wordLists)).unknownWords).toEqual([0])
})

test('the word list has the language with the most of the words, whole and in NFC, and is English without words', async () => {
  const english = await wordLists('english')
  expect(await wordListFor('', wordLists)).toEqual(english)
  // "animal" and "angle" are words of both languages, "abaisser" is French.
  expect(await wordListFor('animal angle', wordLists)).toEqual(english)
  expect((await wordListFor('animal angle abaisser', wordLists))[0]).toBe('abaisser')
  for (const language of LANGUAGES) {
    const list = await wordLists(language)
    const words = await wordListFor(`${list.slice(100, 106).join(' ')} notaword`, wordLists)
    expect(words, language).toEqual(list.map(word => word.normalize('NFC')))
  }
})
