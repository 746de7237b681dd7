import { expect, test } from 'vitest'
import { hostOf, isLoopback, originLabel, splitOrigin } from './origin.ts'

test('the owner is the last two labels; https and its default port are omitted', () => {
  expect(splitOrigin('https://app.meridian.example')).toEqual({
    scheme: '',
    sub: 'app.',
    owner: 'meridian.example',
    port: '',
  })
  expect(splitOrigin('https://meridian.example:443')).toMatchObject({ sub: '', owner: 'meridian.example', port: '' })
  expect(splitOrigin('http://a.b.example:8080')).toEqual({
    scheme: 'http://',
    sub: 'a.',
    owner: 'b.example',
    port: ':8080',
  })
})

test('hosts without a registrable domain are shown whole', () => {
  for (const host of ['localhost', '127.0.0.1', '192.168.1.20', '[::1]'])
    expect(splitOrigin(`http://${host}:5173`), host).toEqual({ scheme: 'http://', sub: '', owner: host, port: ':5173' })
})

test('a long subdomain is elided at its start; the owner is never elided', () => {
  const parts = splitOrigin(`https://${'login.'.repeat(20)}staging.${'x'.repeat(63)}.example`)
  expect(parts?.sub).toMatch(/^….*\.staging\.$/)
  expect(parts?.sub.length).toBeLessThan(30)
  expect(parts?.owner).toBe(`${'x'.repeat(63)}.example`)
  expect(splitOrigin(`https://${'y'.repeat(60)}.meridian.example`)?.sub).toMatch(/^…y+\.$/)
})

test('hosts that are not ASCII stay in punycode', () => {
  expect(splitOrigin('https://härbor.example')?.owner).toBe('xn--hrbor-gra.example')
})

test('other origins have no parts and an unchanged label', () => {
  for (const origin of ['null', '', 'nonsense', 'about:blank']) {
    expect(splitOrigin(origin), origin).toBeUndefined()
    expect(originLabel(origin)).toBe(origin)
  }
  expect(originLabel('http://a.b.example:8080')).toBe('http://a.b.example:8080')
})

test('isLoopback accepts loopback hosts and no look-alikes', () => {
  for (const host of ['localhost', 'app.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])
    expect(isLoopback(`http://${host}:1`), host).toBe(true)
  for (const host of ['localhost.example', '127.0.0.1.example', '10.0.0.1', '[::2]'])
    expect(isLoopback(`http://${host}`), host).toBe(false)
})

test('the host of a URL includes its port; a text that is not a URL stays unchanged', () => {
  expect(hostOf('https://user@node.example:8545/key')).toBe('node.example:8545')
  expect(hostOf('node')).toBe('node')
})
