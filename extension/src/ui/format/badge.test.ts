import { expect, test } from 'vitest'
import { badgeOf } from './badge.ts'

const now = new Date(2025, 10, 21).getTime()

test('an https site that was connected before is called connected, with the date', () => {
  expect(badgeOf('https://a.example', now, now)).toEqual({ kind: 'connected', why: 'Connected today' })
  expect(badgeOf('https://a.example', null, now)).toEqual({ kind: 'unknown', why: 'First request from this site' })
  expect(badgeOf('http://a.example', now, now)).toEqual({ kind: 'unknown', why: 'Not encrypted' })
  expect(badgeOf('http://localhost:5173', now, now)).toEqual({ kind: 'unknown', why: 'Runs on this computer' })
  expect(badgeOf('null', now, now)).toMatchObject({ kind: 'unknown' })
})
