import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type DecodedRpc,
  decodeJsonRpc,
  defaultRpcLimits,
  encodeError,
  encodeRequest,
  encodeResult,
  NO_ID,
} from './json-rpc.ts'

const frame = (members: string) => `{"jsonrpc":"2.0",${members}}`
const errorOf = (decoded: DecodedRpc) => (decoded.kind === 'invalid' ? [decoded.error.code, decoded.id] : decoded.kind)
const bytes = (text: string) => new TextEncoder().encode(text)

describe('requests', () => {
  test('a request has an id, a method and params', () => {
    expect(decodeJsonRpc(frame('"id":7,"method":"relay_subscribe","params":{"topic":"a"}'))).toEqual({
      kind: 'request',
      id: '7',
      method: 'relay_subscribe',
      params: { topic: 'a' },
    })
  })

  test('params may be absent', () => {
    expect(decodeJsonRpc(frame('"id":7,"method":"x"'))).toEqual({
      kind: 'request',
      id: '7',
      method: 'x',
      params: undefined,
    })
  })

  test('a notification has no id', () => {
    expect(decodeJsonRpc(frame('"method":"x","params":[]'))).toEqual({ kind: 'request', method: 'x', params: [] })
  })

  test('bytes and text decode to the same frame', () => {
    const text = frame('"id":"é","method":"zażółć","params":["😀"]')
    expect(decodeJsonRpc(bytes(text))).toEqual(decodeJsonRpc(text))
    expect(decodeJsonRpc(text)).toMatchObject({ id: '"é"', method: 'zażółć', params: ['😀'] })
  })

  test('ignores unknown members', () => {
    expect(decodeJsonRpc(frame('"id":1,"method":"x","params":[],"extra":{"id":2}'))).toMatchObject({
      kind: 'request',
      id: '1',
    })
  })
})

describe('ids', () => {
  test.each([
    '1778341964282845123',
    '-9223372036854775808',
    '0',
    '-0',
    '1.0',
    '1e3',
    '"1778341964282845123"',
    '""',
    '"\\u0031\\"\\\\"',
    '"a\\/b"',
    'null',
  ])('id %s is returned as written', id => {
    for (const text of [frame(`"id":${id},"method":"x"`), `{"method":"x","id" :\n\t${id} ,"jsonrpc":"2.0"}`])
      expect(decodeJsonRpc(text)).toMatchObject({ kind: 'request', id })
    expect(encodeResult(id, true)).toBe(`{"id":${id},"jsonrpc":"2.0","result":true}`)
    expect(decodeJsonRpc(encodeResult(id, true))).toEqual({ kind: 'response', id, result: true })
  })

  test.each(['true', '{}', '[]', '[1]', '{"id":1}'])('id %s is refused: -32600 with a null id', id => {
    expect(errorOf(decodeJsonRpc(frame(`"id":${id},"method":"x"`)))).toEqual([-32600, NO_ID])
  })

  test('ignores nested members named id', () => {
    const inner = '{"id":2,"x":[{"id":3},"\\"id\\":4",{"\\\\":{"id":5}}]}'
    expect(decodeJsonRpc(frame(`"params":${inner},"method":"\\"id\\":6","id":1`))).toMatchObject({ id: '1' })
    expect(decodeJsonRpc(frame(`"method":"x","params":${inner}`))).not.toHaveProperty('id')
  })

  test('the member name id may contain escapes', () => {
    expect(decodeJsonRpc('{"jsonrpc":"2.0","\\u0069\\u0064":12345678901234567890,"method":"x"}')).toMatchObject({
      id: '12345678901234567890',
    })
  })

  test('refuses duplicate members, which parsers interpret differently', () => {
    expect(errorOf(decodeJsonRpc(frame('"id":1,"id":2,"method":"x"')))).toEqual([-32600, NO_ID])
    expect(errorOf(decodeJsonRpc(frame('"id":1,"\\u0069d":1,"method":"x"')))).toEqual([-32600, NO_ID])
    expect(errorOf(decodeJsonRpc(frame('"id":1,"method":"x","method":"y"')))).toEqual([-32600, '1'])
    expect(errorOf(decodeJsonRpc(frame('"id":1,"method":"x","\\u006dethod":"y"')))).toEqual([-32600, '1'])
  })
})

describe('invalid input', () => {
  test.each([
    '',
    ' ',
    '{',
    '{]',
    'undefined',
    "{'id':1}",
    '{"id":01}',
    '{"id":1,}',
    '"\u0001"',
    '\ufeff{}',
    '{}{}',
    '"',
    '\\',
  ])('%j is not JSON: -32700', text => {
    expect(errorOf(decodeJsonRpc(text))).toEqual([-32700, NO_ID])
    expect(errorOf(decodeJsonRpc(bytes(text)))).toEqual([-32700, NO_ID])
  })

  test.each([[[0xff]], [[0x22, 0xc3, 0x22]], [[0x22, 0xed, 0xa0, 0x80, 0x22]], [[0x22, 0xc0, 0x80, 0x22]]])(
    'bytes %j are not UTF-8: -32700',
    raw => {
      expect(errorOf(decodeJsonRpc(Uint8Array.from(raw)))).toEqual([-32700, NO_ID])
    },
  )

  test.each(['1', 'null', 'true', '"id"', '{}'])('%s is not a frame: -32600', text => {
    expect(errorOf(decodeJsonRpc(text))).toEqual([-32600, NO_ID])
  })

  test.each([
    ['no version', '{"id":1,"method":"x"}'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"x"}'],
    ['a version that is a number', '{"jsonrpc":2.0,"id":1,"method":"x"}'],
    ['a method that is no string', frame('"id":1,"method":1')],
    ['params that are text', frame('"id":1,"method":"x","params":"bar"')],
    ['params that are null', frame('"id":1,"method":"x","params":null')],
    ['neither method nor result', frame('"id":1')],
    ['result and error', frame('"id":1,"result":1,"error":{"code":1,"message":"x"}')],
    ['an error that is not an object', frame('"id":1,"error":"x"')],
    ['an error without a code', frame('"id":1,"error":{"message":"x"}')],
    ['an error with a broken code', frame('"id":1,"error":{"code":1.5,"message":"x"}')],
  ])('%s: -32600 with the id of the frame', (_, text) => {
    expect(errorOf(decodeJsonRpc(text))).toEqual([-32600, '1'])
  })

  test('refuses a response without an id', () => {
    expect(errorOf(decodeJsonRpc(frame('"result":true')))).toEqual([-32600, NO_ID])
  })

  test('ignores a __proto__ member', () => {
    expect(errorOf(decodeJsonRpc('{"__proto__":{"jsonrpc":"2.0","id":1,"method":"x"}}'))).toEqual([-32600, NO_ID])
    expect(errorOf(decodeJsonRpc(frame('"id":1,"__proto__":{"method":"x"}')))).toEqual([-32600, '1'])
    const decoded = decodeJsonRpc(frame('"id":1,"method":"x","params":{"__proto__":{"polluted":true}}'))
    expect(decoded).toMatchObject({ kind: 'request' })
    expect({}).not.toHaveProperty('polluted')
  })

  test('ignores properties added to Object.prototype', () => {
    const texts = ['{}', frame('"method":"x"'), frame('"id":1'), frame('"id":1,"error":{}')]
    const planted = { jsonrpc: '2.0', id: 1, method: 'x', params: [], result: true, code: 1, message: 'x' }
    const decodeAll = () => {
      for (const [name, value] of Object.entries(planted))
        Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true })
      try {
        return texts.map(text => decodeJsonRpc(text))
      } finally {
        for (const name of Object.keys(planted)) Reflect.deleteProperty(Object.prototype, name)
      }
    }
    expect(decodeAll()).toEqual(texts.map(text => decodeJsonRpc(text)))
  })

  test('error texts do not quote the input', () => {
    for (const text of ['SECRET', '{"SECRET":1}', frame('"id":"SECRET","method":["SECRET"]'), '["SECRET"]']) {
      const decoded = decodeJsonRpc(text)
      const items = decoded.kind === 'batch' ? decoded.items : [decoded]
      for (const item of items) expect(item.kind === 'invalid' && item.error.message).not.toContain('SECRET')
    }
  })
})

describe('responses', () => {
  test('a result', () => {
    expect(decodeJsonRpc(frame('"id":179522490387801,"result":true'))).toEqual({
      kind: 'response',
      id: '179522490387801',
      result: true,
    })
  })

  test('accepts a null result', () => {
    expect(decodeJsonRpc(frame('"id":1,"result":null'))).toEqual({ kind: 'response', id: '1', result: null })
  })

  test('an error, also with a null id', () => {
    expect(decodeJsonRpc(frame('"id":null,"error":{"code":-32700,"message":"Parse error","data":1}'))).toEqual({
      kind: 'response',
      id: 'null',
      error: { code: -32700, message: 'Parse error', data: 1 },
    })
  })
})

describe('batches', () => {
  test('decodes items independently, each with its id', () => {
    const text = `[${frame('"id":12345678901234567890,"method":"a","params":{"id":1}')}, 1, [{"id":2}], {"id":3},
      ${frame('"method":"b"')}, ${frame('"result":[],"id":"x"')}, {}]`
    const decoded = decodeJsonRpc(text)
    expect(decoded.kind === 'batch' && decoded.items).toEqual([
      { kind: 'request', id: '12345678901234567890', method: 'a', params: { id: 1 } },
      expect.objectContaining({ kind: 'invalid', id: NO_ID }),
      expect.objectContaining({ kind: 'invalid', id: NO_ID }),
      expect.objectContaining({ kind: 'invalid', id: '3' }),
      { kind: 'request', method: 'b', params: undefined },
      { kind: 'response', id: '"x"', result: [] },
      expect.objectContaining({ kind: 'invalid', id: NO_ID }),
    ])
  })

  test('refuses an empty batch: -32600', () => {
    expect(errorOf(decodeJsonRpc('[]'))).toEqual([-32600, NO_ID])
  })

  test('limits the number of items', () => {
    const batch = (length: number) => `[${Array(length).fill(frame('"id":1,"method":"x"')).join()}]`
    expect(decodeJsonRpc(batch(defaultRpcLimits.batch)).kind).toBe('batch')
    expect(errorOf(decodeJsonRpc(batch(defaultRpcLimits.batch + 1)))).toEqual([-32600, NO_ID])
  })
})

describe('bounds', () => {
  const nested = (depth: number) =>
    frame(`"id":1,"method":"x","params":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`)

  test('nesting', () => {
    expect(decodeJsonRpc(nested(defaultRpcLimits.depth)).kind).toBe('request')
    expect(errorOf(decodeJsonRpc(nested(defaultRpcLimits.depth + 1)))).toEqual([-32600, NO_ID])
    expect(errorOf(decodeJsonRpc('['.repeat(defaultRpcLimits.size)))).toEqual([-32600, NO_ID])
    expect(decodeJsonRpc(frame(`"id":1,"method":"x","params":["${'['.repeat(1000)}"]`)).kind).toBe('request')
  })

  test('size, in bytes', () => {
    const limits = { ...defaultRpcLimits, size: 40 }
    const text = frame('"id":1,"method":"é"')
    expect(bytes(text).length).toBe(38)
    expect(decodeJsonRpc(bytes(text), limits).kind).toBe('request')
    expect(errorOf(decodeJsonRpc(bytes(`${text}   `), limits))).toEqual([-32600, NO_ID])
    expect(errorOf(decodeJsonRpc('"'.repeat(41), limits))).toEqual([-32600, NO_ID])
  })

  test('long runs of backslashes and quotes take linear time', () => {
    const half = defaultRpcLimits.size / 2
    expect(errorOf(decodeJsonRpc(`"${'\\'.repeat(half)}`))).toEqual([-32700, NO_ID])
    expect(errorOf(decodeJsonRpc(`["${'\\"'.repeat(half - 2)}`))).toEqual([-32700, NO_ID])
    expect(errorOf(decodeJsonRpc('""'.repeat(half)))).toEqual([-32700, NO_ID])
  })
})

describe('encoding', () => {
  test('writes members in the order that clients use', () => {
    expect(encodeRequest(1, 'x', { a: 1 })).toBe('{"id":1,"jsonrpc":"2.0","method":"x","params":{"a":1}}')
    expect(encodeError('"a"', { code: -32601, message: 'Method not found' })).toBe(
      '{"id":"a","jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"}}',
    )
  })

  test('encodes an undefined result as null', () => {
    expect(encodeResult('1', undefined)).toBe('{"id":1,"jsonrpc":"2.0","result":null}')
  })
})

describe('properties', () => {
  const id = fc.oneof(
    fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,5})?([eE][+-]?\d{1,3})?$/),
    fc.string({ unit: 'binary' }).map(text => JSON.stringify(text)),
    fc.string().map(text => `"${[...text].map(c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`),
    fc.constant('null'),
  )
  const params = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))
  const validFrame = fc.oneof(
    fc.tuple(id, fc.string(), params).map(([id, method, params]) => encodeRequest(id, method, params)),
    fc.tuple(id, fc.jsonValue()).map(([id, result]) => encodeResult(id, result)),
  )
  const text = fc.oneof(
    validFrame,
    fc.array(validFrame, { maxLength: 4 }).map(frames => `[${frames.join()}]`),
  )

  /** Decodes and checks the outcome against JSON.parse. */
  const judge = (input: string) => {
    const decoded = decodeJsonRpc(input)
    let value: unknown
    try {
      value = JSON.parse(input)
    } catch {
      expect(errorOf(decoded)).toEqual([-32700, NO_ID])
      return
    }
    expect(errorOf(decoded)).not.toEqual([-32700, NO_ID])
    const frames = (decoded.kind === 'batch' ? value : [value]) as Record<string, unknown>[]
    const items = decoded.kind === 'batch' ? decoded.items : [decoded]
    for (const [i, item] of items.entries()) {
      if (item.kind === 'invalid') continue
      const { kind, id, ...members } = item
      for (const [name, member] of Object.entries(members)) expect(frames[i]?.[name]).toEqual(member)
      expect(frames[i]?.id).toEqual(id && JSON.parse(id))
    }
  }

  test('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), raw => void decodeJsonRpc(raw)),
      { numRuns: 2000 },
    )
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), judge), { numRuns: 2000 })
  })

  test('agrees with JSON.parse on any text made of JSON tokens', () => {
    const letters = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ':',
      ',',
      ' ',
      '1',
      '-',
      'e',
      'null',
      '"id"',
      '"i\\u0064"',
    )
    fc.assert(
      fc.property(
        fc.array(letters, { maxLength: 30 }).map(parts => parts.join('')),
        judge,
      ),
      { numRuns: 5000 },
    )
  })

  test('agrees with JSON.parse on mutations of valid text', () => {
    const mutation = fc.record({ at: fc.nat(), cut: fc.nat(3), put: fc.string({ unit: 'binary', maxLength: 2 }) })
    const mutate = (text: string, { at, cut, put }: { at: number; cut: number; put: string }) => {
      const start = at % (text.length + 1)
      return text.slice(0, start) + put + text.slice(start + cut)
    }
    fc.assert(
      fc.property(text, fc.array(mutation, { minLength: 1, maxLength: 3 }), (text, mutations) =>
        judge(mutations.reduce(mutate, text)),
      ),
      { numRuns: 3000 },
    )
  })

  test('decodes bytes as UTF-8, independently of earlier calls', () => {
    const toText = (raw: Uint8Array) => {
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw)
      } catch {
        return undefined
      }
    }
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(255), fc.boolean(), (text, at, byte, cut) => {
        const raw = bytes(text)
        raw[at % raw.length] = byte
        const mutated = cut ? raw.subarray(0, at % raw.length) : raw
        const back = toText(mutated)
        const expected =
          back === undefined ? expect.objectContaining({ kind: 'invalid', id: NO_ID }) : decodeJsonRpc(back)
        expect(decodeJsonRpc(mutated)).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })

  test('requests round-trip with the id as written', () => {
    fc.assert(
      fc.property(id, fc.string(), params, fc.boolean(), (id, method, params, asBytes) => {
        const text = encodeRequest(id, method, params)
        const decoded = decodeJsonRpc(asBytes ? bytes(text) : text)
        expect(decoded).toEqual({ kind: 'request', id, method, params: JSON.parse(JSON.stringify(params)) })
      }),
    )
  })

  test('responses round-trip with the id as written', () => {
    fc.assert(
      fc.property(id, fc.jsonValue(), fc.integer(), fc.string(), (id, result, code, message) => {
        const json = JSON.parse(JSON.stringify(result))
        expect(decodeJsonRpc(encodeResult(id, result))).toEqual({ kind: 'response', id, result: json })
        const error = { code, message }
        expect(decodeJsonRpc(encodeError(id, error))).toEqual({ kind: 'response', id, error })
      }),
    )
  })

  test('finds the id in any member order and with any white space', () => {
    const space = fc.stringMatching(/^[ \t\n\r]{0,3}$/)
    fc.assert(
      fc.property(id, params, fc.nat(23), space, (id, params, order, space) => {
        const members = [`"id":${space}${id}`, '"jsonrpc":"2.0"', '"method":"x"', `"params":${JSON.stringify(params)}`]
        const shuffled: string[] = []
        for (let left = members.length, rest = order; left > 0; rest = Math.floor(rest / left), left--)
          shuffled.push(...members.splice(rest % left, 1))
        expect(decodeJsonRpc(`${space}{${space}${shuffled.join(`${space},${space}`)}${space}}${space}`)).toMatchObject({
          id,
        })
      }),
    )
  })
})
