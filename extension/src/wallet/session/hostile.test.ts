import { sealEnvelope } from '@heliograph/shared/wire/envelope'
import { encodeRequest } from '@heliograph/shared/wire/json-rpc'
import { hexToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ADDRESS, NOW } from '../wallet.fixture.ts'
import { extend, ping } from './changes.ts'
import { receive } from './receive.ts'
import {
  arrivalOf,
  facts,
  nextId,
  onlyPairing,
  onlySession,
  PROPOSAL,
  paired,
  peerAsks,
  RELAY,
  settled,
} from './session.fixture.ts'
import type { SessionState } from './state.ts'

const CALL = { chainId: 'eip155:1', request: { method: 'personal_sign', params: ['0x00', ADDRESS] } }

/** Changes bytes of an envelope. */
const broken = (message: string) => {
  const bytes = base64.decode(message)
  const at = fc.nat(bytes.length - 1)
  return fc
    .oneof(
      fc
        .tuple(at, fc.integer({ min: 1, max: 255 }))
        .map(([place, bits]) => bytes.map((byte, i) => (i === place ? byte ^ bits : byte))),
      at.map(length => bytes.slice(0, length)),
      fc.uint8Array({ minLength: 1, maxLength: 40 }).map(more => Uint8Array.of(...bytes, ...more)),
      fc.uint8Array({ minLength: 1, maxLength: 40 }).map(more => Uint8Array.of(...more, ...bytes)),
      at.map(place => bytes.filter((_, i) => i !== place)),
    )
    .map(altered => base64.encode(altered))
}

/** Encodes the same bytes in ways that the protocol does not allow. */
const miswritten = (message: string): string[] => [
  message.replace(/=*$/, '') === message ? `${message}=` : message.replace(/=*$/, ''),
  ` ${message}`,
  `${message}\n`,
  `${message.slice(0, 20)} ${message.slice(20)}`,
  Buffer.from(base64.decode(message)).toString('hex'),
  encodeURIComponent(`+${message}`),
]

/** Replaces a part of a value with any JSON value. */
const altered = (value: unknown): fc.Arbitrary<unknown> => {
  const paths: string[][] = []
  const walk = (one: unknown, path: string[]) => {
    paths.push(path)
    if (typeof one === 'object' && one !== null)
      for (const [key, next] of Object.entries(one)) walk(next, [...path, key])
  }
  walk(value, [])
  const put = (one: unknown, [key, ...rest]: string[], other: unknown): unknown => {
    if (key === undefined) return other
    const changed = put(Reflect.get(one as object, key), rest, other)
    return Array.isArray(one) ? Object.assign([...one], { [key]: changed }) : { ...(one as object), [key]: changed }
  }
  return fc.tuple(fc.constantFrom(...paths), fc.jsonValue()).map(([path, other]) => put(value, path, other))
}

describe('an envelope', () => {
  const state = settled()
  const session = onlySession(state)
  const { message } = arrivalOf(session, encodeRequest(`${nextId()}`, 'wc_sessionRequest', CALL))
  const arriving = (text: string) => receive(state, { relay: RELAY, topic: session.topic, message: text }, facts)

  test('is accepted unchanged', () => {
    expect(arriving(message).requests).toHaveLength(1)
  })

  test('with any change is dropped', () => {
    fc.assert(fc.property(broken(message), text => void expect(arriving(text)).toBe(state)))
  })

  test.each(miswritten(message))('in the invalid encoding %j is dropped', text => {
    expect(arriving(text)).toBe(state)
  })

  test('whose content is not UTF-8 is dropped', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 }).map(all => String.fromCharCode(0xd800, ...all))
    fc.assert(
      fc.property(bytes, text => {
        const after = arriving(sealEnvelope(text, hexToBytes(session.symKey)))
        expect([after.requests, after.outbox]).toEqual([state.requests, state.outbox])
      }),
    )
  })
})

/** Checks that the state is intact, with exactly one new request or one response. */
const expectOne = (before: SessionState, { after, said }: { after: SessionState; said: unknown[] }) => {
  const taken = after.requests.length - before.requests.length + after.proposals.length - before.proposals.length
  expect([taken, said.length]).toSatisfy(([asks, answers]: number[]) => (asks ?? 0) + (answers ?? 0) === 1)
  // The state can be stored.
  expect(JSON.parse(JSON.stringify(after))).toEqual(after)
}

describe('a valid message with one part replaced is accepted or rejected once', () => {
  test('a request', () => {
    const state = settled()
    fc.assert(
      fc.property(altered({ ...CALL, request: { ...CALL.request, expiryTimestamp: NOW / 1000 + 600 } }), params => {
        expectOne(state, peerAsks(state, onlySession(state), 'wc_sessionRequest', isParams(params) ? params : [params]))
      }),
    )
  })

  test('a proposal', () => {
    const state = paired()
    fc.assert(
      fc.property(altered({ ...PROPOSAL, expiryTimestamp: NOW / 1000 + 300 }), params => {
        expectOne(state, peerAsks(state, onlyPairing(state), 'wc_sessionPropose', isParams(params) ? params : [params]))
      }),
    )
  })

  test('all other methods, on both topics', () => {
    const methods = [
      ...['wc_pairingPing', 'wc_pairingExtend', 'wc_sessionAuthenticate', 'wc_sessionSettle', 'wc_sessionUpdate'],
      ...['wc_sessionExtend', 'wc_sessionEvent', 'wc_sessionPing', 'wc_sessionDelete', 'wc_pairingDelete'],
      ...['', 'constructor', '__proto__', 'wc_'],
    ]
    const [pairing, session] = [paired(), settled()]
    fc.assert(
      fc.property(
        fc.constantFrom(...methods),
        fc.boolean(),
        fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())),
        (method, isOnPairing, params) => {
          const state = isOnPairing ? pairing : session
          const channel = isOnPairing ? onlyPairing(state) : onlySession(state)
          expectOne(state, peerAsks(state, channel, method, params))
        },
      ),
    )
  })
})

/** Params must be an object or an array. Otherwise the frame is invalid. */
const isParams = (value: unknown): boolean => typeof value === 'object' && value !== null

describe('a frame of any shape', () => {
  const asking = () => {
    const state = settled()
    const { topic } = onlySession(state)
    return extend(ping(state, topic, NOW), topic, NOW)
  }
  const state = asking()
  const session = onlySession(state)
  const ids = session.sent.map(({ id }) => id)

  test('that responds to a request changes only that request', () => {
    const answers = fc.record({ result: fc.jsonValue(), error: fc.jsonValue() }, { requiredKeys: [] })
    fc.assert(
      fc.property(fc.constantFrom(...ids), answers, (id, answer) => {
        const after = receive(state, arrivalOf(session, JSON.stringify({ id, jsonrpc: '2.0', ...answer })), facts)
        expect(after).toMatchObject({ outbox: state.outbox, requests: [], proposals: [] })
        expect(onlySession(after)).toMatchObject({ namespaces: session.namespaces, expiresAt: session.expiresAt })
      }),
    )
  })

  test('does not throw', () => {
    const frame = { id: nextId(), jsonrpc: '2.0', method: 'wc_sessionRequest', params: CALL }
    fc.assert(
      fc.property(
        fc.oneof(
          altered(frame).map(value => JSON.stringify(value)),
          fc.json(),
          fc.string(),
        ),
        text => {
          const after = receive(state, arrivalOf(session, text), facts)
          expect(after.sessions).toHaveLength(1)
          expect(after.requests.length + after.outbox.length - state.outbox.length).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})
