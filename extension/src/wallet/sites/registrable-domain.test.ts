import fc from 'fast-check'
import { getDomain } from 'tldts'
import { expect, test } from 'vitest'
import { publicSuffixes } from '../../../public-suffixes.ts'
import { createRegistrableDomain, loadRegistrableDomain } from './registrable-domain.ts'

const rules = publicSuffixes()
const registrableDomain = createRegistrableDomain(new Set(rules))

test('the list has ICANN and private rules in ASCII', () => {
  expect(rules.length).toBeGreaterThan(9_000)
  expect(rules).toEqual(expect.arrayContaining(['com', 'co.uk', '*.ck', '!www.ck', 'github.io', 'xn--p1ai']))
  expect(rules.filter(rule => !/^!?(?:\*\.)?[a-z\d.-]+$/.test(rule))).toEqual([])
})

test.each([
  ['example.com', 'example.com'],
  ['a.b.example.com', 'example.com'],
  ['www.bank.co.uk', 'bank.co.uk'],
  ['someone.github.io', 'someone.github.io'],
  ['deep.someone.github.io', 'someone.github.io'],
  ['a.b.anything.ck', 'b.anything.ck'],
  ['a.www.ck', 'www.ck'],
  ['city.kawasaki.jp', 'city.kawasaki.jp'],
  ['a.b.c.kawasaki.jp', 'b.c.kawasaki.jp'],
  ['app.harbor.example', 'harbor.example'],
  ['EXAMPLE.com.', 'example.com'],
  ['a.xn--80asehdb', 'a.xn--80asehdb'],
])('the registrable domain of %s is %s', (host, domain) => {
  expect(registrableDomain(host)).toBe(domain)
})

test.each(['localhost', '127.0.0.1', '[::1]', 'com', 'co.uk', 'github.io', ''])('%j is returned unchanged', host => {
  expect(registrableDomain(host)).toBe(host)
})

test('every host gets the same domain as from tldts', () => {
  const label = fc.stringMatching(/^[a-z][a-z\d]{0,5}$/)
  const suffix = fc.constantFrom(...rules).map(rule => rule.replace('!', ''))
  const host = fc
    .tuple(fc.array(label, { maxLength: 3 }), suffix, label)
    .map(([labels, rule, wild]) => [...labels, rule.replace('*', wild)].join('.'))
  fc.assert(
    fc.property(host, name => {
      const known = getDomain(name, { allowPrivateDomains: true, validateHostname: false })
      expect(registrableDomain(name)).toBe(known ?? name)
    }),
    { numRuns: 5_000 },
  )
})

test('the rules are loaded only once, except after a failure', async () => {
  let reads = 0
  const load = loadRegistrableDomain(async () => {
    reads += 1
    if (reads === 1) throw new Error('no file')
    return new Set(['co.uk'])
  })
  await expect(load()).rejects.toThrow('no file')
  const [one, other] = await Promise.all([load(), load()])
  expect([one('a.b.co.uk'), other('a.b.com'), reads]).toEqual(['b.co.uk', 'b.com', 2])
})
