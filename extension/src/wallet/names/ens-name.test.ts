import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MAX_LABELS, normalizeName, toEnsName } from './ens-name.ts'

type Vectors = {
  valid: readonly { note: string; name: string; normalized: string }[]
  invalid: readonly { note: string; name: string }[]
}
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../../../test/vectors/ens-names.json', import.meta.url), 'utf8'),
)

/** Adds `.eth`: a test vector can be a single label, which the wallet does not accept as a name. */
const below = (name: string) => `${name}.eth`

test.each(vectors.valid)('$note: $name', ({ name, normalized }) => {
  expect(normalizeName(below(name))).toBe(below(normalized))
  expect(normalizeName(below(normalized))).toBe(below(normalized))
})

test.each(vectors.invalid)('$note is refused: $name', ({ name }) => {
  expect(normalizeName(below(name))).toBeUndefined()
})

test.each([
  ['a Cyrillic letter among Latin ones', 'p\u0430ypal.eth'],
  ['a word of Cyrillic letters that all look Latin', '\u0440\u0430\u0443\u0440\u0430l.eth'],
  ['a Greek letter among Latin ones', 'v\u03bftalik.eth'],
  ['a right-to-left override', 'vitalik\u202e.eth'],
  ['one part only', 'eth'],
  ['an empty part', 'vitalik..eth'],
  ['more than 255 characters', `${'a'.repeat(252)}.eth`],
  ['too many parts', `${'a.'.repeat(MAX_LABELS)}eth`],
])('%s is not an ENS name', (_, name) => {
  expect(normalizeName(name)).toBeUndefined()
  expect(() => toEnsName(name)).toThrow(expect.objectContaining({ code: -32602, reason: 'notEnsName' }))
})

test('spaces around a name are dropped, and its letters are lower-cased', () => {
  expect(toEnsName(' Vitalik.ETH ')).toBe('vitalik.eth')
})
