import { expect, test } from 'vitest'
import { askerName, peerName } from './peer.ts'

const peer = {
  name: 'Quill',
  url: '',
  description: '',
  key: '00',
  session: '1',
  relay: 'wss://relay.example',
  expiresAt: 0,
}

test('a peer has its claimed name, cut, or a fallback', () => {
  expect(peerName({ name: 'Quill' })).toBe('Quill')
  expect(peerName({ name: 'x'.repeat(50) })).toBe(`${'x'.repeat(32)}…`)
  expect(peerName({ name: '  ' })).toBe('App without a name')
})

test('a site is named by its origin, a remote session by its peer', () => {
  expect(askerName({ origin: 'https://site.example', peer: null })).toBe('site.example')
  expect(askerName({ origin: 'wc:0011', peer })).toBe('Quill')
})
