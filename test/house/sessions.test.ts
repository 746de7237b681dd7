/** Holds docs/sessions.md: each sentence in its lists is the title of a test, and its table has every code of sessions. */
import { expect, test } from 'vitest'
import { sessionCodes } from '../../extension/src/wallet/session/codes.ts'
import { REMOTE_CLIENTS } from '../bench/remote-clients.ts'
import { filesBelow, read } from './sources.ts'

const doc = read('docs/sessions.md')

/** The sentences of the lists, as titles are written: in one line, without a full stop. */
const claims = [...doc.matchAll(/^- (.+(?:\n {2}.+)*)\.$/gm)].map(([, sentence = '']) => sentence.replace(/\n +/g, ' '))

const titleOf = (sentence: string): string => `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`

test('each promise is one sentence', () => {
  expect(claims.length).toBe(doc.match(/^- /gm)?.length)
  expect(new Set(claims).size).toBe(claims.length)
  expect(claims.filter(claim => /\. [A-Z]/.test(claim))).toEqual([])
})

test('each promise is the title of a test', () => {
  const tests = ['extension/src', 'test']
    .flatMap(filesBelow)
    .filter(path => path.endsWith('.test.ts'))
    .map(read)
    .join('\n')
  const titles = new Set(
    [...tests.matchAll(/\btest\(\s*(['"])((?:(?!\1).)+)\1,\s*(?:async )?\(/g)].map(([, , title = '']) => title),
  )
  expect(claims.map(titleOf).filter(title => !titles.has(title))).toEqual([])
})

test('the figures are of the clients that the benchmark measures, and at most a second in Chromium', () => {
  const rows = [...doc.matchAll(/^\| ([\w-]+ [\d.]+) \| (\d+) ms \| (\d+) ms \|$/gm)]
  expect(rows.map(([, client]) => client)).toEqual(REMOTE_CLIENTS)
  expect(rows.filter(([, , chromium]) => Number(chromium) > 1_000)).toEqual([])
})

test('the table has every code of sessions', () => {
  const rows = [...doc.matchAll(/^\| ([-\d–, ]+) \|/gm)].flatMap(([, codes = '']) => codes.split(', '))
  const isIn = (code: number) =>
    rows.some(row => {
      const [first = '', last = first] = row.split('–')
      return code >= Number(first) && code <= Number(last)
    })
  expect(Object.values(sessionCodes).filter(([code]) => !isIn(code))).toEqual([])
})
