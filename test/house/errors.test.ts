/** Checks error reasons: each has a text in every language, with placeholders for the same values, and is used. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reasons } from '../../extension/src/wallet/text/reasons.ts'
import { valueReasons } from '../../shared/src/evm/value-reasons.ts'
import { valuesFor } from '../../shared/src/reasons.ts'
import * as wire from '../../shared/src/wire/reasons.ts'
import { root } from '../support/root.ts'
import { filesBelow, read } from './sources.ts'

const FOLDER = 'extension/public/_locales'
const LANGUAGES = ['ar', 'de', 'en', 'es', 'ja', 'zh_CN']
const PREFIX = 'error_'

type Messages = Record<string, { message: string }>

const fileOf = (language: string) => `${FOLDER}/${language}/messages.json`
const messagesOf = (language: string): Messages => JSON.parse(read(fileOf(language)))

/** Returns a file's messages with the errors of the catalogue, in its order, in place of the file's error messages. */
const withErrors = (messages: Messages): Messages => {
  const errors = Object.entries(reasons).map(([reason, message]) => [`${PREFIX}${reason}`, { message }] as const)
  const others = Object.entries(messages).filter(([key]) => !key.startsWith(PREFIX))
  return Object.fromEntries([...others, ...errors])
}

test('the English error texts match the catalogue (vitest -u writes them)', async () => {
  const wanted = withErrors(messagesOf('en'))
  await expect(`${JSON.stringify(wanted, null, 2)}\n`).toMatchFileSnapshot(join(root, fileOf('en')))
})

/** Returns the names of a text's placeholders. */
const placesOf = (text: string): string => Object.keys(valuesFor(text, {})).toSorted().join(', ')

test.each(LANGUAGES)('%s has a text with the same values for each reason', language => {
  const messages = messagesOf(language)
  const wrong = Object.entries(reasons).flatMap(([reason, english]) => {
    const text = messages[`${PREFIX}${reason}`]?.message ?? ''
    return text === '' || placesOf(text) !== placesOf(english) ? [`${reason}: ${text}`] : []
  })
  expect(wrong).toEqual([])
})

/** Code of the wallet and code that it shares with the servers, without the catalogues. */
const code = ['extension/src', 'shared/src/evm', 'shared/src/wire']
  .flatMap(folder => filesBelow(folder))
  .filter(path => path.endsWith('.ts') && !/(\.test|\.fixture|-?reasons)\.ts$/.test(path))
  .map(read)
  .join('\n')

test('every reason is used', () => {
  const all = Object.keys({
    ...reasons,
    ...wire.tokenReasons,
    ...wire.envelopeReasons,
    ...wire.didKeyReasons,
    ...wire.clientReasons,
  })
  expect(all.length).toBeGreaterThan(200)
  expect(all.filter(reason => !code.includes(`'${reason}'`) && !new RegExp(`^\\s+${reason}:`, 'm').test(code))).toEqual(
    [],
  )
})

test('no reason has two texts', () => {
  const { ruleReasons: _, ...catalogues } = wire
  const parts = [valueReasons, ...Object.values(catalogues)]
  const shared = Object.assign({}, ...parts)
  expect(Object.keys(shared)).toHaveLength(parts.flatMap(part => Object.keys(part)).length)
  const differing = Object.entries(reasons).filter(([reason, text]) => reason in shared && shared[reason] !== text)
  expect(differing).toEqual([])
})
