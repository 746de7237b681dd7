import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparableUrl } from './relay-url.ts'

const URL_OF_RELAY = 'wss://relay.example.org/'

test.each([
  'wss://relay.example.org',
  'wss://relay.example.org/',
  'WSS://Relay.Example.ORG',
  'wss://relay.example.org:443',
  'wss://relay.example.org:0443/',
  'wss://relay.example.org:/',
  'wss://relay.example.org.',
  'wss://relay.example.org/.',
  'wss://relay.example.org/a/../',
])('%s is wss://relay.example.org', text => {
  expect(comparableUrl(text)).toBe(URL_OF_RELAY)
})

test.each([
  ['ws://relay.example.org:80', 'ws://relay.example.org'],
  ['ws://[0:0:0:0:0:0:0:1]:8080', 'ws://[::1]:8080'],
  ['wss://bücher.example', 'wss://xn--bcher-kva.example'],
  ['wss://relay.example.org/v2', 'wss://relay.example.org/v2/'],
  ['wss://relay.example.org/%7euser/%c3%a4', 'wss://relay.example.org/~user/%C3%A4'],
  ['https://relay.example.org:443', 'https://Relay.example.org'],
])('%s and %s are the same', (one, other) => {
  expect(comparableUrl(one)).toBe(comparableUrl(other))
})

test.each([
  'wss://relay.example.com',
  'wss://relay.example.org:8443',
  'wss://relay.example.org:80',
  'ws://relay.example.org',
  'ws://relay.example.org:443',
  'https://relay.example.org',
  'wss://relay.example.org/v2',
  'wss://relay.example.org//',
  'wss://relay.example.org/?a',
  'wss://relay.example.org/#a',
  'wss://me@relay.example.org',
  'wss://relay.example.org.evil.example',
  'wss://evil.example/relay.example.org',
  'wss://evil.example@relay.example.org.evil.example',
  'wss://relay.example.org%2f.evil.example',
  'wss://relay.example.org..',
  'wss:relay.example.org',
  'wss:/relay.example.org',
  'wss:///relay.example.org',
  'wss://relay.example.org\\',
  ' wss://relay.example.org',
  'wss://relay\t.example.org',
  'relay.example.org',
  '',
])('%s is not wss://relay.example.org', text => {
  expect(comparableUrl(text)).not.toBe(URL_OF_RELAY)
})

/** Writes each letter in either case. */
const recased = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map(upper => [...text].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join(''))

const host = fc.domain()
/** URLs of one relay, spelled in ways that RFC 3986 §6.2 calls equivalent. */
const spellings = fc
  .record({ scheme: fc.constantFrom('ws', 'wss'), host })
  .chain(({ scheme, host }) =>
    fc
      .tuple(
        recased(scheme),
        recased(host),
        fc.constantFrom('', ':', scheme === 'ws' ? ':80' : ':443'),
        fc.constantFrom('', '/'),
      )
      .map(([cased, name, port, slash]) => [`${scheme}://${host}`, `${cased}://${name}${port}${slash}`] as const),
  )

test('equivalent spellings of a URL are the same', () => {
  fc.assert(
    fc.property(spellings, ([plain, spelled]) => {
      expect(comparableUrl(spelled)).toBe(comparableUrl(plain))
    }),
    { numRuns: 300 },
  )
})

test('another scheme, host or port is another relay', () => {
  fc.assert(
    fc.property(host, host, fc.integer({ min: 1, max: 65_535 }), (one, other, port) => {
      fc.pre(one !== other && port !== 443)
      const same = comparableUrl(`wss://${one}`)
      for (const text of [`wss://${other}`, `wss://${one}:${port}`, `ws://${one}`, `ws://${one}:443`])
        expect(comparableUrl(text)).not.toBe(same)
    }),
    { numRuns: 300 },
  )
})

test('a normalised URL stays as it is', () => {
  fc.assert(
    fc.property(spellings, fc.webPath(), fc.webQueryParameters(), ([, spelled], path, query) => {
      const once = comparableUrl(`${spelled}${path}?${query}`)
      expect(once).toBeDefined()
      expect(comparableUrl(once ?? '')).toBe(once)
    }),
  )
})
