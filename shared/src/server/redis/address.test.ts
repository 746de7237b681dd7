import fc from 'fast-check'
import { expect, test } from 'vitest'
import { databaseOf, parseRedisUrl, placeOf } from './address.ts'

const HOST_FORM = 'must be URLs such as redis://127.0.0.1:6379, or rediss://… for TLS'

test.each([
  'redis://127.0.0.1',
  'redis://127.0.0.1:6379/',
  'redis://user:secret@10.0.0.5:6380/1',
  'rediss://cache.example:6379',
  'REDIS://redis:6379/0',
  'redis://:pa%23ss%2Fw@127.0.0.1:6379',
  'redis://user@127.0.0.1',
  'redis://:a:b;c=d!e$f&g@127.0.0.1',
  'redis://:p%C3%A4ss@[::1]:6379/15',
  'redis://[fe80::1]',
])('accepts %s', url => {
  expect(parseRedisUrl(url)).toBe(url)
})

test.each(['', 'localhost:6379', 'http://user:secret@127.0.0.1', 'redis://', 'unix:///tmp/redis', 'redis:///1'])(
  'refuses %j, without quoting it',
  text => {
    expect(() => parseRedisUrl(text)).toThrow(HOST_FORM)
  },
)

test.each([
  'redis://:pa#ss@127.0.0.1',
  'redis://:se@cret#x@127.0.0.1',
  'redis://:pa/ss@127.0.0.1',
  'redis://:pa?ss@127.0.0.1',
  'redis://:pa@ss@127.0.0.1',
  'redis://:pa ss@127.0.0.1',
  'redis://:pa%ss@127.0.0.1',
  'redis://:pa%ff@127.0.0.1',
  'redis://:pä@127.0.0.1',
  'redis://:[pa]@127.0.0.1',
  'redis://us/er:pass@127.0.0.1/2',
  // The list of URLs is split at commas, so a password with a comma leaves this part.
  'redis://:pa',
])('advises to percent-encode %s', url => {
  expect(() => parseRedisUrl(url)).toThrow(/percent-encoded.*# as %23.*@ as %40/)
})

test.each([
  'redis://127.0.0.1:6379?db=2',
  'redis://127.0.0.1:6379/?db=2',
  'redis://127.0.0.1/2?password=secret',
  'redis://127.0.0.1#2',
])('refuses the query or fragment of %s', url => {
  expect(() => parseRedisUrl(url)).toThrow(/no query and no fragment.*redis:\/\/127\.0\.0\.1:6379\/2/)
})

test.each(['redis://127.0.0.1:6379/main', 'redis://127.0.0.1/1/2', 'redis://127.0.0.1/-1', 'redis://127.0.0.1/ 1'])(
  'refuses the database of %s',
  url => {
    expect(() => parseRedisUrl(url)).toThrow('must have a database number after the slash')
  },
)

test.each(['redis://127.0.0.1:0', 'redis://127.0.0.1:65536', 'redis://127.0.0.1:secret', 'redis://[::1:6379'])(
  'refuses the host or port of %s',
  url => {
    expect(() => parseRedisUrl(url)).toThrow(/a port from 1 to 65535|must be URLs/)
  },
)

const anyText = fc.string({ unit: 'binary', minLength: 4 })
const messageOf = (url: string): string => {
  try {
    return parseRedisUrl(url) && ''
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : ''
  }
}

test('an encoded password is accepted and kept as it is, and an unencoded password is never in an error', () => {
  fc.assert(
    fc.property(anyText, fc.nat({ max: 99_999 }), (password, database) => {
      const url = `redis://user:${encodeURIComponent(password)}@127.0.0.1:6379/${database}`
      expect(parseRedisUrl(url)).toBe(url)
      expect(decodeURIComponent(new URL(url).password)).toBe(password)
      expect([databaseOf(url), placeOf(url)]).toEqual([database, '127.0.0.1:6379'])
    }),
  )
  // No error contains `Zq`, so `Zq` in an error would be a part of the password.
  const raw = fc.array(fc.constantFrom('Zq', '#', '/', '?', '@', '%', ' ', '\\', '[', ':'), { minLength: 1 })
  fc.assert(
    fc.property(raw, parts => {
      expect(messageOf(`redis://:${parts.join('')}@127.0.0.1`)).not.toContain('Zq')
    }),
  )
})

test('names a server without its password', () => {
  expect(placeOf('redis://user:secret@10.0.0.5')).toBe('10.0.0.5:6379')
  expect(placeOf('rediss://:secret@cache.example:7000')).toBe('cache.example:7000')
})

test('a URL without a number has database 0', () => {
  expect(['redis://a', 'redis://a/', 'redis://a/0', 'redis://a:1/7'].map(databaseOf)).toEqual([0, 0, 0, 7])
})
