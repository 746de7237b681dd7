import { expect, test } from 'vitest'
import { audienceOf, socketUrlOf, toRelayUrl } from './relay-url.ts'

test.each([
  ['ws://127.0.0.1:8080', 'ws://127.0.0.1:8080'],
  [' wss://relay.example/ ', 'wss://relay.example'],
  ['https://relay.example/at/', 'wss://relay.example/at'],
  ['http://localhost:8080', 'ws://localhost:8080'],
  ['wss://relay.example/?projectId=abc', 'wss://relay.example?projectId=abc'],
  ['relay.example', undefined],
  ['ftp://relay.example', undefined],
  ['wss://user:word@relay.example', undefined],
  ['javascript:alert(1)', undefined],
  ['', undefined],
])('%j is normalized to %j', (text, url) => {
  expect(toRelayUrl(text)).toBe(url)
})

test("the project id in a relay's URL is sent to the relay, but is not part of its name", () => {
  const relay = 'wss://relay.example?projectId=abc'
  expect(socketUrlOf(relay, 'a.b.c')).toBe('wss://relay.example/?projectId=abc&auth=a.b.c&useOnCloseEvent=true')
  expect(audienceOf(relay)).toBe('wss://relay.example')
})
