import type { Logger } from '@heliograph/shared/server/process/log'
import type { RequestHead } from '@heliograph/shared/server/transport/http'
import { expect, test, vi } from 'vitest'
import { listensPublicly, watchExposure } from './exposure.ts'

const interfacesWith =
  (...addresses: string[]) =>
  () =>
    ({ eth0: addresses.map(address => ({ address })) }) as never

test.each([
  ['203.0.113.9', false],
  ['8.8.8.8', true],
  ['2a00:1450::1', true],
  ['relay.example.org', true],
  ['127.0.0.1', false],
  ['::1', false],
  ['10.1.2.3', false],
  ['localhost', false],
  ['relay', false],
])('host %s is public: %s', (host, isPublic) => {
  expect(listensPublicly(host)).toBe(isPublic)
})

test.each(['0.0.0.0', '::'])('%s is public on a machine with a public address', host => {
  expect(listensPublicly(host, interfacesWith('127.0.0.1', '8.8.8.8'))).toBe(true)
  expect(listensPublicly(host, interfacesWith('127.0.0.1', '172.17.0.2', 'fe80::1'))).toBe(false)
})

const headOf = (host?: string): RequestHead => ({
  method: 'GET',
  path: '/',
  query: new URLSearchParams(),
  headers: new Map(host === undefined ? [] : [['host', host]]),
})

const watch = (host: string, publicUrls: readonly string[] = []) => {
  const warn = vi.fn()
  const look = watchExposure({ host, publicUrls, log: { warn } as unknown as Logger })
  const lookAt = (...hosts: (string | undefined)[]): void => {
    for (const named of hosts) look(headOf(named))
  }
  return { warn, look: lookAt }
}

test('a relay on a public address without public URLs warns once, at start', () => {
  const { warn, look } = watch('8.8.8.8')
  expect(warn).toHaveBeenCalledOnce()
  expect(warn.mock.calls[0]?.[0]).toContain('RELAY_PUBLIC_URLS (--public-urls) is not set')
  look('relay.example.org', 'relay.example.org')
  expect(warn).toHaveBeenCalledOnce()
})

test('behind a proxy it warns once, at the first request with a public Host', () => {
  const { warn, look } = watch('127.0.0.1')
  look(
    'localhost:8080',
    '127.0.0.1:8080',
    '[::1]:8080',
    'relay:8080',
    'relay.internal',
    '10.0.0.1',
    'x',
    ']',
    undefined,
  )
  expect(warn).not.toHaveBeenCalled()
  look('relay.example.org:443', 'relay.example.org', '[2a00:1450::1]:8080')
  expect(warn).toHaveBeenCalledOnce()
})

test('does not warn with public URLs', () => {
  const { warn, look } = watch('8.8.8.8', ['wss://relay.example.org'])
  look('relay.example.org')
  expect(warn).not.toHaveBeenCalled()
})
