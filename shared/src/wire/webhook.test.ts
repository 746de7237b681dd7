import { expect, test } from 'vitest'
import { parseRegistration } from './webhook.ts'

const MAX_WEBHOOK_LENGTH = 2048

const topic = '73ff90be-0f5d-4e80-b1cf-5a9a33a9a9a9'

test.each(['https://push.example.org/push', 'http://127.0.0.1:8080/?a=b', 'https://[::1]/'])('%s', webhook => {
  expect(parseRegistration({ topic, webhook, extra: 1 })).toEqual({ topic, webhook })
})

test('normalizes URLs and drops the fragment', () => {
  const spelled = (webhook: string) => parseRegistration({ topic, webhook }).webhook
  expect(spelled('HTTPS://Push.Example.org:443')).toBe('https://push.example.org/')
  expect(spelled('https://push.example.org/a/../b?c#d')).toBe('https://push.example.org/b?c')
  expect(spelled('http://2130706433/')).toBe('http://127.0.0.1/')
  expect(spelled('https://bücher.example/')).toBe('https://xn--bcher-kva.example/')
})

test('a host with letters outside ASCII is accepted however many URLs were checked before', () => {
  for (let at = 0; at < 100_000; at++) parseRegistration({ topic, webhook: `https://push.example.org/${at % 9}` })
  expect(parseRegistration({ topic, webhook: 'https://bücher.example/' }).webhook).toBe(
    'https://xn--bcher-kva.example/',
  )
})

test.each([
  'https://push.example.org/\r\nHost: a',
  'https://push.exa\nmple.org/',
  ' https://push.example.org/',
  'https://a.example/\u0000',
])('a webhook with a space or control character is refused: case %#', webhook => {
  expect(() => parseRegistration({ topic, webhook })).toThrow(
    /^body\.webhook: must (not contain spaces or control characters|be an http or https URL)/,
  )
})

test.each([
  'ftp://push.example.org/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'push.example.org',
  '/push',
  'https://',
  'https://push.example.org:0/',
  'https://push.example.org:65536/',
  'https://[fe80::1%25eth0]/',
  'https://SECRET@push.example.org/',
  'https://user:SECRET@push.example.org/',
  `https://push.example.org/${'a'.repeat(MAX_WEBHOOK_LENGTH)}`,
  '',
])('refuses a webhook that is not a plain http URL without quoting it: case %#', webhook => {
  expect(() => parseRegistration({ topic, webhook })).toThrow(
    /^body\.webhook: must be an http or https URL without credentials, at most 2048 characters$/,
  )
})

test.each([
  [undefined, 'body: is missing'],
  [[], 'body.topic: is missing'],
  [{ topic }, 'body.webhook: is missing'],
  [{ topic: '', webhook: 'https://a.example.org' }, 'body.topic: must have 1 to 256 characters'],
  [{ topic, webhook: ['https://a.example.org'] }, 'body.webhook: must be of type string'],
])('%j: %s', (body, message) => {
  expect(() => parseRegistration(body)).toThrow(message)
})
