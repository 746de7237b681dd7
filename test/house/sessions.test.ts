/** Checks docs/sessions.md: it has figures of the measured clients, and its table has every error code of sessions. */
import { expect, test } from 'vitest'
import { sessionCodes } from '../../extension/src/wallet/session/codes.ts'
import { REMOTE_CLIENTS } from '../bench/remote-clients.ts'
import { read } from './sources.ts'

const doc = read('docs/sessions.md')

test('each measured client has figures, and at most a second in Chromium', () => {
  const rows = [...doc.matchAll(/^\| ([\w-]+ [\d.]+) \| (\d+) ms \| (\d+) ms \|$/gm)]
  expect(rows.map(([, client]) => client)).toEqual(REMOTE_CLIENTS)
  expect(rows.filter(([, , chromium]) => Number(chromium) > 1_000)).toEqual([])
})

test('the table has every error code of sessions', () => {
  const rows = [...doc.matchAll(/^\| ([-\d–, ]+) \|/gm)].flatMap(([, codes = '']) => codes.split(', '))
  const isIn = (code: number) =>
    rows.some(row => {
      const [first = '', last = first] = row.split('–')
      return code >= Number(first) && code <= Number(last)
    })
  expect(Object.values(sessionCodes).filter(([code]) => !isIn(code))).toEqual([])
})
