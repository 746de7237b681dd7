import { expect, test } from 'vitest'
import { isRefused, strengthOf } from './password.ts'

test('strength grows with length and unpredictability', () => {
  expect(strengthOf('short')).toBe('short')
  for (const weak of [
    'password',
    'aaaaaaaaaaaaaaaaaaaa',
    '1234567890',
    'abcdefghijklmnop',
    'qwertyuiop',
    'Password2025',
  ])
    expect(strengthOf(weak), weak).toBe('weak')
  expect(strengthOf('tanglewood')).toBe('fair')
  expect(strengthOf('harbour lamp nine tides')).toBe('strong')
})

test('only short and very common passwords are refused', () => {
  for (const refused of ['', 'seven77', 'password', 'Password123', 'qwerty2025'])
    expect(isRefused(refused), refused).toBe(true)
  for (const taken of ['tanglewood', 'password of the old lighthouse', 'correct horse battery staple'])
    expect(isRefused(taken), taken).toBe(false)
})
