import { describe, expect, test } from 'vitest'
import { ADDRESS, NOW } from '../wallet.fixture.ts'
import { approve } from './approve.ts'
import { disconnect, expire, extend, ping, update } from './changes.ts'
import { type SessionCode, sessionCodes } from './codes.ts'
import { grant, type Offer } from './namespaces.ts'
import { rejectProposal } from './pairing.ts'
import {
  facts,
  LINK,
  METADATA,
  OFFER,
  onlyPairing,
  onlySession,
  PROPOSAL,
  paired,
  peerAnswers,
  peerAsks,
  peerRefuses,
  proposed,
  saidSince,
  settled,
} from './session.fixture.ts'
import type { Channel, SessionState } from './state.ts'

/** All of the protocol's error codes. https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes */
const TABLE = [
  ...[1001, 1002, 1003, 1004, 1005, 3001, 3002, 3003, 3004, 3005, 4001, 4100, 5000, 5001, 5002, 5003],
  ...[5100, 5101, 5102, 5103, 5104, 6000, 7000, 7001, 8000, 10001, 11001, 11002, 11003, 11004, 11005, 11006],
  ...[12001, 12002],
]

const wanting = (wanted: object) => ({ eip155: { chains: ['eip155:1'], methods: [], events: [], ...wanted } })

/** Returns the code of the wallet's only message on the channel. */
const saidTo = (channel: Channel, before: SessionState, after: SessionState): number | undefined => {
  const [said, ...more] = saidSince(before, after, channel)
  expect(more).toEqual([])
  return said?.error?.code
}
const inSession = (method: string, params: unknown, change: (state: SessionState) => SessionState = state => state) => {
  const state = change(settled())
  return peerAsks(state, onlySession(state), method, params).said[0]?.error?.code
}
const onProposal = (change: object) => proposed({ ...PROPOSAL, ...change }).said[0]?.error?.code

const call = (chainId: string, method: string) => ({ chainId, request: { method, params: [] } })

const first = <T>([one]: readonly T[]): T => {
  if (one === undefined) throw new Error('Not found')
  return one
}

/** Returns the error that the page gets for an approval that lacks a required part. */
const approvingWith = (offer: Offer): unknown => {
  const requiredNamespaces = wanting({ methods: ['personal_sign'], events: ['chainChanged'] })
  const { after } = proposed({ ...PROPOSAL, requiredNamespaces })
  const approval = { namespaces: grant([ADDRESS], offer), endsAt: null, metadata: METADATA }
  try {
    approve(after, first(after.proposals), approval, NOW)
  } catch (thrown) {
    return (thrown as { code: unknown }).code
  }
  return undefined
}

/** An action that triggers each code. */
const causes: Record<SessionCode, () => unknown> = {
  invalidSettle: () => inSession('wc_sessionSettle', {}),
  unauthorizedMethod: () => inSession('wc_sessionRequest', call('eip155:1', 'eth_sendTransaction')),
  unauthorizedEvent: () => inSession('wc_sessionEvent', {}),
  unauthorizedUpdate: () => inSession('wc_sessionUpdate', { namespaces: {} }),
  unauthorizedExtend: () =>
    inSession('wc_sessionExtend', {}, state => ({
      ...state,
      sessions: state.sessions.map(session => ({ ...session, isEndFixed: true })),
    })),
  unauthorizedChain: () => inSession('wc_sessionRequest', call('eip155:31337', 'personal_sign')),
  userRejected: () => {
    const { after } = proposed()
    return saidTo(LINK, after, rejectProposal(after, first(after.proposals), NOW))
  },
  userRejectedChains: () => approvingWith({ ...OFFER, chainIds: [31337] }),
  userRejectedMethods: () => approvingWith({ ...OFFER, methods: [] }),
  userRejectedEvents: () => approvingWith({ ...OFFER, events: [] }),
  unsupportedChains: () => onProposal({ requiredNamespaces: wanting({ chains: ['eip155:5'] }) }),
  unsupportedMethods: () => onProposal({ requiredNamespaces: wanting({ methods: ['eth_decrypt'] }) }),
  unsupportedEvents: () => onProposal({ requiredNamespaces: wanting({ events: ['blockMined'] }) }),
  unsupportedAccounts: () => approvingWith({ ...OFFER, chainIds: [] }),
  unsupportedNamespaceKey: () =>
    onProposal({ requiredNamespaces: { solana: { chains: ['solana:1'], methods: [], events: [] } } }),
  userDisconnected: () => {
    const state = settled()
    const session = onlySession(state)
    const [said] = saidSince(state, disconnect(state, session.topic, NOW), session)
    return (said?.params as { code: number } | undefined)?.code
  },
  requestExpired: () => {
    const state = settled()
    const { after } = peerAsks(state, onlySession(state), 'wc_sessionRequest', call('eip155:1', 'personal_sign'))
    return saidTo(onlySession(after), after, expire(after, NOW + 60 * 60_000))
  },
  methodUnsupported: () => inSession('wc_somethingNew', {}),
}

test('every error code has a trigger', () => {
  const codes = Object.entries(sessionCodes).map(([name, [code]]) => [name, code])
  expect(codes.map(([name]) => [name, causes[name as SessionCode]()])).toEqual(codes)
  for (const [, code] of codes) expect(TABLE).toContain(code)
})

describe.each(TABLE)("a peer's error %d", code => {
  test('in response to the settlement ends the session', () => {
    const { after } = proposed()
    const approval = { namespaces: grant([ADDRESS], OFFER), endsAt: null, metadata: METADATA }
    const state = approve(after, first(after.proposals), approval, NOW)
    const session = onlySession(state)
    const refused = peerRefuses(state, session, first(session.sent).id, code)
    expect(refused.sessions).toEqual([])
    expect(refused.outbox).toEqual(state.outbox)
  })

  test.each([
    ['a ping', (state: SessionState) => ping(state, onlySession(state).topic, NOW)],
    ['an extension', (state: SessionState) => extend(state, onlySession(state).topic, NOW)],
    ['an update', (state: SessionState) => update(state, onlySession(state).topic, onlySession(state).namespaces, NOW)],
  ])('in response to %s keeps the session and gets no response', (_, say) => {
    const state = say(settled())
    const session = onlySession(state)
    const { id } = first(session.sent)
    const refused = peerRefuses(state, session, id, code)
    expect(refused.sessions).toMatchObject([{ topic: session.topic, lastSeen: facts.now, sent: [] }])
    expect(refused.outbox).toEqual(state.outbox)
    // A second response to the same request is ignored.
    expect(onlySession(peerAnswers(refused, session, id, true)).sent).toEqual([])
  })

  test('without a matching request is ignored', () => {
    for (const [state, channel] of [
      [settled(), onlySession(settled())],
      [paired(), onlyPairing(paired())],
    ] as const) {
      const { sessions, pairings, proposals, outbox } = peerRefuses(state, channel, 1, code)
      expect([sessions.length, pairings.length, proposals, outbox]).toEqual([
        state.sessions.length,
        state.pairings.length,
        state.proposals,
        state.outbox,
      ])
    }
  })
})
