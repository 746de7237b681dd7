import { expect, test, vi } from 'vitest'
import { fail } from '../../evm/fail.ts'
import { local } from './caller.fixture.ts'
import { createRouter, framingDefect, httpErrorsOf, json, type RawRequest, type Reply, text } from './http.ts'

const teapotError = httpErrorsOf({ short: 'short and {what}' } as const)

const onFault = vi.fn()
const router = createRouter(
  {
    '/hello': { GET: () => text('hi') },
    '/echo': { POST: ({ body }) => json({ body }) },
    '/both': { GET: ({ query }) => json({ q: query.get('q') }), POST: () => json({ ok: true }) },
    '/picky': { GET: () => fail('body.topic', 12, 'notString') },
    '/teapot': {
      GET: () => {
        throw teapotError(418, 'short', { what: 'stout' }, { 'X-Handle': 'yes' })
      },
    },
    '/broken': { GET: () => Promise.reject(new Error('secret detail')) },
  },
  onFault,
)

type Options = { body?: string | Uint8Array; type?: string; query?: string }

const ask = async (method: string, path: string, { body = '', type, query = '' }: Options = {}): Promise<Reply> => {
  const raw: RawRequest = {
    method,
    path,
    query: new URLSearchParams(query),
    headers: new Map(type === undefined ? [] : [['content-type', type]]),
    caller: local,
    body: Buffer.from(body),
  }
  return router(raw)
}

const error = (reply: Reply) => [reply.status, JSON.parse(reply.body).error]

test('routes by path and method', async () => {
  expect(await ask('GET', '/hello')).toEqual({
    status: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    body: 'hi',
  })
  expect((await ask('GET', '/both', { query: 'q=a%20b' })).body).toBe('{"q":"a b"}')
  expect((await ask('HEAD', '/hello')).body).toBe('hi')
})

test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=utf-8'])(
  'a body of type %s is decoded',
  async type => {
    const reply = await ask('POST', '/echo', { body: '{"a":[1,"é"]}', type })
    expect(reply.body).toBe('{"body":{"a":[1,"é"]}}')
    expect(reply.headers['Content-Type']).toBe('application/json; charset=utf-8')
  },
)

test.each([undefined, 'text/plain', 'application/jsonp', 'application/x-www-form-urlencoded'])(
  'a body of type %s is refused with 415',
  async type => {
    const reply = await ask('POST', '/echo', { body: '{}', ...(type !== undefined && { type }) })
    expect(error(reply)).toEqual([415, expect.stringContaining('is not application/json')])
  },
)

test.each(['', '{', 'undefined', '{"a":1}}', Uint8Array.of(0x22, 0xff, 0x22)])(
  'the body %j is refused with 400',
  async body => {
    const reply = await ask('POST', '/echo', { body, type: 'application/json' })
    expect(error(reply)).toEqual([400, 'body: is not JSON in UTF-8'])
  },
)

test.each(['/nowhere', '/', '/hello/', '/__proto__', '/constructor', ''])(
  'the path %j is refused with 404',
  async path => {
    expect(error(await ask('GET', path))).toEqual([404, `path: ${JSON.stringify(path)} does not exist`])
  },
)

test.each(['POST', 'PUT', 'DELETE', 'get', 'toString'])(
  'the method %s is refused with 405 and the allowed methods',
  async method => {
    const reply = await ask(method, '/hello')
    expect(reply.status).toBe(405)
    expect(reply.headers.Allow).toBe('GET, HEAD, OPTIONS')
  },
)

test('answers a preflight request with the methods of the path', async () => {
  const reply = await ask('OPTIONS', '/both')
  expect(reply.status).toBe(204)
  expect(reply.headers['Access-Control-Allow-Methods']).toBe('GET, HEAD, POST, OPTIONS')
  expect(reply.headers['Access-Control-Allow-Headers']).toContain('Content-Type')
})

test('an HttpError is answered with its text, reason and values, any other error with neither', async () => {
  expect(error(await ask('GET', '/picky'))).toEqual([400, 'body.topic: 12 is not a string'])
  const teapot = await ask('GET', '/teapot')
  expect([...error(teapot), teapot.headers['X-Handle']]).toEqual([418, 'short and stout', 'yes'])
  expect(JSON.parse(teapot.body)).toEqual({ error: 'short and stout', reason: 'short', values: { what: 'stout' } })
  expect(onFault).not.toHaveBeenCalled()
  expect(error(await ask('GET', '/broken'))).toEqual([500, 'Internal error'])
  expect(onFault).toHaveBeenCalledOnce()
})

const host = ['host', 'a'] as const
const length = ['content-length', '3'] as const

test.each([
  [[length, host, length], 'contentLengthRepeated'],
  [[host, ['content-length', '0'], ['content-length', '30']], 'contentLengthRepeated'],
  [[host, length, ['transfer-encoding', 'chunked']], 'contentLengthWithEncoding'],
  [[host, ['content-length', '']], 'contentLengthInvalid'],
  [[host, ['content-length', '+1']], 'contentLengthInvalid'],
  [[host, ['transfer-encoding', 'identity']], 'transferEncodingUnsupported'],
  [[host, ['transfer-encoding', 'chunked'], ['transfer-encoding', 'chunked']], 'transferEncodingUnsupported'],
  [[length], 'hostInvalid'],
  [[['host', '']], 'hostInvalid'],
  [[host, ['host', 'b']], 'hostInvalid'],
] as const)('headers %j are refused: %s', (headers, defect) => {
  expect(framingDefect(headers)).toBe(defect)
})

test.each([[[host]], [[host, length]], [[['transfer-encoding', 'Chunked'], host]]] as const)(
  'headers %j are sound',
  headers => {
    expect(framingDefect(headers)).toBeUndefined()
  },
)
