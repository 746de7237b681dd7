import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registrableDomain } from '../sites/registrable-domain.fixture.ts'
import { skeletonOf } from '../text/confusables.ts'
import { findImitated, indexAddresses, isOneEditApart } from './lookalikes.ts'

const KNOWN = [{ origin: 'https://app.meridian.example', since: 100 }]
const imitated = (origin: string, since: number | null = null) => findImitated(origin, since, KNOWN, registrableDomain)
const { hostname } = new URL('https://app.mer\u0456dian.example')

test('letters in other scripts, accented letters and look-alike pairs have the same skeleton', () => {
  const groups = [
    ['meridian', 'mer\u0456dian', 'mer\u00eddian', 'merıdian', 'rneridian', 'merldian', 'mer1dian'],
    ['google', 'g\u043e\u043egle', 'g00gle', 'gooq1e'.replace('q', 'g')],
    ['wallet', 'vvallet', '\u0461allet', 'wa11et'],
  ]
  for (const group of groups) expect(new Set(group.map(skeletonOf)).size, group.join()).toBe(1)
  expect(skeletonOf('harbor')).not.toBe(skeletonOf('meridian'))
})

test('an origin that looks like a known one imitates it, even in Punycode', () => {
  expect(hostname).toMatch(/xn--/)
  expect(imitated(`https://${hostname}`)).toEqual({
    shown: 'mer\u0456dian.example',
    known: 'meridian.example',
    since: 100,
  })
  const alike = [
    'https://meridlan.example',
    'https://meridiann.example',
    'https://meridan.example',
    'https://rneridian.example',
    'https://m\u0435ridiann.example',
    'https://rn\u0435ridia.example',
  ]
  for (const origin of alike) expect(imitated(origin), origin).toMatchObject({ known: 'meridian.example' })
})

test('the known site, its subdomains and dissimilar sites are not imitations', () => {
  const others = [
    'https://app.meridian.example',
    'https://meridian.example',
    'http://other.meridian.example:8080',
    'https://harbor.example',
    'https://meridian-labs.example',
    'null',
    '',
  ]
  for (const origin of others) expect(imitated(origin), origin).toBeUndefined()
})

test('domains are compared without their public suffix', () => {
  const ofSite = (known: string, asking: string) =>
    findImitated(asking, null, [{ origin: known, since: 1 }], registrableDomain)
  expect(ofSite('https://app.meridian.co.uk', 'https://other.meridlan.co.uk')).toMatchObject({
    shown: 'meridlan.co.uk',
    known: 'meridian.co.uk',
  })
  expect(ofSite('https://meridian.github.io', 'https://rneridian.github.io')).toMatchObject({
    known: 'meridian.github.io',
  })
  expect(ofSite('https://meridian.co.uk', 'https://app.meridian.co.uk')).toBeUndefined()
  expect(ofSite('https://harbor.co.uk', 'https://meridian.co.uk')).toBeUndefined()
  expect(ofSite('https://harbor.github.io', 'https://meridian.github.io')).toBeUndefined()
})

test('the site that was connected first is the original', () => {
  const both = [...KNOWN, { origin: 'https://meridlan.example', since: 200 }]
  expect(findImitated('https://meridlan.example', 200, both, registrableDomain)).toMatchObject({
    known: 'meridian.example',
  })
  expect(findImitated('https://app.meridian.example', 100, both, registrableDomain)).toBeUndefined()
})

test('local hosts, IP addresses and short names are not imitations', () => {
  const pairs = [
    ['http://one.localhost:1', 'http://ono.localhost:2'],
    ['http://127.0.0.1', 'http://127.0.0.2'],
    ['http://localhost', 'http://localhos'],
    ['https://abc.example', 'https://abd.example'],
  ] as const
  for (const [known, asking] of pairs)
    expect(findImitated(asking, null, [{ origin: known, since: 1 }], registrableDomain), asking).toBeUndefined()
})

test('an edit is an insertion, a deletion or a replacement of a letter', () => {
  for (const [one, other] of [
    ['abc', 'abd'],
    ['abc', 'abcd'],
    ['abc', 'bc'],
    ['abc', 'ac'],
    ['', 'a'],
  ] as const) {
    expect(isOneEditApart(one, other)).toBe(true)
    expect(isOneEditApart(other, one)).toBe(true)
  }
  for (const [one, other] of [
    ['abc', 'abc'],
    ['abc', 'acb'],
    ['abc', 'abcde'],
    ['abc', 'xbz'],
  ] as const)
    expect(isOneEditApart(one, other)).toBe(false)
})

test('an address with the same first and last digits as a known one is a look-alike', () => {
  const known = [
    { address: '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6', name: 'Mira' },
    { address: '0x1F370000000000000000000000000000000eB1b6', name: 'The next' },
  ]
  const { find, findLookalike } = indexAddresses(known)
  expect(find('0x1f37d85fb2c3fb9bb4cfab9324b4e52465e8b1b6')).toEqual(known[0])
  expect(findLookalike('0x1F37000000000000000000000000000000000B1B6'.replace('0B1B6', 'B1B6'))).toEqual(known[0])
  expect(findLookalike('0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b7')).toBeUndefined()
  // Two known addresses can be look-alikes of each other.
  expect(findLookalike('0x1f37d85fb2c3fb9bb4cfab9324b4e52465e8b1b6')).toEqual(known[1])
  expect(indexAddresses(known.slice(0, 1)).findLookalike('0x1f37d85fb2c3fb9bb4cfab9324b4e52465e8b1b6')).toBeUndefined()
})

test('addresses are look-alikes if six digits in total are equal, at least two of them at each end', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 40, maxLength: 40 })
  const other = (digit = '') => (digit.toLowerCase() === '0' ? '1' : '0')
  fc.assert(
    fc.property(digits, fc.nat({ max: 8 }), fc.nat({ max: 8 }), (known, first, last) => {
      const middle = known.slice(first, 40 - last)
      const like = `0x${known.slice(0, first)}${[...middle].map(other).join('')}${last === 0 ? '' : known.slice(-last)}`
      const { findLookalike } = indexAddresses([{ address: `0x${known}` }])
      const isAlike = first >= 2 && last >= 2 && first + last >= 6
      expect(findLookalike(like.toLowerCase())).toEqual(isAlike ? { address: `0x${known}` } : undefined)
    }),
  )
})
