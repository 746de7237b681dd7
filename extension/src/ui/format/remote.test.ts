import { expect, test } from 'vitest'
import type { RelayView, SessionView } from '../../messages.ts'
import {
  askerName,
  endOf,
  firstRelay,
  formatEnd,
  formatLeft,
  isExposed,
  isSilent,
  keyGroups,
  lostRelays,
  peerName,
  presenceOf,
  relayBrief,
  relayLine,
  relayPage,
  relayStatus,
} from './remote.ts'

const NOW = Date.UTC(2025, 10, 21, 14, 5)
const relay: RelayView = {
  url: 'wss://relay.home.example',
  phase: 'connected',
  since: NOW,
  latency: 41,
  error: null,
  retryAt: null,
}
const lost: RelayView = {
  ...relay,
  phase: 'waiting',
  latency: null,
  error: { reason: 'relaySilent', values: {} },
  retryAt: NOW + 8_000,
}
const session = {
  id: '1',
  relay: relay.url,
  isAcknowledged: true,
  lastSeen: NOW - 1_000,
} as SessionView

test('a key is shown in groups from its start', () => {
  expect(keyGroups('4f2a91cc83d05e17', 2)).toBe('4F2A 91CC')
  expect(keyGroups('4f2a91cc83d05e17', 9)).toBe('4F2A 91CC 83D0 5E17')
})

test("the URL of a relay's page has no query", () => {
  expect(relayPage('ws://127.0.0.1:8080')).toBe('http://127.0.0.1:8080/')
  expect(relayPage('wss://relay.example/wc?projectId=1')).toBe('https://relay.example/wc')
})

test('an unencrypted connection is exposed unless the relay is on this computer', () => {
  expect(isExposed('ws://relay.example')).toBe(true)
  expect(isExposed('wss://relay.example')).toBe(false)
  expect(isExposed('ws://127.0.0.1:8080')).toBe(false)
  expect(isExposed('ws://localhost:8080')).toBe(false)
})

test("a relay's status is one short text", () => {
  expect(relayStatus(relay)).toBe('Connected, 41 ms')
  expect(relayStatus({ ...relay, latency: null })).toBe('Connected')
  expect(relayStatus({ ...relay, phase: 'idle', latency: null })).toBe('Not in use')
  expect(relayStatus({ ...relay, phase: 'connecting', latency: null })).toBe('Connecting')
  expect(relayStatus(lost)).toBe('Offline')
  expect(relayStatus({ ...lost, phase: 'connecting', retryAt: null })).toBe('Offline')
})

test('the brief status of a connected relay is its latency', () => {
  expect(relayBrief(relay)).toBe('41 ms')
  expect(relayBrief({ ...relay, latency: null })).toBe('Connected')
  expect(relayBrief(lost)).toBe('Offline')
})

test('an unreachable relay is reported if it is used, with the sessions that use it', () => {
  const nothing = { relays: [lost], pairings: [], refused: [], proposals: [], sessions: [] }
  const elsewhere = { ...session, relay: 'wss://other.example' }
  expect(lostRelays(nothing)).toEqual([])
  expect(lostRelays({ ...nothing, sessions: [session, elsewhere] })).toEqual([{ relay: lost, waiting: [session] }])
  expect(lostRelays({ ...nothing, sessions: [elsewhere] })).toEqual([])
  const pairing = { id: 'link', relay: lost.url, since: NOW, expiresAt: NOW + 300_000 }
  expect(lostRelays({ ...nothing, pairings: [pairing] })).toEqual([{ relay: lost, waiting: [] }])
})

test('a new link starts at the first reachable relay', () => {
  const remote = { pairings: [], refused: [], proposals: [], sessions: [] }
  const other = { ...relay, url: 'wss://other.example' }
  expect(firstRelay({ ...remote, relays: [lost, other] })).toBe(other.url)
  expect(firstRelay({ ...remote, relays: [lost] })).toBe(lost.url)
  expect(firstRelay({ ...remote, relays: [other, relay] })).toBe(other.url)
  expect(firstRelay({ ...remote, relays: [] })).toBeUndefined()
})

test('a pairing is silent after ten seconds on a working relay', () => {
  const pairing = { id: 'link', relay: relay.url, since: NOW, expiresAt: NOW + 300_000 }
  expect(isSilent(pairing, relay, NOW + 9_999)).toBe(false)
  expect(isSilent(pairing, relay, NOW + 10_000)).toBe(true)
  expect(isSilent(pairing, lost, NOW + 60_000)).toBe(false)
})

test("the app's configuration line has the relay without its query", () => {
  expect(relayLine('ws://127.0.0.1:8080')).toBe("relayUrl: 'ws://127.0.0.1:8080'")
  expect(relayLine("wss://relay.example/it's?projectId=12")).toBe("relayUrl: 'wss://relay.example/it%27s'")
})

test("a peer's presence follows from its last message", () => {
  expect(presenceOf(session, relay, NOW)).toBe('online')
  expect(presenceOf({ ...session, lastSeen: NOW - 600_000 }, relay, NOW)).toBe('away')
  expect(presenceOf({ ...session, lastSeen: null }, relay, NOW)).toBe('away')
  expect(presenceOf({ ...session, isAcknowledged: false }, relay, NOW)).toBe('settling')
  expect(presenceOf(session, lost, NOW)).toBe('waiting')
  expect(presenceOf(session, undefined, NOW)).toBe('unknown')
})

test('an end is shown as a duration if it is soon, and otherwise as a date', () => {
  expect(formatEnd(NOW + 2 * 3_600_000, NOW)).toMatch(/^Ends in 2 hr/)
  expect(formatEnd(Date.UTC(2025, 10, 25, 12), NOW)).toMatch(/^Ends .*25/)
})

test('only a chosen lifetime sets an end', () => {
  expect(endOf('usual', NOW)).toEqual({})
  expect(endOf('hour', NOW)).toEqual({ endsAt: NOW + 3_600_000 })
})

test('the countdown stops at zero', () => {
  expect(formatLeft(NOW + 252_000, NOW)).toBe('4 min 12 s')
  expect(formatLeft(NOW + 9_001, NOW)).toBe('10 s')
  expect(formatLeft(NOW - 5, NOW)).toBe('0 s')
})

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
