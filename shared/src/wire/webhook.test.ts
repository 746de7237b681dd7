import { expect, test } from 'vitest'
import { MAX_WEBHOOK_LENGTH, parseRegistration } from './webhook.ts'

const topic = '73ff90be-0f5d-4e80-b1cf-5a9a33a9a9a9'

test.each(['https://push.example.org/push', 'http://127.0.0.1:8080/?a=b', 'https://[::1]/'])('%s', webhook => {
  expect(parseRegistration({ topic, webhook, extra: 1 })).toEqual({ topic, webhook })
})

test.each([
  'ftp://push.example.org/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'push.example.org',
  '/push',
  'https://',
  'https://SECRET@push.example.org/',
  'https://user:SECRET@push.example.org/',
  `https://push.example.org/${'a'.repeat(MAX_WEBHOOK_LENGTH)}`,
  '',
])('a webhook that is no plain http URL is refused and not repeated: case %#', webhook => {
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
