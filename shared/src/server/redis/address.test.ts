import { expect, test } from 'vitest'
import { parseRedisUrl, placeOf } from './address.ts'

test.each(['redis://127.0.0.1', 'redis://user:secret@10.0.0.5:6380/1', 'rediss://cache.example:6379'])(
  'accepts %s',
  url => {
    expect(parseRedisUrl(url)).toBe(url)
  },
)

test.each(['', 'localhost:6379', 'http://user:secret@127.0.0.1', 'redis://', 'unix:///tmp/redis'])(
  'refuses %j, without repeating it',
  text => {
    expect(() => parseRedisUrl(text)).toThrow('must be URLs such as redis://127.0.0.1:6379, or rediss://… for TLS')
  },
)

test('names a server without its password', () => {
  expect(placeOf('redis://user:secret@10.0.0.5')).toBe('10.0.0.5:6379')
  expect(placeOf('rediss://:secret@cache.example:7000')).toBe('cache.example:7000')
})
