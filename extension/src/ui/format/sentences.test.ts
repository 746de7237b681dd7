import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import english from '../../../public/_locales/en/messages.json'
import { inLanguage, SENTENCES } from './sentences.ts'

test('a known error message is translated with its values; others are left unchanged', () => {
  const sentence = 'This server reports chain 1, not 8217. Nothing was saved.'
  expect(inLanguage(sentence)).toBe(sentence)
  expect(inLanguage('Cannot reach the $2 (.*) RPC')).toBe('Cannot reach the $2 (.*) RPC')
  expect(inLanguage('execution reverted: That password is not right.')).toBe(
    'execution reverted: That password is not right.',
  )
})

test('the background has each of these messages, and the English text equals it', () => {
  const folder = fileURLToPath(new URL('../../wallet/', import.meta.url))
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.ts'))
  const code = paths.filter(path => !path.endsWith('.test.ts')).map(path => readFileSync(`${folder}${path}`, 'utf8'))
  const isSaid = (sentence: string) => {
    const parts = sentence.split(/\$\d/)
    return code.some(text => parts.every(part => text.includes(part)))
  }
  expect(SENTENCES.filter(([, sentence]) => !isSaid(sentence))).toEqual([])
  expect(SENTENCES.filter(([key, sentence]) => english[key].message !== sentence)).toEqual([])
})
