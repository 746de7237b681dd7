import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import english from '../../../public/_locales/en/messages.json'
import type { ReasonView } from '../../messages.ts'
import { plural, reasonText, text, wordLocale } from './text.ts'

test('values are inserted, and plural forms chosen', () => {
  expect(text('showAllRequests', 1, 3)).toBe('Show all requests, 1 of 3')
  expect(plural('requestsAreWaiting', 1)).toBe('1 request is waiting')
  expect(plural('requestsAreWaiting', 2)).toBe('2 requests are waiting')
})

test('an error that was stored without a reason has the general text', () => {
  const stored: Partial<ReasonView> = JSON.parse('{}')
  expect(reasonText(stored as ReasonView)).toBe('Something went wrong in the wallet. Try again.')
})

test('a value that looks like a placeholder is not replaced again', () => {
  expect(text('switchAccount', '$1 $2')).toBe('Switch account, $1 $2')
})

test('months are in the language of the texts, with the digits 0 to 9', () => {
  const { language, numberingSystem } = wordLocale()
  expect([language, numberingSystem]).toEqual(['en', 'latn'])
})

test('every message has text, and both plural forms or none', () => {
  const keys = Object.keys(english)
  for (const [key, { message }] of Object.entries(english)) {
    expect(message.trim(), key).not.toBe('')
    expect(key, 'the browser takes letters, digits, _ and @').toMatch(/^[A-Za-z0-9_@]+$/)
    if (key.endsWith('_other')) expect(keys).toContain(key.replace(/_other$/, '_one'))
  }
})

test('every icon name is in the sprite', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const names = [...read('./icons.ts').matchAll(/\| '([\w-]+)'/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(20)
  for (const name of names) expect(read('../../../public/icons.svg'), name).toContain(`id="i-${name}"`)
})
