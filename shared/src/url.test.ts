import { expect, test } from 'vitest'
import { parseUrl } from './url.ts'

test('a URL is parsed and normalized; other text gives undefined', () => {
  expect(parseUrl('HTTPS://Example.org:443/a')?.href).toBe('https://example.org/a')
  for (const text of ['', 'nonsense', '/path', 'https://', 'http://a:99999'])
    expect(parseUrl(text), text).toBeUndefined()
})

test('hosts with letters such as ü are parsed, also after the runtime optimized the call', () => {
  const isParsed = (text: string) => parseUrl(text) !== undefined
  const refused = Array.from({ length: 100_000 }, () => 'https://härbor.example').filter(text => !isParsed(text))
  expect(refused).toHaveLength(0)
})
