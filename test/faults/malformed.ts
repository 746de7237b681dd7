/** Tables of malformed input: calls with invalid parameters, HTTP requests, and WebSocket frames. */
import { relayPrefixes } from '@heliograph/shared/wire/relay-methods'
import { frameOf } from '../support/raw.ts'

const TOPIC = 'ab'.repeat(32)
const REQUEST = -32600
const PARAMS = -32602

/** Invalid values, as JSON, of each kind of member. */
const wrong = {
  text: ['1', '1.5', 'true', '[]', '["text"]', '{}'],
  topic: ['1', 'false', '[]', '{}', '""', '"\\u0000"', `"${'x'.repeat(257)}"`, '"\\ud800"'],
  hash: ['1', 'false', '[]', '{}', '""', `"${TOPIC}0"`, `"${TOPIC.toUpperCase()}"`, `"${TOPIC.slice(1)}g"`],
  number: ['"1"', 'true', '[]', '{}'],
  ttl: ['"1"', 'true', '[]', '{}', '0', '-1', '1.5', '99999999999', 'null'],
  tag: ['"1"', 'true', '[]', '{}', '-1', '1.5', '4294967296'],
  boolean: ['"yes"', '1', '[]', '{}'],
  list: ['"text"', '1', 'true', '{}', '[1]', '[null]', '[[]]', `[${Array(501).fill('{}')}]`],
} as const
type Kind = keyof typeof wrong

/** The required and the optional members of a method's parameters. */
type Shape = { needs: Readonly<Record<string, Kind>>; takes?: Readonly<Record<string, Kind>> }

const shapesOf = (topic: Kind, isInterface: boolean): Readonly<Record<string, Shape>> => {
  const about: Readonly<Record<string, Kind>> = { tag: 'tag', prompt: 'boolean', attestation: 'text' }
  return {
    subscribe: { needs: { topic } },
    batchSubscribe: { needs: { topics: 'list' } },
    unsubscribe: isInterface ? { needs: { topic, id: 'text' } } : { needs: { topic }, takes: { id: 'text' } },
    batchUnsubscribe: { needs: { subscriptions: 'list' } },
    publish: isInterface
      ? { needs: { topic, message: 'text', ttl: 'ttl' }, takes: about }
      : { needs: { topic, message: 'text' }, takes: { ttl: 'number', ...about } },
    batchPublish: { needs: { messages: 'list' } },
    fetchMessages: { needs: { topic } },
    batchFetchMessages: { needs: { topics: 'list' } },
    batchReceive: { needs: { receipts: 'list' } },
  }
}

const sessionShapes: Readonly<Record<string, Shape>> = {
  wc_proposeSession: { needs: { pairingTopic: 'hash', sessionProposal: 'text' }, takes: { ttl: 'number' } },
  wc_approveSession: {
    needs: {
      pairingTopic: 'hash',
      sessionTopic: 'hash',
      sessionProposalResponse: 'text',
      sessionSettlementRequest: 'text',
    },
    takes: { ttl: 'number' },
  },
}

/** A valid value, as JSON, of each kind of member. */
const right: Readonly<Record<Kind, string>> = {
  text: '"m"',
  topic: '"t"',
  hash: `"${TOPIC}"`,
  number: '60',
  ttl: '60',
  tag: '0',
  boolean: 'true',
  list: '[]',
}

const methods: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(
    relayPrefixes.flatMap(prefix => {
      const shapes = prefix === 'relay' ? shapesOf('topic', true) : shapesOf('hash', false)
      return Object.entries(shapes).map(([name, shape]) => [`${prefix}_${name}`, shape])
    }),
  ),
  ...sessionShapes,
}

type Members = readonly (readonly [name: string, json: string])[]
const objectOf = (members: Members): string => `{${members.map(([name, json]) => `"${name}":${json}`).join(',')}}`

export const call = (method: string, params: string, id = '1'): string =>
  `{"id":${id},"jsonrpc":"2.0","method":"${method}","params":${params}}`

/** Returns parameters with one invalid or missing member, for each member and each invalid value. */
const wrongParams = ({ needs, takes = {} }: Shape): string[] => {
  const members = Object.entries(needs).map(([name, kind]) => [name, right[kind]] as const)
  const without = (name: string) => members.filter(member => member[0] !== name)
  const missing = Object.keys(needs).flatMap(name => [
    objectOf(without(name)),
    objectOf([...without(name), [name, 'null']]),
    objectOf([...without(name), ['__proto__', objectOf(members)]]),
  ])
  const odd = Object.entries({ ...needs, ...takes }).flatMap(([name, kind]) =>
    wrong[kind].map(json => objectOf([...without(name), [name, json]])),
  )
  return [...missing, ...odd, '[]', '{}', '{"0":"t"}', `[${objectOf(members)}]`]
}

/** Frames with invalid calls, each with its error code. */
export const malformedCalls: readonly (readonly [frame: string, code: number])[] = Object.entries(methods).flatMap(
  ([method, shape]) => [
    ...wrongParams(shape).map(params => [call(method, params), PARAMS] as const),
    ...['"text"', '1', 'true', 'null'].map(params => [call(method, params), REQUEST] as const),
    [`{"id":1,"jsonrpc":"2.0","method":"${method}"}`, PARAMS] as const,
    [call(method, '{}', '[1]'), REQUEST] as const,
  ],
)

const HOST = 'Host: localhost\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const SMUGGLED = `GET /hello HTTP/1.1\r\n${HOST}\r\n`
const get = (lines: string, path = '/hello'): string => `GET ${path} HTTP/1.1\r\n${HOST}${lines}\r\n`
const post = (lines: string, body = ''): string => `POST /subscribe HTTP/1.1\r\n${HOST}${lines}\r\n${body}`
const withLength = (body: string, type = JSON_TYPE): string => post(`${type}Content-Length: ${body.length}\r\n`, body)
const chunked = (chunks: string): string => post(`${JSON_TYPE}Transfer-Encoding: chunked\r\n`, chunks)
const upgrade = (lines: string): string => get(`Upgrade: websocket\r\nConnection: Upgrade\r\n${lines}`, '/socket')

/** Invalid requests, each with the status of its response. */
export const malformedRequests: readonly (readonly [name: string, bytes: string, status: number])[] = [
  ['two Content-Length', post('Content-Length: 0\r\nContent-Length: 1\r\n', SMUGGLED), 400],
  ['two Content-Length that agree', post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'), 400],
  ['two Content-Length and a GET', get('Content-Length: 0\r\ncontent-length: 5\r\n') + SMUGGLED, 400],
  [
    'Content-Length, then Transfer-Encoding',
    post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', SMUGGLED),
    400,
  ],
  [
    'Transfer-Encoding, then Content-Length',
    post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', SMUGGLED),
    400,
  ],
  ['two Transfer-Encoding', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 400],
  ['Transfer-Encoding: identity', post('Transfer-Encoding: identity\r\n'), 400],
  ['Transfer-Encoding: gzip, chunked', post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'), 400],
  ['Transfer-Encoding: xchunked', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), 400],
  ['no Host', `GET /hello HTTP/1.1\r\nAccept: */*\r\n\r\n${SMUGGLED}`, 400],
  ['no Host, with a body', `POST /subscribe HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}${SMUGGLED}`, 400],
  ['an empty Host', 'GET /hello HTTP/1.1\r\nHost:\r\n\r\n', 400],
  ['two Hosts', `GET /hello HTTP/1.1\r\n${HOST}${HOST}\r\n`, 400],
  ['two Hosts that differ', `GET /hello HTTP/1.1\r\n${HOST}Host: y\r\n\r\n${SMUGGLED}`, 400],
  ['Content-Length: -1', post('Content-Length: -1\r\n'), 400],
  ['Content-Length: +1', post('Content-Length: +1\r\n', '1'), 400],
  ['Content-Length: 0x1', post('Content-Length: 0x1\r\n', '1'), 400],
  ['Content-Length: 1, 1', post('Content-Length: 1, 1\r\n', '1'), 400],
  ['Content-Length: 1 1', post('Content-Length: 1 1\r\n', '1'), 400],
  ['an empty Content-Length', post(`${JSON_TYPE}Content-Length:\r\n`, SMUGGLED), 400],
  ['a Content-Length of blanks', post(`${JSON_TYPE}Content-Length: \t \r\n`, SMUGGLED), 400],
  ['a GET with an empty Content-Length', get('Content-Length:\r\n') + SMUGGLED, 400],
  ['Content-Length: text', post('Content-Length: text\r\n'), 400],
  ['a Content-Length that is too large', post('Content-Length: 99999999999999999999\r\n', '1'), 400],
  ['a GET with Content-Length: -1', get('Content-Length: -1\r\n'), 400],
  ['a chunk without a valid size', chunked('zz\r\n{}\r\n0\r\n\r\n'), 400],
  ['a chunk of size -1', chunked('-1\r\n{}\r\n0\r\n\r\n'), 400],
  ['a POST without a length', post(JSON_TYPE, SMUGGLED), 411],
  ['a length after a header without a name', post(`: x\r\nContent-Length: ${SMUGGLED.length}\r\n`, SMUGGLED), 411],
  ['chunks after a header without a name', post(': x\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${SMUGGLED}`), 411],
  ['HTTP/1.0', `GET /hello HTTP/1.0\r\n${HOST}\r\n`, 505],
  ['HTTP/2.0', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
  ['HTTP/9.9', `GET /hello HTTP/9.9\r\n${HOST}\r\n`, 505],
  ['lines that end with a bare line feed', 'GET /hello HTTP/1.1\nHost: x\n\n', 505],
  ['an absolute URL', get('', 'http://x/hello'), 505],
  ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 505],
  ['CONNECT', `CONNECT x:80 HTTP/1.1\r\n${HOST}\r\n`, 505],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x00\x00', 505],
  ['plain text', 'hello there, this is no request\r\n\r\n', 505],
  ['a frame without an upgrade', frameOf(0x81, Buffer.from('{}')).toString('latin1').padEnd(20, 'x'), 505],
  ['a head that is a little too long', get(`A: ${'x'.repeat(9000)}\r\n`), 431],
  ['a head that is much too long', get(`A: ${'x'.repeat(100_000)}\r\n`), 431],
  ['a path that is too long', get('', `/${'x'.repeat(9000)}`), 431],
  ['a query that is too long', get('', `/hello?${'x'.repeat(100_000)}`), 431],
  ['too many headers', get('A: x\r\n'.repeat(150)), 431],
  ['an unknown path', get('', '/nowhere'), 404],
  ['a path named like a prototype', get('', '/__proto__'), 404],
  ['a path that leaves the root', get('', '/../../etc/passwd'), 404],
  ['a path with an escape', get('', '/%68ello'), 404],
  ['an unknown method', `BREW /hello HTTP/1.1\r\n${HOST}\r\n`, 405],
  ['a method in lower case', `get /hello HTTP/1.1\r\n${HOST}\r\n`, 405],
  ['DELETE', `DELETE /subscribe HTTP/1.1\r\n${HOST}\r\n`, 405],
  ['TRACE', `TRACE /hello HTTP/1.1\r\n${HOST}\r\n`, 405],
  ['no type', withLength('{}', ''), 415],
  ['another type', withLength('{}', 'Content-Type: text/plain\r\n'), 415],
  ['a body in gzip', withLength('{}', `${JSON_TYPE}Content-Encoding: gzip\r\n`), 415],
  ['a body in br and identity', withLength('{}', `${JSON_TYPE}Content-Encoding: identity, br\r\n`), 415],
  ['no body', withLength(''), 400],
  ['a body that is not JSON', withLength('{'), 400],
  ['a body that is not UTF-8', withLength('{"topic":"\xff\xfe"}'), 400],
  ['a body with a byte order mark', withLength('\xef\xbb\xbf{}'), 400],
  ['a body of the wrong shape', withLength('[]'), 400],
  ['a body without members', withLength('{}'), 400],
  ['a body that is nested too deeply', withLength('['.repeat(30_000)), 400],
  ['a body that is too long', withLength(`"${'x'.repeat(100_000)}"`), 413],
  ['a body in chunks that is too long', chunked(`1ffff\r\n${'x'.repeat(0x1ffff)}\r\n0\r\n\r\n`), 413],
  ['a topic that is a number', withLength('{"topic":1,"webhook":"https://a.example"}'), 400],
  ['a webhook that is not a URL', withLength('{"topic":"t","webhook":"a"}'), 400],
  ['a webhook with a script URL', withLength('{"topic":"t","webhook":"javascript:alert(1)"}'), 400],
  ['a webhook on this machine', withLength('{"topic":"t","webhook":"https://127.0.0.1/"}'), 400],
  ['an upgrade without a key', upgrade('Sec-WebSocket-Version: 13\r\n'), 404],
  ['an upgrade with a short key', upgrade('Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: abc\r\n'), 404],
  [
    'an upgrade of another version',
    upgrade('Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'),
    426,
  ],
  ['an upgrade without a version', upgrade('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'), 426],
  [
    'an upgrade with two lengths',
    upgrade(
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nContent-Length: 0\r\nContent-Length: 1\r\n',
    ),
    400,
  ],
  [
    'an upgrade with an invalid token',
    get(
      'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
      '/?auth=none',
    ),
    401,
  ],
]

/** Incomplete requests: the parser waits for the rest, and the connection is closed at the timeout. */
export const unfinishedRequests: readonly (readonly [name: string, bytes: string])[] = [
  ['no bytes', ''],
  ['an empty line', '\r\n'],
  ['JSON', '{"id":1,"jsonrpc":"2.0","method":"relay_publish"}\r\n\r\n'],
  ['a request of HTTP/0.9', 'GET /hello\r\n\r\n'],
  ['only a request line', 'GET /hello HTTP/1.1\r\n\r\n'],
  ['half a head', get('').slice(0, -4)],
  ['a header without a colon', get('Name\r\n')],
  ['a header with a space in its name', get('Bad Name: x\r\n')],
  ['a header with a space before its colon', get('Name : x\r\n')],
  ['a header that continues on the next line', get('Name: x\r\n y\r\n')],
  ['a header with a control character', get('Name: a\x01b\r\n')],
  ['a header with a null character', get('Name: a\0b\r\n')],
  ['a header with a carriage return', get('Name: a\rb\r\n')],
  ['a Transfer-Encoding with a blank before its colon', post('Transfer-Encoding : chunked\r\n', SMUGGLED)],
  ['a Transfer-Encoding after a leading blank', post(' Transfer-Encoding: chunked\r\n', SMUGGLED)],
  ['a Transfer-Encoding of a vertical tab', post('Transfer-Encoding: \x0bchunked\r\n', SMUGGLED)],
  ['half a body', post(`${JSON_TYPE}Content-Length: 1000\r\n`, '{')],
  ['a chunk with an extension', chunked('2;a=b\r\n{}\r\n0\r\n\r\n')],
  ['chunks without an end', chunked('2\r\n{}\r\n')],
]

const TEXT = 0x81
const text = Buffer.from('{}')

/** Returns an unmasked text frame with a payload of at most 125 bytes. */
const unmasked = (payload: string): Buffer => Buffer.concat([Buffer.from([TEXT, payload.length]), Buffer.from(payload)])

/** Frames that violate RFC 6455. Each closes its own connection. */
export const brokenFrames: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['a reserved bit', frameOf(0x91, text)],
  ['two reserved bits', frameOf(0xb1, text)],
  ['a compressed frame without negotiation', frameOf(0xc1, text)],
  ...[0x83, 0x84, 0x85, 0x86, 0x87, 0x8b, 0x8c, 0x8d, 0x8e, 0x8f].map(
    first => [`the reserved opcode ${first & 15}`, frameOf(first, text)] as const,
  ),
  ['a continuation without a message', frameOf(0x80, text)],
  ['a new message inside another', Buffer.concat([frameOf(0x01, text), frameOf(TEXT, text)])],
  ['a ping in fragments', frameOf(0x09, text)],
  ['a ping that is too long', frameOf(0x89, Buffer.alloc(126))],
  ['a close that is too long', frameOf(0x88, Buffer.alloc(126))],
  ['a close of one byte', frameOf(0x88, Buffer.alloc(1))],
  ['a close with an invalid code', frameOf(0x88, Buffer.from([0, 1]))],
  ['a close with a reason that is not UTF-8', frameOf(0x88, Buffer.from([3, 232, 0xff]))],
  ['text that is not UTF-8', frameOf(TEXT, Buffer.from([0xff, 0xfe]))],
  ['text with half a character', frameOf(TEXT, Buffer.from([0xe2, 0x82]))],
  ['text with a surrogate', frameOf(TEXT, Buffer.from([0xed, 0xa0, 0x80]))],
  ['a frame that claims to be too long', frameOf(TEXT, text, 2_000_000)],
  ['a frame that claims to be endless', frameOf(TEXT, text, Number.MAX_SAFE_INTEGER)],
  [
    'a message whose fragments exceed the maximum length',
    Buffer.concat(Array(20).fill(frameOf(0x01, Buffer.alloc(100_000)))),
  ],
  ['HTTP', Buffer.from('GET /hello HTTP/1.1\r\nHost: x\r\n\r\n')],
]

/** Unmasked frames, which clients must not send (RFC 6455 §5.1). */
export const unmaskedFrames: readonly (readonly [name: string, frames: readonly Buffer[]])[] = [
  ['only one', [unmasked(call('relay_subscribe', '{"topic":"t"}'))]],
  ['only an empty one', [unmasked('')]],
  ['several', Array(10).fill(unmasked(call('relay_subscribe', '{"topic":"t"}')))],
  ['one before masked frames', [unmasked('{}'), ...Array(10).fill(frameOf(TEXT, text))]],
  ['one before pongs', [unmasked('{}'), ...Array(10).fill(frameOf(0x8a, Buffer.from('1')))]],
]
