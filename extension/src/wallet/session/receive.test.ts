import { sealEnvelope, sealEnvelopeFrom, topicOf } from '@heliograph/shared/wire/envelope'
import { encodeRequest } from '@heliograph/shared/wire/json-rpc'
import { parsePairingUri } from '@heliograph/shared/wire/pairing-uri'
import { hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ADDRESS, NOW } from '../wallet.fixture.ts'
import { approve } from './approve.ts'
import { changeChain, disconnect, expire, extend, nextExpiry, ping, respond, update } from './changes.ts'
import { grant, regrant } from './namespaces.ts'
import { MAX_ANSWER_SIZE, MAX_OUTBOX_SIZE } from './outgoing.ts'
import { forgetPairing, MAX_PAIRINGS, MAX_USED_LINKS, movePairing, pair, rejectProposal } from './pairing.ts'
import { receive } from './receive.ts'
import { MAX_REQUESTS } from './receive-session.ts'
import {
  arrivalOf,
  EMPTY,
  facts,
  hexOf,
  LINK,
  METADATA,
  nextId,
  OFFER,
  onlyPairing,
  onlySession,
  PEER_KEY,
  PROPOSAL,
  paired,
  peerAnswers,
  peerAsks,
  peerRefuses,
  proposed,
  RELAY,
  saidSince,
  settled,
  URI,
} from './session.fixture.ts'
import type { SessionState } from './state.ts'

const HOUR = 3_600_000
const call = (more: object = {}, request: object = {}) => ({
  chainId: 'eip155:1',
  request: { method: 'personal_sign', params: ['0x00', ADDRESS], ...request },
  ...more,
})
const ask = (state: SessionState, method: string, params: unknown, more = {}) =>
  peerAsks(state, onlySession(state), method, params, more)

describe('on the topic of a pairing', () => {
  test("a proposal waits for the user, with the peer's metadata", () => {
    const { after, said } = proposed()
    expect(said).toEqual([])
    expect(after.proposals).toMatchObject([
      {
        relay: RELAY,
        proposer: { publicKey: PEER_KEY, name: 'Quill', url: 'https://quill.example', description: 'Notes' },
        optional: { eip155: { chains: ['eip155:1'] } },
        expiresAt: NOW + 5 * 60_000,
      },
    ])
  })

  const eip155 = (wanted: object) => ({ eip155: { chains: ['eip155:1'], methods: [], events: [], ...wanted } })
  test.each([
    { relays: null },
    { requiredNamespaces: null },
    { expiryTimestamp: null },
    { requiredNamespaces: { eip155: { chains: null, methods: [], events: [] } } },
    { requiredNamespaces: { 'eip155:1': { chains: null, methods: [], events: [] } } },
    { proposer: { ...PROPOSAL.proposer, metadata: { ...METADATA, description: null } } },
  ])('a proposal with %j is shown, because null is absent', change => {
    const { after, said } = proposed({ ...PROPOSAL, ...change })
    expect(said).toEqual([])
    expect(after.proposals).toHaveLength(1)
  })

  test.each([
    ['a chain that the wallet does not have', { requiredNamespaces: eip155({ chains: ['eip155:5'] }) }, 5100],
    ['a chain of another namespace', { requiredNamespaces: eip155({ chains: ['solana:1'] }) }, 5100],
    ['an invalid chain', { optionalNamespaces: eip155({ chains: ['one'] }) }, 5100],
    [
      'chains in a key that is itself a chain',
      { requiredNamespaces: { 'eip155:1': { chains: ['eip155:5'], methods: [], events: [] } } },
      5100,
    ],
    ['no chain in common', { optionalNamespaces: eip155({ chains: ['eip155:5'] }) }, 5100],
    ['a method that the wallet does not have', { requiredNamespaces: eip155({ methods: ['eth_decrypt'] }) }, 5101],
    ['a method for pages only', { requiredNamespaces: eip155({ methods: ['eth_subscribe'] }) }, 5101],
    ['a method for pages under another prefix', { requiredNamespaces: eip155({ methods: ['chain_subscribe'] }) }, 5101],
    ['methods that are not a list', { requiredNamespaces: eip155({ methods: 'personal_sign' }) }, 5101],
    ['an unknown event', { requiredNamespaces: eip155({ events: ['blockMined'] }) }, 5102],
    ['events that are not strings', { optionalNamespaces: eip155({ events: [1] }) }, 5102],
    [
      'another namespace',
      { requiredNamespaces: { solana: { chains: ['solana:1'], methods: ['x'], events: [] } } },
      5104,
    ],
    [
      'only another namespace',
      { optionalNamespaces: { solana: { chains: ['solana:1'], methods: [], events: [] } }, requiredNamespaces: {} },
      5104,
    ],
    ['an invalid namespace', { requiredNamespaces: { 'Not One': { methods: [], events: [] } } }, 5104],
    ['namespaces that are a list', { requiredNamespaces: [] }, 5104],
    ['a namespace that is a string', { requiredNamespaces: { eip155: 'all' } }, 5104],
    ['no proposer', { proposer: undefined }, -32602],
    ['a key of the wrong length', { proposer: { publicKey: '00', metadata: METADATA } }, -32602],
    ['a key of low order', { proposer: { publicKey: '00'.repeat(32), metadata: METADATA } }, -32602],
    ['relays of another protocol', { relays: [{ protocol: 'waku' }] }, -32602],
    ['an expiry in the past', { expiryTimestamp: NOW / 1000 - 1 }, 8000],
    ['an invalid expiry', { expiryTimestamp: 'soon' }, -32602],
  ])('a proposal with %s is refused automatically', (_, change, code) => {
    const { after, said, id } = proposed({ ...PROPOSAL, ...change })
    expect(said).toMatchObject([{ id, tag: 1121, ttl: 300, error: { code } }])
    expect(after.proposals).toEqual([])
    expect(after.pairings).toEqual([])
    expect(after.usedLinks).toMatchObject([{ topic: LINK.topic, failure: { code } }])
  })

  test.each([
    ['wc_pairingPing', 1003],
    ['wc_pairingDelete', 1001],
  ])('%s is answered', (method, tag) => {
    const state = paired()
    const { said } = peerAsks(state, onlyPairing(state), method, {})
    expect(said).toMatchObject([{ tag, result: true }])
  })

  test('a deleted pairing is removed with its proposals', () => {
    const { after } = proposed()
    expect(peerAsks(after, onlyPairing(after), 'wc_pairingDelete', {}).after).toMatchObject({
      pairings: [],
      proposals: [],
    })
  })

  test.each([
    ['wc_sessionAuthenticate', 1119],
    ['wc_pairingExtend', 1005],
    ['wc_sessionRequest', 1109],
    ['anything', 0],
  ])('%s is not supported on a pairing', (method, tag) => {
    const state = paired()
    const { said } = peerAsks(state, onlyPairing(state), method, {})
    expect(said).toMatchObject([{ tag, error: { code: 10001 } }])
  })

  test('proposals beyond the maximum are refused', () => {
    let state = paired()
    for (let count = 0; count < 5; count++)
      state = peerAsks(state, onlyPairing(state), 'wc_sessionPropose', PROPOSAL).after
    const { said, after } = peerAsks(state, onlyPairing(state), 'wc_sessionPropose', PROPOSAL)
    expect(said).toMatchObject([{ error: { code: -32005 } }])
    expect(after.proposals).toHaveLength(5)
  })
})

describe('approving and rejecting', () => {
  test('the response is sent first, on the pairing topic, then the settlement, on the session topic', () => {
    const { after, id } = proposed()
    const [proposal] = after.proposals
    if (!proposal) throw new Error('no proposal')
    const approval = { namespaces: grant([ADDRESS], OFFER), endsAt: NOW + HOUR, metadata: METADATA }
    const state = approve(after, proposal, approval, NOW)
    const session = onlySession(state)
    expect(state.outbox.map(({ tag, topic }) => [tag, topic])).toEqual([
      [1101, LINK.topic],
      [1102, session.topic],
    ])
    expect(saidSince(after, state, LINK)).toMatchObject([
      { id, result: { relay: { protocol: 'irn' }, responderPublicKey: session.self } },
    ])
    expect(saidSince(after, state, session)).toMatchObject([
      {
        method: 'wc_sessionSettle',
        params: {
          relay: { protocol: 'irn' },
          controller: { publicKey: session.self, metadata: METADATA },
          expiry: (NOW + HOUR) / 1000,
          namespaces: {
            eip155: {
              chains: ['eip155:1'],
              accounts: [`eip155:1:${ADDRESS}`],
              methods: ['personal_sign'],
              events: ['accountsChanged', 'chainChanged'],
            },
          },
        },
      },
    ])
    expect(session.isAcknowledged).toBe(false)
  })

  const required = { eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: ['chainChanged'] } }
  test.each([
    ['chains', { ...OFFER, chainIds: [31337] }, 5001],
    ['methods', { ...OFFER, methods: [] }, 5002],
    ['events', { ...OFFER, events: [] }, 5003],
    ['accounts', { ...OFFER, chainIds: [] }, 5103],
  ])('an approval without the required %s fails', (_, offer, code) => {
    expect(() => settled(offer, { ...PROPOSAL, requiredNamespaces: required })).toThrow(
      expect.objectContaining({ code }),
    )
  })

  test('a refused settlement ends the session', () => {
    const { after } = proposed()
    const [proposal] = after.proposals
    if (!proposal) throw new Error('no proposal')
    const state = approve(
      after,
      proposal,
      { namespaces: grant([ADDRESS], OFFER), endsAt: null, metadata: METADATA },
      NOW,
    )
    const session = onlySession(state)
    expect(peerRefuses(state, session, session.sent[0]?.id ?? 0, 7000).sessions).toEqual([])
  })

  test('a rejection by the user is 5000 with its own tag', () => {
    const { after, id } = proposed()
    const [proposal] = after.proposals
    if (!proposal) throw new Error('no proposal')
    const state = rejectProposal(after, proposal, NOW)
    expect(saidSince(after, state, LINK)).toMatchObject([{ id, tag: 1120, error: { code: 5000 } }])
    expect(state.proposals).toEqual([])
  })
})

describe('on the topic of a session', () => {
  test('a request waits and is answered once', () => {
    const { after, said, id } = ask(settled(), 'wc_sessionRequest', call())
    expect(said).toEqual([])
    expect(after.requests).toMatchObject([
      { id: `${id}`, method: 'personal_sign', chainId: 1, expiresAt: NOW + 900_000 },
    ])
    const [request] = after.requests
    if (!request) throw new Error('no request')
    const answered = respond(after, request, { result: '0x01' }, NOW)
    const session = onlySession(answered)
    expect(saidSince(after, answered, session)).toMatchObject([{ id, tag: 1109, ttl: 900, result: '0x01' }])
    expect([session.approved, answered.requests]).toEqual([1, []])
    expect(respond(answered, request, { result: '0x02' }, NOW)).toBe(answered)
  })

  test('a request expires at its expiryTimestamp, or else after 15 minutes, but at the latest after seven days', () => {
    const endAfter = (seconds?: number) => {
      const expiry = seconds === undefined ? {} : { expiryTimestamp: NOW / 1000 + seconds }
      return ask(settled(), 'wc_sessionRequest', call({}, expiry)).after.requests[0]?.expiresAt
    }
    expect([endAfter(60), endAfter(), endAfter(30 * 86_400)]).toEqual([
      NOW + 60_000,
      NOW + 900_000,
      NOW + 7 * 24 * HOUR,
    ])
    const withNull = ask(settled(), 'wc_sessionRequest', call({}, { expiryTimestamp: null }))
    expect(withNull.after.requests).toMatchObject([{ expiresAt: NOW + 900_000 }])
    expect(ask(settled(), 'wc_sessionRequest', call({}, { expiryTimestamp: NOW / 1000 })).said).toMatchObject([
      { error: { code: 8000 } },
    ])
  })

  test('its response is kept until the request expires', () => {
    const expiryTimestamp = NOW / 1000 + 86_400
    const { after } = ask(settled(), 'wc_sessionRequest', call({}, { expiryTimestamp }))
    const [request] = after.requests
    if (!request) throw new Error('no request')
    const error = { code: 4001, message: 'no' }
    const answered = respond(after, request, { error }, NOW)
    expect(saidSince(after, answered, onlySession(after))).toMatchObject([{ ttl: 86_400, error }])
    expect(onlySession(answered).rejected).toBe(1)
  })

  const waiting = () => {
    const { after, id } = ask(settled(), 'wc_sessionRequest', call())
    const [request] = after.requests
    if (!request) throw new Error('no request')
    return { after, id, request }
  }

  test('a response too large for a relay is replaced by -32005, and an error keeps its code', () => {
    const { after, id, request } = waiting()
    const long = 'é'.repeat(MAX_ANSWER_SIZE / 2)
    const said = (outcome: Parameters<typeof respond>[2]) =>
      saidSince(after, respond(after, request, outcome, NOW), onlySession(after))
    expect(said({ result: long })).toMatchObject([{ id, tag: 1109, error: { code: -32005 } }])
    expect(said({ result: long.slice(100) })).toMatchObject([{ id, result: long.slice(100) }])
    expect(said({ error: { code: 3, message: 'reverted', data: long } })).toEqual([
      expect.objectContaining({ id, error: { code: 3, message: 'reverted' } }),
    ])
  })

  test('the newest messages for an unreachable relay are kept, up to the size limit', () => {
    let state = settled()
    for (let count = 0; count < 20; count++) {
      state = ask(state, 'wc_sessionRequest', call()).after
      const [request] = state.requests
      if (!request) throw new Error('no request')
      state = respond(state, request, { result: `${count}${'x'.repeat(MAX_ANSWER_SIZE - 100)}` }, NOW)
    }
    const size = state.outbox.reduce((sum, { message }) => sum + message.length, 0)
    expect(size).toBeLessThanOrEqual(MAX_OUTBOX_SIZE)
    expect(size).toBeGreaterThan(MAX_OUTBOX_SIZE - 2 * MAX_ANSWER_SIZE)
    expect(state.outbox.at(-1)?.id).toBe(state.lastId)
  })

  test.each([
    ['a chain outside the session', call({ chainId: 'eip155:31337' }), 3005],
    ['an invalid chain', call({ chainId: 'mainnet' }), 3005],
    ['a chain of another namespace', call({ chainId: 'solana:1' }), 3005],
    ['a method outside the session', call({}, { method: 'eth_sendTransaction' }), 3001],
    ['the name of an inherited property', call({}, { method: 'constructor' }), 3001],
    ['no method', call({}, { method: undefined }), -32602],
    ['a method that is not a string', call({}, { method: 7 }), -32602],
    ['no request', { chainId: 'eip155:1' }, -32602],
    ['no chain', { request: { method: 'personal_sign' } }, -32602],
    ['an array as params', [], -32602],
    ['an expiry in the past', call({}, { expiryTimestamp: NOW / 1000 }), 8000],
    ['an invalid expiry', call({}, { expiryTimestamp: 1.5 }), -32602],
    ['params over the size limit', call({}, { params: ['x'.repeat(600_000)] }), -32005],
  ])('a request with %s is rejected', (_, params, code) => {
    const { after, said, id } = ask(settled(), 'wc_sessionRequest', params)
    expect(said).toMatchObject([{ id, tag: 1109, error: { code } }])
    expect(after.requests).toEqual([])
  })

  test('a session has at most 20 open requests', () => {
    expect(MAX_REQUESTS).toBe(20)
    let state = settled()
    for (let count = 0; count < MAX_REQUESTS; count++) state = ask(state, 'wc_sessionRequest', call()).after
    const { said, after } = ask(state, 'wc_sessionRequest', call())
    expect(said).toMatchObject([{ error: { code: -32005 } }])
    expect(after.requests).toHaveLength(MAX_REQUESTS)
  })

  test.each([
    ['wc_sessionPing', {}, { tag: 1115, result: true }],
    ['wc_sessionExtend', {}, { tag: 1107, result: true }],
    ['wc_sessionUpdate', { namespaces: {} }, { tag: 1105, error: { code: 3003 } }],
    ['wc_sessionEvent', { event: {} }, { tag: 1111, error: { code: 3002 } }],
    ['wc_sessionSettle', {}, { tag: 1103, error: { code: 1005 } }],
    ['wc_sessionDelete', { code: 6000, message: 'bye' }, { tag: 1113, result: true }],
    ['wc_sessionPropose', PROPOSAL, { tag: 1121, error: { code: 10001 } }],
    ['wc_somethingNew', {}, { tag: 0, error: { code: 10001 } }],
    ['__proto__', {}, { tag: 0, error: { code: 10001 } }],
  ])('%s', (method, params, answer) => {
    const { said, id } = ask(settled(), method, params)
    expect(said).toMatchObject([{ id, ...answer }])
  })

  test('an app can extend the default seven days, but not an expiry that the user chose', () => {
    const later = { ...facts, now: NOW + HOUR }
    const usual = settled()
    expect(onlySession(ask(usual, 'wc_sessionExtend', {}, { at: later }).after).expiresAt).toBe(
      NOW + HOUR + 7 * 24 * HOUR,
    )
    const chosen = { ...usual, sessions: usual.sessions.map(session => ({ ...session, isEndFixed: true })) }
    const { after, said } = ask(chosen, 'wc_sessionExtend', {}, { at: later })
    expect(said).toMatchObject([{ error: { code: 3004 } }])
    expect(onlySession(after).expiresAt).toBe(NOW + 7 * 24 * HOUR)
  })

  test('a session that its peer deletes is removed with its requests', () => {
    const { after } = ask(settled(), 'wc_sessionRequest', call())
    expect(ask(after, 'wc_sessionDelete', { code: 6000, message: '' }).after).toMatchObject({
      sessions: [],
      requests: [],
    })
  })
})

describe('messages from the wallet', () => {
  test('changed namespaces are sent as an update, changed accounts and chains also as events', () => {
    const state = settled({ ...OFFER, chainIds: [1, 31337] })
    const session = onlySession(state)
    const second = `0x${'22'.repeat(20)}` as const
    const namespaces = regrant(session.namespaces, { chainIds: [31337], accounts: [second] })
    const after = update(state, session.topic, namespaces, NOW)
    expect(saidSince(state, after, session)).toMatchObject([
      { tag: 1104, method: 'wc_sessionUpdate', params: { namespaces } },
      {
        tag: 1110,
        method: 'wc_sessionEvent',
        params: { chainId: 'eip155:31337', event: { name: 'accountsChanged', data: [`eip155:31337:${second}`] } },
      },
      { tag: 1110, params: { chainId: 'eip155:31337', event: { name: 'chainChanged', data: 31337 } } },
    ])
    const ids = saidSince(state, after, session).map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  })

  test('switching to a chain outside the session, or to its current chain, changes nothing', () => {
    const state = settled()
    const { topic } = onlySession(state)
    expect(changeChain(state, topic, 31337, NOW)).toBe(state)
    expect(changeChain(state, topic, 1, NOW)).toBe(state)
  })

  test('extend, ping and disconnect', () => {
    const state = settled()
    const session = onlySession(state)
    const said = (after: SessionState) => saidSince(state, after, session)
    expect(said(extend(state, session.topic, NOW))).toMatchObject([{ tag: 1106, method: 'wc_sessionExtend' }])
    expect(said(ping(state, session.topic, NOW))).toMatchObject([{ tag: 1114, method: 'wc_sessionPing' }])
    const ended = disconnect(state, session.topic, NOW)
    expect(said(ended)).toMatchObject([{ tag: 1112, method: 'wc_sessionDelete', params: { code: 6000 } }])
    expect(ended.sessions).toEqual([])
  })

  test('a response to a ping updates the time the peer was last seen', () => {
    const state = settled()
    const asked = ping(state, onlySession(state).topic, NOW)
    const { sent } = onlySession(asked)
    const heard = peerAnswers(asked, onlySession(asked), sent[0]?.id ?? 0, true)
    expect(onlySession(heard)).toMatchObject({ lastSeen: NOW, sent: [] })
  })
})

describe('time', () => {
  test('requests decided in time do not expire', () => {
    const { after } = ask(settled(), 'wc_sessionRequest', call())
    expect(expire(after, NOW + HOUR, () => true).requests).toEqual(after.requests)
    expect(expire(after, NOW + HOUR, () => false).requests).toEqual([])
  })

  test('messages to an expired session or pairing are ignored', () => {
    const withSession = settled()
    for (const [state, channel] of [
      [withSession, onlySession(withSession)],
      [paired(), LINK],
    ] as const) {
      const text = encodeRequest(`${nextId()}`, 'wc_sessionPing', {})
      expect(receive(state, arrivalOf(channel, text), { ...facts, now: NOW + 8 * 24 * HOUR })).toBe(state)
    }
  })

  test('requests and proposals expire with 8000; pairings, sessions and outgoing messages expire silently', () => {
    const { after } = ask(settled(), 'wc_sessionRequest', call())
    const session = onlySession(after)
    const late = expire(after, NOW + HOUR)
    expect(saidSince(after, late, session)).toMatchObject([{ tag: 1109, error: { code: 8000 } }])
    expect(late).toMatchObject({ requests: [], sessions: [{ topic: session.topic }] })
    expect(expire(late, NOW + HOUR)).toBe(late)
    expect(expire(late, NOW + 31 * 24 * HOUR)).toMatchObject({ sessions: [], usedLinks: [], outbox: [] })
    const { after: undecided, id } = proposed()
    const over = expire(undecided, NOW + 5 * 60_000)
    expect(saidSince(undecided, over, LINK)).toMatchObject([{ id, tag: 1121, error: { code: 8000 } }])
    expect(over).toMatchObject({ proposals: [], pairings: [], usedLinks: [{ topic: LINK.topic, failure: null }] })
  })

  test('a pairing lasts as long as its proposal', () => {
    const state = paired()
    const at = { ...facts, now: NOW + 4 * 60_000 }
    const { after } = peerAsks(state, LINK, 'wc_sessionPropose', PROPOSAL, { at })
    expect(expire(after, NOW + 6 * 60_000)).toBe(after)
    expect(expire(after, NOW + 9 * 60_000)).toMatchObject({ pairings: [], proposals: [] })
  })

  test('nextExpiry returns the earliest expiry', () => {
    expect(nextExpiry(EMPTY, NOW)).toBe(Number.POSITIVE_INFINITY)
    expect(nextExpiry(paired(), NOW)).toBe(NOW + 5 * 60_000)
    const { after } = ask(settled(), 'wc_sessionRequest', call({}, { expiryTimestamp: NOW / 1000 + 60 }))
    expect(nextExpiry(after, NOW)).toBe(NOW + 60_000)
  })
})

describe('a link', () => {
  const link = (more = '') => {
    const symKey = randomBytes(32)
    return parsePairingUri(`wc:${topicOf(symKey)}@2?relay-protocol=irn&symKey=${hexOf(symKey)}${more}`)
  }
  const refused = (state: SessionState, uri = parsePairingUri(URI), now = NOW) =>
    expect(() => pair(state, uri, RELAY, now)).toThrow(expect.objectContaining({ code: -32602 }))
  const firstProposal = ({ proposals: [proposal] }: SessionState) => {
    if (!proposal) throw new Error('No proposal')
    return proposal
  }

  test('ends with the approval of its proposal, and messages on its topic are ignored', () => {
    const state = settled()
    expect(state.pairings).toEqual([])
    expect(peerAsks(state, LINK, 'wc_sessionPropose', PROPOSAL).after).toBe(state)
    refused(state)
  })

  test('a link counts as used after its proposal was approved, rejected or refused, or after it expired', () => {
    const { after } = proposed()
    for (const state of [
      rejectProposal(after, firstProposal(after), NOW),
      forgetPairing(after, LINK.topic, NOW),
      proposed({ ...PROPOSAL, relays: [{ protocol: 'waku' }] }).after,
      peerAsks(paired(), LINK, 'wc_pairingDelete', {}).after,
      settled(),
      expire(paired(), NOW + 5 * 60_000),
    ]) {
      expect(state).toMatchObject({ pairings: [], proposals: [], usedLinks: [{ topic: LINK.topic }] })
      refused(state)
    }
  })

  test('a used link stays used until its expiryTimestamp, or for 30 days without one', () => {
    const day = 24 * HOUR
    const ends = link(`&expiryTimestamp=${(NOW + day) / 1000}`)
    const waiting = pair(paired(), ends, RELAY, NOW)
    const used = expire(waiting, NOW + 5 * 60_000)
    expect(used.usedLinks).toMatchObject([{ topic: LINK.topic }, { topic: ends.topic }])
    refused(expire(used, NOW + day - 1), ends, NOW + day - 1)
    expect(expire(used, NOW + day).usedLinks).toMatchObject([{ topic: LINK.topic }])
    refused(used, ends, NOW + day)
    refused(expire(used, NOW + 29 * day), parsePairingUri(URI), NOW + 29 * day)
    expect(expire(used, NOW + 30 * day).usedLinks).toEqual([])
  })

  test('a link waits until its expiryTimestamp, but no longer than five minutes', () => {
    const endOf = (seconds: number) =>
      pair(EMPTY, link(`&expiryTimestamp=${NOW / 1000 + seconds}`), RELAY, NOW).pairings
    expect(endOf(60)).toMatchObject([{ expiresAt: NOW + 60_000 }])
    expect(endOf(3_600)).toMatchObject([{ expiresAt: NOW + 300_000 }])
    expect(paired().pairings).toMatchObject([{ expiresAt: NOW + 300_000 }])
    refused(EMPTY, link(`&expiryTimestamp=${NOW / 1000}`))
  })

  test('ends with the first approval, which rejects its other proposals with 5000', () => {
    const { after: first } = proposed()
    const { after, id } = peerAsks(first, LINK, 'wc_sessionPropose', PROPOSAL)
    const approval = { namespaces: grant([ADDRESS], OFFER), endsAt: null, metadata: METADATA }
    const state = approve(after, firstProposal(after), approval, NOW)
    expect(saidSince(after, state, LINK)).toMatchObject([{ result: {} }, { id, tag: 1120, error: { code: 5000 } }])
    expect(state).toMatchObject({ pairings: [], proposals: [] })
  })

  test('stays open while one of its proposals is undecided', () => {
    const { after: first } = proposed()
    const { after } = peerAsks(first, LINK, 'wc_sessionPropose', PROPOSAL)
    expect(rejectProposal(after, firstProposal(after), NOW)).toMatchObject({ pairings: [{ topic: LINK.topic }] })
    const bad = { ...PROPOSAL, relays: [{ protocol: 'waku' }] }
    expect(peerAsks(after, LINK, 'wc_sessionPropose', bad).after.pairings).toHaveLength(1)
  })

  test('can be paired again or moved to another relay until its proposal arrives', () => {
    const other = 'wss://other.example'
    const state = paired()
    expect(pair(state, parsePairingUri(URI), RELAY, NOW)).toBe(state)
    const moved = pair(state, parsePairingUri(URI), other, NOW + 1_000)
    expect(moved.pairings).toMatchObject([
      { topic: LINK.topic, relay: other, since: NOW + 1_000, expiresAt: NOW + 300_000 },
    ])
    expect(peerAsks(moved, LINK, 'wc_sessionPropose', PROPOSAL).after).toBe(moved)
    expect(peerAsks(moved, { ...LINK, relay: other }, 'wc_sessionPropose', PROPOSAL).after.proposals).toHaveLength(1)
    const { after } = proposed()
    expect(movePairing(after, LINK.topic, other, NOW)).toBe(after)
    expect(() => movePairing(EMPTY, LINK.topic, other, NOW)).toThrow(expect.objectContaining({ code: -32602 }))
  })

  test('can be paired again after it was cancelled without a proposal', () => {
    const state = forgetPairing(paired(), LINK.topic, NOW)
    expect(state).toMatchObject({ pairings: [], usedLinks: [] })
    expect(pair(state, parsePairingUri(URI), RELAY, NOW).pairings).toHaveLength(1)
  })

  test('at most 50 links can wait, and the last 200 used links are remembered', () => {
    const full = (state: SessionState): SessionState =>
      state.pairings.length < MAX_PAIRINGS ? full(pair(state, link(), RELAY, NOW)) : state
    const state = full(EMPTY)
    expect(() => pair(state, link(), RELAY, NOW)).toThrow(expect.objectContaining({ code: -32005 }))
    const fill = (from: SessionState): SessionState =>
      from.usedLinks.length < MAX_USED_LINKS ? fill(expire(full(from), NOW + HOUR)) : from
    const used = fill(EMPTY)
    const after = expire(pair(used, link(), RELAY, NOW), NOW + HOUR)
    expect(after.usedLinks.map(({ topic }) => topic).slice(0, -1)).toEqual(
      used.usedLinks.map(({ topic }) => topic).slice(1),
    )
  })
})

describe("the wallet's own messages, returned by a relay, are ignored", () => {
  const handedBack = (before: SessionState, said: SessionState) => {
    const own = said.outbox.filter(({ id }) => !before.outbox.some(outgoing => outgoing.id === id))
    expect(own.length).toBeGreaterThan(0)
    return own.map(({ relay, topic, message }) => receive(said, { relay, topic, message }, facts))
  }

  test('the settlement and the response to the proposal', () => {
    const { after } = proposed()
    const [first] = after.proposals
    if (!first) throw new Error('no proposal')
    const approval = { namespaces: grant([ADDRESS], OFFER), endsAt: null, metadata: METADATA }
    const state = approve(after, first, approval, NOW)
    for (const echoed of handedBack(after, state)) expect(echoed).toBe(state)
    expect(onlySession(state).isAcknowledged).toBe(false)
  })

  test.each([
    ['a ping', (state: SessionState) => ping(state, onlySession(state).topic, NOW)],
    ['an extension', (state: SessionState) => extend(state, onlySession(state).topic, NOW)],
    ['a result', (state: SessionState) => ask(state, 'wc_sessionPing', {}).after],
    ['an error', (state: SessionState) => ask(state, 'wc_sessionUpdate', {}).after],
  ])('%s', (_, say) => {
    const state = settled()
    const said = say(state)
    for (const echoed of handedBack(state, said)) expect(echoed).toBe(said)
  })

  test('a response on the pairing', () => {
    const state = paired()
    const { after } = peerAsks(state, LINK, 'wc_pairingPing', {})
    for (const echoed of handedBack(state, after)) expect(echoed).toBe(after)
  })
})

describe('no input from a relay or peer throws or counts twice', () => {
  test('a message counts once, even in another envelope', () => {
    const state = settled()
    const session = onlySession(state)
    const text = encodeRequest(`${nextId()}`, 'wc_sessionRequest', call())
    const arrival = arrivalOf(session, text)
    const once = receive(state, arrival, facts)
    expect(receive(once, arrival, facts)).toBe(once)
    expect(receive(once, arrivalOf(session, text), facts).requests).toEqual(once.requests)
    // A repeated request does not count even after it was answered.
    const [request] = once.requests
    if (!request) throw new Error('no request')
    const answered = respond(once, request, { result: true }, NOW)
    expect(receive(answered, arrivalOf(session, text), facts).requests).toEqual([])
  })

  test('a message with another topic, relay or key is ignored', () => {
    const state = settled()
    const session = onlySession(state)
    const text = encodeRequest(`${nextId()}`, 'wc_sessionPing', {})
    const { topic, symKey } = session
    expect(receive(state, { ...arrivalOf(session, text), topic: '00'.repeat(32) }, facts)).toBe(state)
    expect(receive(state, { ...arrivalOf(session, text), relay: 'wss://other.example' }, facts)).toBe(state)
    expect(receive(state, { ...arrivalOf(session, text), topic: LINK.topic }, facts)).toBe(state)
    expect(
      receive(state, { relay: RELAY, topic, message: sealEnvelope(text, hexToBytes('33'.repeat(32))) }, facts),
    ).toBe(state)
    const typeOne = sealEnvelopeFrom(text, hexToBytes(symKey), hexToBytes(PEER_KEY))
    expect(receive(state, { relay: RELAY, topic, message: typeOne }, facts)).toBe(state)
  })

  test.each([
    '',
    'null',
    '[]',
    '{}',
    '"text"',
    '{"id":1}',
    '{"jsonrpc":"2.0","method":"wc_sessionPing","params":{}}',
    '{"id":"one","jsonrpc":"2.0","method":"wc_sessionPing","params":{}}',
    '{"id":-1,"jsonrpc":"2.0","method":"wc_sessionPing","params":{}}',
    '{"id":1.5,"jsonrpc":"2.0","method":"wc_sessionPing","params":{}}',
    '{"id":null,"jsonrpc":"2.0","method":"wc_sessionPing","params":{}}',
    '{"id":1,"jsonrpc":"2.0","method":"wc_sessionPing","params":"x"}',
    '{"id":1,"jsonrpc":"1.0","method":"wc_sessionPing"}',
    '{"id":1,"jsonrpc":"2.0","result":true}',
    '{"id":1,"jsonrpc":"2.0","error":{"code":"x"}}',
    '[{"id":1,"jsonrpc":"2.0","method":"wc_sessionPing","params":{}}]',
    `${'['.repeat(1000)}${']'.repeat(1000)}`,
  ])('%j with the right key changes nothing and gets no response', text => {
    const state = settled()
    const after = receive(state, arrivalOf(onlySession(state), text), facts)
    expect({ ...after, sessions: [] }).toEqual({ ...state, sessions: [] })
  })

  test('envelopes with any bytes', () => {
    const state = settled()
    const { topic } = onlySession(state)
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), message => {
        expect(receive(state, { relay: RELAY, topic, message }, facts)).toBe(state)
      }),
    )
  })

  test('params of any shape for every method', () => {
    const state = settled()
    const methods = ['wc_sessionRequest', 'wc_sessionExtend', 'wc_sessionUpdate', 'wc_sessionDelete', 'x']
    const params = fc.oneof(
      fc.object(),
      fc.array(fc.anything()),
      fc.record({ chainId: fc.anything(), request: fc.object() }),
    )
    fc.assert(
      fc.property(fc.constantFrom(...methods), params, (method, value) => {
        const readable = JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? 0 : one)))
        expect(ask(state, method, readable).said).toHaveLength(1)
      }),
    )
  })

  test('proposals of any shape', () => {
    const state = paired()
    const namespaces = fc.oneof(
      fc.object(),
      fc.dictionary(fc.constantFrom('eip155', 'eip155:1', '__proto__', 'x'), fc.object()),
    )
    const proposals = fc.record({
      proposer: fc.oneof(fc.object(), fc.constant(PROPOSAL.proposer)),
      requiredNamespaces: namespaces,
    })
    fc.assert(
      fc.property(proposals, value => {
        const readable = JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? 0 : one)))
        const { after, said } = peerAsks(state, onlyPairing(state), 'wc_sessionPropose', readable)
        expect(after.proposals.length + said.length).toBe(1)
      }),
    )
  })
})
