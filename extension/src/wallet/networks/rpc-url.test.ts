import { expect, test } from 'vitest'
import { toRpcUrl, toSuggestedUrl } from './rpc-url.ts'

const nothing = [
  '',
  'node.example',
  '/rpc',
  'ftp://node.example',
  'javascript:alert(1)',
  'data:,x',
  'wss://node.example',
]
const local = [
  'http://127.0.0.1:8545/',
  'http://127.1.2.3/',
  'http://localhost:8545/',
  'http://node.localhost/',
  'http://[::1]:8545/',
]

test('a user may enter any http URL, which is stored normalized', () => {
  expect(toRpcUrl('HTTPS://Node.Example')).toBe('https://node.example/')
  for (const url of ['http://192.168.1.5:8545/', 'https://node.example/v3/key?x=1', ...local])
    expect(toRpcUrl(url)).toBe(url)
})

test('credentials and other schemes are rejected', () => {
  for (const url of [...nothing, 'https://me:word@node.example', 'https://me@node.example'])
    for (const read of [toRpcUrl, toSuggestedUrl]) expect(read(url), url).toBeUndefined()
})

test('a site may suggest an https URL, or an http URL on this computer', () => {
  for (const url of ['https://node.example/', ...local]) expect(toSuggestedUrl(url), url).toBe(url)
  for (const url of [
    'http://node.example/',
    'http://192.168.1.5/',
    'http://localhost.example/',
    'http://127.0.0.1.example/',
    'http://evil127.0.0.1.example/',
    'http://notlocalhost/',
  ])
    expect(toSuggestedUrl(url), url).toBeUndefined()
})
