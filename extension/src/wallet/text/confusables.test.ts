import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findImitatedName, nameSkeletonOf, skeletonOf } from './confusables.ts'

test("capitals in other scripts are compared by their own shape, not by their lowercase letters'", () => {
  for (const text of ['ΕΤΗ', 'ЕТН', 'ꓰꓔꓧ', 'ᎬᎢᎻ', 'ＥＴＨ', '𝐄𝐓𝐇', 'ÉTH'])
    expect(skeletonOf(text), text).toBe(skeletonOf('ETH'))
  expect(skeletonOf('ΝΥ')).toBe(skeletonOf('NY'))
  expect(skeletonOf('U$DC')).toBe(skeletonOf('USDC'))
})

test('a letter is looked up before it is normalized', () => {
  // NFKD maps the first to Σ, and ſ to s. The others are Canadian syllabics, Cherokee, Coptic and mathematical letters.
  for (const [text, seen] of [
    ['U\u015eD\u03f9', 'USDC'],
    ['\u017fil', 'fil'],
    ['\u15f7T\u13df', 'BTC'],
    ['ETᕼ', 'ETH'],
    ['d\uab83eꮪ', 'dwes'],
    ['Ь∪ѕ', 'bus'],
  ] as const)
    expect.soft(skeletonOf(text), text).toBe(skeletonOf(seen))
})

test('a name is imitated by different spellings with the same skeleton, but not by itself', () => {
  expect(findImitatedName('Kаia', ['Ethereum', 'Kaia'])).toBe('Kaia')
  expect(findImitatedName('KAIA', ['Ethereum', 'Kaia'])).toBeUndefined()
  expect(findImitatedName('Kaia', ['Kаia', 'Kaia'])).toBeUndefined()
  expect(findImitatedName('\u200b \u2800', ['\u200b'])).toBeUndefined()
})

test('name comparison ignores invisible characters, spaces, width and accents', () => {
  const noise = fc.constantFrom('', ' ', '\u200b', '\u2060', '\ufeff', '\u00a0', '\u0301', '.', '\u202e')
  const name = fc.constantFrom('Ethereum', 'Kaia', 'USDC', 'Local chain')
  const wide = (char: string) => (/[!-~]/.test(char) ? String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0) : char)
  fc.assert(
    fc.property(name, fc.array(noise, { minLength: 12, maxLength: 12 }), fc.boolean(), (known, parts, isWide) => {
      const letters = [...known].map((char, at) => `${isWide ? wide(char) : char}${parts[at] ?? ''}`)
      expect(nameSkeletonOf(letters.join(''))).toBe(nameSkeletonOf(known))
    }),
  )
})
