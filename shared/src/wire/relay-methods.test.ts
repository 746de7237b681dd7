import { describe, expect, test } from 'vitest'
import { parseParams } from './params.ts'
import { MAX_ITEMS, MAX_TTL, relaySchemas, sessionSchemas, subscriptionSchema } from './relay-methods.ts'

const DEFAULT_TTL = 300

const hash = '85849be3'.repeat(8)
const relay = relaySchemas('relay')
const irn = relaySchemas('irn')

describe('topics', () => {
  test.each(['a', 'any text, żółw 😀', 'x'.repeat(256), hash, 'cb0f5d62-04b5-4e80-b1cf-5a9a33a9a9a9'])(
    'relay_ takes %j',
    topic => {
      expect(parseParams({ topic }, relay.subscribe)).toEqual({ topic })
    },
  )

  test.each(['', 'x'.repeat(257), 'a\nb', '\u0000', '\u007f', 'a\ud800', 1, null, undefined])(
    'relay_ refuses %j',
    topic => {
      expect(() => parseParams({ topic }, relay.subscribe)).toThrow('params.topic: ')
    },
  )

  test.each(['a', hash.toUpperCase(), hash.slice(1), `${hash}0`, `${hash}\n`, ''])('irn_ refuses %j', topic => {
    expect(() => parseParams({ topic }, irn.subscribe)).toThrow('params.topic: must be 64 lower-case hex digits')
  })
})

describe('ttl', () => {
  const publish = (schema: typeof relay.publish | typeof irn.publish, ttl: unknown) =>
    parseParams({ topic: hash, message: 'm', ttl }, schema).ttl

  test.each([1, 300, MAX_TTL])('relay_ accepts %j', ttl => {
    expect(publish(relay.publish, ttl)).toBe(ttl)
  })

  test.each([0, -1, 1.5, MAX_TTL + 1, Number.POSITIVE_INFINITY, '300', true, null, undefined])(
    'relay_ refuses %j',
    ttl => {
      expect(() => publish(relay.publish, ttl)).toThrow('params.ttl: ')
    },
  )

  test.each([
    [300, 300],
    [604800, 604800],
    [0, 1],
    [-7, 1],
    [0.5, 1],
    [30.9, 30],
    [MAX_TTL + 1, MAX_TTL],
    [Number.POSITIVE_INFINITY, MAX_TTL],
    [null, DEFAULT_TTL],
    [undefined, DEFAULT_TTL],
  ])('irn_ clamps %j to %j', (ttl, expected) => {
    expect(publish(irn.publish, ttl)).toBe(expected)
  })

  test('irn_ refuses a ttl that is not a number', () => {
    expect(() => publish(irn.publish, '300')).toThrow('params.ttl: must be of type number')
  })
})

describe('publish', () => {
  test('relay_publish requires topic, message and ttl, and calls the webhook', () => {
    expect(parseParams({ topic: 'a', message: '', ttl: 60 }, relay.publish)).toEqual({
      topic: 'a',
      message: '',
      ttl: 60,
      tag: 0,
      prompt: true,
      attestation: '',
    })
    expect(() => parseParams({ topic: 'a', ttl: 60 }, relay.publish)).toThrow('params.message: is missing')
    expect(() => parseParams({ topic: 'a', message: 'm' }, relay.publish)).toThrow('params.ttl: is missing')
  })

  test('irn_publish keeps tag, prompt and attestation and drops the analytics', () => {
    const sent = {
      topic: hash,
      message: 'AI4iDUVL',
      ttl: 900,
      prompt: true,
      tag: 1108,
      attestation: 'ey',
      correlationId: 1795224905785126,
      rpcMethods: ['personal_sign'],
      chainId: 'eip155:1',
      txHashes: null,
      contractAddresses: [],
    }
    expect(parseParams(sent, irn.publish)).toEqual({
      topic: hash,
      message: 'AI4iDUVL',
      ttl: 900,
      prompt: true,
      tag: 1108,
      attestation: 'ey',
    })
  })

  test('accepts a missing tag and prompt, as betas send them, and null from iOS and Android', () => {
    const parsed = { topic: hash, message: 'm', ttl: 300, tag: 0, prompt: false, attestation: '' }
    expect(parseParams({ topic: hash, message: 'm', ttl: 300 }, irn.publish)).toEqual(parsed)
    const nulls = { topic: hash, message: 'm', ttl: 300, tag: null, prompt: null, attestation: null }
    expect(parseParams(nulls, irn.publish)).toEqual(parsed)
  })

  test.each([-1, 1.5, 2 ** 32, '1108'])('a tag of %j is refused', tag => {
    expect(() => parseParams({ topic: hash, message: 'm', tag }, irn.publish)).toThrow('params.tag: ')
  })

  test('refuses text that is not well-formed Unicode, without quoting it', () => {
    expect(() => parseParams({ topic: 'a', message: 'SECRET\ud800', ttl: 1 }, relay.publish)).toThrow(
      /^params\.message: must be well-formed Unicode text$/,
    )
  })
})

describe('unsubscribe', () => {
  test('relay_unsubscribe requires the subscription id', () => {
    expect(parseParams({ topic: 'a', id: 'b' }, relay.unsubscribe)).toEqual({ topic: 'a', id: 'b' })
    expect(() => parseParams({ topic: 'a' }, relay.unsubscribe)).toThrow('params.id: is missing')
    expect(() => parseParams({ topic: 'a', id: 1 }, relay.unsubscribe)).toThrow('params.id: must be of type string')
  })

  test('irn_unsubscribe accepts a missing id, as iOS sends it', () => {
    expect(parseParams({ topic: hash }, irn.unsubscribe)).toEqual({ topic: hash })
  })
})

describe('batch methods', () => {
  const topics = Array.from({ length: MAX_ITEMS }, () => hash)
  const receipt = { topic: hash, messageId: hash }

  test.each([
    ['batchSubscribe', 'topics', topics],
    ['batchFetchMessages', 'topics', topics],
    ['batchUnsubscribe', 'subscriptions', topics.map(topic => ({ topic, id: 's' }))],
    ['batchReceive', 'receipts', topics.map(() => receipt)],
  ] as const)(
    '%s takes a list of %s that is empty or has the maximum length, but no longer list',
    (name, member, items) => {
      for (const schemas of [relay, irn]) {
        expect(parseParams({ [member]: [] }, schemas[name])).toEqual({ [member]: [] })
        expect(parseParams({ [member]: items }, schemas[name])).toEqual({ [member]: items })
        expect(() => parseParams({ [member]: [...items, items[0]] }, schemas[name])).toThrow(
          `params.${member}: must have at most 500 items`,
        )
        expect(() => parseParams({}, schemas[name])).toThrow(`params.${member}: is missing`)
      }
    },
  )

  test('checks items like single params and names the place in errors', () => {
    const good = { topic: hash, message: 'm', ttl: 0 }
    expect(parseParams({ messages: [good] }, irn.batchPublish)).toEqual({ messages: [parseParams(good, irn.publish)] })
    expect(() => parseParams({ messages: [good] }, relay.batchPublish)).toThrow('params.messages[0].ttl: ')
    expect(() => parseParams({ topics: [hash, 'a'] }, irn.batchSubscribe)).toThrow(
      'params.topics[1]: must be 64 lower-case hex digits',
    )
    expect(parseParams({ subscriptions: [{ topic: hash }] }, irn.batchUnsubscribe)).toEqual({
      subscriptions: [{ topic: hash }],
    })
    expect(() => parseParams({ subscriptions: [{ topic: 'a' }] }, relay.batchUnsubscribe)).toThrow(
      'params.subscriptions[0].id: is missing',
    )
    expect(() => parseParams({ receipts: [{ topic: 'a', messageId: 'a' }] }, relay.batchReceive)).toThrow(
      'params.receipts[0].messageId: must be 64 lower-case hex digits',
    )
  })

  test('a receipt has a hash or a number, also under the name used in Rust', () => {
    const read = (receipt: object) =>
      parseParams({ receipts: [{ topic: hash, ...receipt }] }, irn.batchReceive).receipts
    expect(read({ messageId: 12 })).toEqual([{ topic: hash, messageId: 12 }])
    expect(read({ message_id: 12 })).toEqual([{ topic: hash, messageId: 12 }])
    expect(() => read({ messageId: 1.5 })).toThrow('params.receipts[0].messageId: must be a whole number below 2^53')
    expect(() => read({})).toThrow('params.receipts[0].messageId: is missing')
  })
})

describe('sessions', () => {
  const approval = {
    sessionTopic: hash,
    pairingTopic: hash,
    sessionProposalResponse: 'ALjVrQz1',
    sessionSettlementRequest: 'AHbRSgEN',
  }

  test('Android and iOS propose and approve without a ttl, and analytics are dropped', () => {
    expect(
      parseParams({ pairingTopic: hash, sessionProposal: 'AEVw', correlationId: 1 }, sessionSchemas.wc_proposeSession),
    ).toEqual({ pairingTopic: hash, sessionProposal: 'AEVw', ttl: DEFAULT_TTL, attestation: '' })
    expect(
      parseParams(
        {
          ...approval,
          approvedChains: ['eip155:1'],
          sessionProperties: null,
        },
        sessionSchemas.wc_approveSession,
      ),
    ).toEqual({ ...approval, ttl: DEFAULT_TTL })
  })

  test.each(Object.keys(approval))('wc_approveSession without %s is refused', member => {
    expect(() => parseParams({ ...approval, [member]: undefined }, sessionSchemas.wc_approveSession)).toThrow(
      `params.${member}: is missing`,
    )
  })
})

test('a push has the subscription id and the data; other members are ignored', () => {
  expect(parseParams({ id: 's', data: { topic: 'a', message: 'm' } }, subscriptionSchema)).toEqual({
    id: 's',
    data: { topic: 'a', message: 'm', tag: 0, attestation: '' },
  })
  const data = { topic: hash, message: 'm', publishedAt: 1795224905436, tag: 1100, attestation: 'ey', extra: 1 }
  expect(parseParams({ id: 's', data }, subscriptionSchema)).toMatchObject({
    data: { publishedAt: 1795224905436, tag: 1100 },
  })
  expect(() => parseParams({ id: 's', data: { topic: 'a' } }, subscriptionSchema)).toThrow(
    'params.data.message: is missing',
  )
})
