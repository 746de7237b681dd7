import { expect, test } from 'vitest'
import { compareTexts, describeChar } from './differences.ts'

test('the differing part is between the common prefix and suffix', () => {
  expect(compareTexts('harbor.example', 'harbor-rewards.example')).toEqual([
    { start: 'harbor', differs: '', end: '.example' },
    { start: 'harbor', differs: '-rewards', end: '.example' },
  ])
  expect(compareTexts('mer\u0456dian', 'meridian').map(({ differs }) => differs)).toEqual(['\u0456', 'i'])
  expect(compareTexts('same', 'same')[0]).toEqual({ start: 'same', differs: '', end: '' })
  expect(compareTexts('aa', 'aaa').map(({ differs }) => differs)).toEqual(['', 'a'])
  expect(compareTexts('', 'x')[1]).toEqual({ start: '', differs: 'x', end: '' })
})

test('a single character is named with its script', () => {
  expect(describeChar('i')).toBe('i = U+0069, Latin')
  expect(describeChar('\u0456')).toBe('\u0456 = U+0456, Cyrillic')
  expect(describeChar('1')).toBe('1 = U+0031')
  expect(describeChar('rn')).toBe('')
  expect(describeChar('')).toBe('')
})
