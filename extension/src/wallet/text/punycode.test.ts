import { domainToUnicode } from 'node:url'
import { expect, test } from 'vitest'
import { readableHost } from './punycode.ts'

test('hosts are decoded as the platform decodes them', () => {
  const hosts = [
    'bücher.example',
    'app.merіdian.example',
    '例え.テスト',
    'faß.example',
    'ünïcödé.münchen.example',
    '💎.example',
  ]
  for (const host of hosts) {
    const { hostname } = new URL(`https://${host}`)
    expect(hostname).toContain('xn--')
    expect(readableHost(hostname)).toBe(domainToUnicode(hostname))
  }
  expect(readableHost('harbor.example')).toBe('harbor.example')
})

test('invalid labels stay unchanged', () => {
  for (const host of [
    'xn--\u00e9.example',
    'xn--a-!.example',
    'xn--99999999999.example',
    `xn--${'9'.repeat(60)}.example`,
  ])
    expect(readableHost(host)).toBe(host)
})
