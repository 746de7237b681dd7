import { readConfig } from '@heliograph/shared/server/process/config'
import { runProgram } from '@heliograph/shared/server/service/program'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { relayRows } from './config.ts'
import { relayProgram } from './program.ts'

const read = (flag: string, value: string) => readConfig('RELAY', relayRows, { args: [`--${flag}=${value}`], env: {} })
const publicUrls = (value: string) => read('public-urls', value).publicUrls

const { exitCode } = process
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = exitCode
})

describe('public URLs', () => {
  test.each([
    ['relay.example.org', 'wss://relay.example.org'],
    ['relay.example.org:8443/v2/', 'wss://relay.example.org:8443/v2'],
    ['//relay.example.org', 'wss://relay.example.org'],
    ['https://relay.example.org', 'wss://relay.example.org'],
    ['HTTPS://Relay.Example.org/', 'wss://relay.example.org'],
    ['http://relay.example.org:8080', 'ws://relay.example.org:8080'],
    ['wss:relay.example.org', 'wss://relay.example.org'],
    ['wss:/relay.example.org', 'wss://relay.example.org'],
    ['tcp://relay.example.org:443', 'wss://relay.example.org'],
    ['wss://', 'wss://relay.example.org'],
    ['wss://relay example', 'wss://relay.example.org'],
    ['wss://[::1', 'wss://relay.example.org'],
    ['wss://relay.example.org:99999', 'wss://relay.example.org'],
    ['*', 'wss://relay.example.org'],
    ['wss://*.example.org', 'wss://example.org'],
    ['"wss://relay.example.org"', 'wss://relay.example.org'],
    ["'https://relay.example.org'", 'wss://relay.example.org'],
    ['wss://relay.example.org"', 'wss://relay.example.org'],
    ['wss://relay.example.org;', 'wss://relay.example.org'],
    ['wss://relay.example.org;wss://relay.example.com', 'wss://relay.example.org'],
    ['wss://{DOMAIN}', 'wss://relay.example.org'],
    ['wss://$DOMAIN', 'wss://relay.example.org'],
    ['wss://{{host}}', 'wss://relay.example.org'],
    ['wss://(host)', 'wss://relay.example.org'],
    ['wss://host&x=1', 'wss://relay.example.org'],
    ['wss://relay..example.com', 'wss://relay.example.org'],
    ['wss://relay.example.com..', 'wss://relay.example.org'],
    ['wss://.example.com', 'wss://relay.example.org'],
    [`wss://${'a'.repeat(64)}.example`, 'wss://relay.example.org'],
    ['wss://relay.example.com:0', 'wss://relay.example.org'],
    ['wss://https://relay.example.com', 'wss://relay.example.org'],
    ['https://wss://relay.example.com', 'wss://relay.example.org'],
    ['wss://relay.example.com//', 'wss://relay.example.org'],
    ['[wss://relay.example.com]', 'wss://relay.example.org'],
  ])('%s is refused, with %s', (value, meant) => {
    expect(() => publicUrls(value)).toThrow(
      `--public-urls: ${JSON.stringify(value)} must be URLs with ws:// or wss:// and a host, such as ${meant}`,
    )
  })

  test.each([
    ['wss://relay.example.org/#a', 'wss://relay.example.org'],
    ['wss://relay.example.org/#', 'wss://relay.example.org'],
    ['wss://me@relay.example.org/v2', 'wss://relay.example.org/v2'],
  ])('%s is refused, with %s', (value, meant) => {
    expect(() => publicUrls(value)).toThrow(`without a user name, password or fragment, such as ${meant}`)
  })

  test.each([
    'wss://me:secret@relay.example.org',
    'wss://me:se@cret/x@relay.example.org',
    'wss:secret@relay.example.org',
  ])('the error about %s has no password in it', value => {
    expect(() => publicUrls(value)).toThrow('such as wss://relay.example.org')
    expect(() => publicUrls(value)).not.toThrow('cret')
  })

  test('one wrong URL of several is refused', () => {
    expect(() => publicUrls('wss://relay.example.org, relay.example.com')).toThrow('such as wss://relay.example.com')
  })

  test.each([
    ['wss://bücher.example', 'wss://xn--bcher-kva.example/'],
    ['WSS://RELAY.EXAMPLE.ORG.:443/', 'wss://relay.example.org/'],
    ['ws://relay_1.example.org:80', 'ws://relay_1.example.org/'],
    ['ws://localhost:8080', 'ws://localhost:8080/'],
    ['ws://[2001:DB8:0::1]:8080', 'ws://[2001:db8::1]:8080/'],
    ['wss://relay.example.org/v2?a=https://x.example', 'wss://relay.example.org/v2/?a=https://x.example'],
  ])('%s is kept as %s', (value, kept) => {
    expect(publicUrls(value)).toEqual([kept])
  })

  test('URLs are kept in the form in which they are compared', () => {
    expect(publicUrls('wss://Relay.Example.org:443, ws://127.0.0.1:8080/')).toEqual([
      'wss://relay.example.org/',
      'ws://127.0.0.1:8080/',
    ])
    expect(publicUrls('')).toEqual([])
  })

  test('--check-config refuses a URL that no client could use', async () => {
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    await runProgram(relayProgram, 'heliograph-relay', {
      args: ['--check-config'],
      env: { RELAY_PUBLIC_URLS: 'relay.example.org' },
    })
    expect(process.exitCode).toBe(1)
    expect(printed).toHaveBeenCalledWith(
      'Heliograph Relay: RELAY_PUBLIC_URLS: "relay.example.org" must be URLs with ws:// or wss:// and a host, such as wss://relay.example.org\n',
    )
  })

  test('every host without a usable scheme is refused with the URL to write', () => {
    const scheme = fc.constantFrom('', 'https://', 'http://', '//', 'tcp://', 'wss:', 'ws:/')
    fc.assert(
      fc.property(scheme, fc.domain(), (before, host) => {
        const meant = /^(?:http|ws):/.test(before) ? 'ws' : 'wss'
        expect(() => publicUrls(`${before}${host}`)).toThrow(`and a host, such as ${meant}://${host.toLowerCase()}`)
        expect(publicUrls(`${meant}://${host}`)).toEqual([`${meant}://${host.toLowerCase()}/`])
      }),
    )
  })
})

describe('origins', () => {
  test.each([
    ['https://App.example:443', 'https://app.example'],
    ['http://app.example:80', 'http://app.example'],
    ['https://app.example:8443', 'https://app.example:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['chrome-extension://ABCdef', 'chrome-extension://abcdef'],
  ])('%s is kept as browsers send it, %s', (value, sent) => {
    expect(read('origins', value).origins).toEqual([sent])
  })

  test.each([
    'app.example',
    'https://app.example/',
    'https://me@app.example',
    'https://app.example:x',
    '*',
    'https://*.example',
    'https://app.example;',
    '"https://app.example"',
    'https://$DOMAIN',
  ])('%s is refused', value => {
    expect(() => read('origins', value)).toThrow('must be an origin such as https://app.example, without a path')
  })
})
