import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Network } from '@heliograph/shared/network'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { nodeError } from './answers.ts'
import { PASSED_OVER } from './failover.ts'
import { testNetworks } from './networks.fixture.ts'
import {
  askAll,
  askQuantity,
  BATCH_SIZE,
  type Chain,
  chainUntil,
  createChain,
  isUnreachable,
  NODE_PATIENCE,
  NODE_TIMEOUT,
  type Post,
  postWithin,
} from './node.ts'

type Handler = (request: IncomingMessage, body: string, response: ServerResponse) => void

let handle: Handler = () => {}
let network: Network

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  handle(request, body, response)
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [first] = testNetworks
  if (!first) throw new Error('No network')
  network = { ...first, title: 'Test', rpcUrls: [`http://127.0.0.1:${port}/key`] }
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const answering = (answer: (id: number) => string): Handler => {
  return (_, body, response) => void response.end(answer(JSON.parse(body).id))
}
const chain = createChain()

test('sends JSON-RPC over POST and returns the result', async () => {
  let seen: unknown
  handle = (request, body, response) => {
    seen = [request.method, request.url, request.headers['content-type'], request.headers.cookie, JSON.parse(body)]
    response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: { number: '0x1' } }))
  }
  expect(await createChain()(network, 'eth_getBlockByNumber', ['latest', false])).toEqual({ number: '0x1' })
  const message = { id: 1, jsonrpc: '2.0', method: 'eth_getBlockByNumber', params: ['latest', false] }
  expect(seen).toEqual(['POST', '/key', 'application/json', undefined, message])
})

test('each request has a unique id', async () => {
  const ids: unknown[] = []
  handle = answering(id => {
    ids.push(id)
    return JSON.stringify({ jsonrpc: '2.0', id, result: null })
  })
  const ask = createChain()
  await Promise.all([ask(network, 'eth_syncing'), ask(network, 'eth_syncing'), ask(network, 'eth_syncing')])
  expect(new Set(ids).size).toBe(3)
})

test("the node's error is returned with any HTTP status", async () => {
  handle = (_, body, response) => {
    response.statusCode = 500
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, error }))
  }
  const refused = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
  await expect(chain(network, 'eth_call')).rejects.toMatchObject(refused)
})

test('an invalid response is 4901', async () => {
  const answers: ((id: number) => string)[] = [
    () => '<html>Bad gateway</html>',
    () => '',
    id => JSON.stringify({ jsonrpc: '2.0', id: id + 1, result: '0x1' }),
    id => JSON.stringify({ jsonrpc: '2.0', id: `${id}x`, result: '0x1' }),
    id => JSON.stringify({ jsonrpc: '2.0', id: `${id}0`, result: '0x1' }),
    () => JSON.stringify({ status: '0', message: 'NOTOK', result: 'Max calls per sec rate limit reached (5/sec)' }),
    id => JSON.stringify([{ jsonrpc: '2.0', id, result: '0x1' }]),
    id => JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_call', params: [] }),
    id => JSON.stringify({ jsonrpc: '2.0', id }),
    id => JSON.stringify({ jsonrpc: '2.0', id, error: null }),
    () => JSON.stringify({ message: 'not permitted' }),
    id => `{"jsonrpc":"2.0","id":${id},"result":${'['.repeat(300)}${']'.repeat(300)}}`,
  ]
  for (const answer of answers) {
    handle = answering(answer)
    await expect(chain(network, 'eth_chainId'), String(answer)).rejects.toMatchObject({
      code: 4901,
      message: 'The Test node sent a response that the wallet cannot read. Check the URL of the node.',
    })
  }
})

test('a timeout is 4901', async () => {
  expect(NODE_TIMEOUT).toBe(20_000)
  handle = () => {}
  await expect(createChain(postWithin(20))(network, 'eth_chainId')).rejects.toMatchObject({ code: 4901 })
})

test('an endless response is 4901 long before the timeout', { timeout: NODE_TIMEOUT / 2 }, async () => {
  const part = 'x'.repeat(1 << 20)
  handle = (_request, _body, response) => {
    const write = (): unknown =>
      response.writable && (response.write(part) ? setImmediate(write) : response.once('drain', write))
    write()
  }
  await expect(chain(network, 'eth_chainId')).rejects.toMatchObject({ code: 4901 })
})

test('a broken connection, a redirect or an unreachable node is 4901 without the URL', async () => {
  const cannot = { code: 4901, message: 'Cannot reach the Test node' }
  handle = (_request, _body, response) => void response.destroy()
  await expect(chain(network, 'eth_chainId')).rejects.toMatchObject(cannot)
  handle = (request, body, response) => {
    if (request.url === '/key') response.writeHead(307, { location: '/elsewhere' }).end()
    else response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: '0x1' }))
  }
  await expect(chain(network, 'eth_chainId')).rejects.toMatchObject(cannot)
  await expect(chain({ ...network, rpcUrls: ['http://127.0.0.1:1/'] }, 'eth_chainId')).rejects.toMatchObject(cannot)
})

test('for a network without an RPC URL, a call throws 4901 without a request', async () => {
  const asked: string[] = []
  const ask = createChain(async url => {
    asked.push(url)
    return ''
  })
  await expect(ask({ ...network, rpcUrls: [] }, 'eth_chainId')).rejects.toMatchObject({
    code: 4901,
    message: expect.stringContaining('Test has no node yet'),
  })
  expect(asked).toEqual([])
})

test('an invalid quantity is 4901', async () => {
  handle = answering(id => JSON.stringify({ jsonrpc: '2.0', id, result: '0x2a' }))
  expect(await askQuantity(chain, network, 'eth_gasPrice')).toBe(42n)
  for (const result of ['0x002a', '42', 42, '0X2A']) {
    handle = answering(id => JSON.stringify({ jsonrpc: '2.0', id, result }))
    expect(await askQuantity(chain, network, 'eth_gasPrice')).toBe(42n)
  }
  const { host } = new URL(network.rpcUrls[0] ?? '')
  for (const result of [
    null,
    '',
    ' ',
    '0x',
    '2a',
    '-0x1',
    -1,
    1.5,
    2 ** 53,
    true,
    ['0x1'],
    {},
    `0x1${'0'.repeat(64)}`,
  ]) {
    handle = answering(id => JSON.stringify({ jsonrpc: '2.0', id, result }))
    const error = await askQuantity(chain, network, 'eth_gasPrice').catch(thrown => thrown)
    expect(isUnreachable(error), String(result)).toBe(true)
    expect(error.message).toBe(
      `The Test node ${host} answered eth_gasPrice with ${JSON.stringify(result).slice(0, 100)}, which the wallet cannot read`,
    )
  }
})

const questions = (count: number) => Array.from({ length: count }, (_, at) => ({ method: 'eth_call', params: [at] }))

type Frame = { id: number; params: [number] }

test('a batch is one message, and each call gets its own result in any order', async () => {
  const bodies: string[] = []
  handle = (_, body, response) => {
    bodies.push(body)
    const answers = (JSON.parse(body) as Frame[]).map(({ id, params: [at] }) =>
      at === 1
        ? { jsonrpc: '2.0', id, error: { code: 3, message: 'execution reverted' } }
        : { jsonrpc: '2.0', id, result: at },
    )
    response.end(JSON.stringify(answers.reverse()))
  }
  const outcomes = await askAll(createChain(), network, questions(3))
  expect(outcomes).toMatchObject([{ result: 0 }, { error: { code: 3 } }, { result: 2 }])
  expect(bodies).toHaveLength(1)
  expect(await askAll(createChain(), network, questions(BATCH_SIZE * 2 + 2))).toHaveLength(BATCH_SIZE * 2 + 2)
  expect(bodies).toHaveLength(4)
})

test.for([
  ['an error', () => '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}'],
  ['no JSON', () => '<html>'],
  [
    'a missing answer',
    (body: string) =>
      JSON.stringify((JSON.parse(body) as Frame[]).slice(1).map(({ id }) => ({ jsonrpc: '2.0', id, result: 1 }))),
  ],
] as const)('a node that answers a batch with %s gets only single requests afterwards', async ([, refuse]) => {
  let batches = 0
  handle = (_, body, response) => {
    const frame: Frame | Frame[] = JSON.parse(body)
    if (Array.isArray(frame)) {
      batches++
      response.end(refuse(body))
    } else response.end(JSON.stringify({ jsonrpc: '2.0', id: frame.id, result: frame.params[0] }))
  }
  const asking = createChain()
  const expected = questions(12).map((_, at) => ({ result: at }))
  expect(await askAll(asking, network, questions(12))).toEqual(expected)
  expect(await askAll(asking, network, questions(12))).toEqual(expected)
  expect(batches).toBe(1)
})

test('if one single request gets an unreadable answer, only that one fails; if all do, the call fails', async () => {
  const refused = new Set<unknown>([1])
  handle = (_, body, response) => {
    const frame: Frame | Frame[] = JSON.parse(body)
    if (Array.isArray(frame) || refused.has(frame.params[0])) response.end('<html>403 Forbidden</html>')
    else response.end(JSON.stringify({ jsonrpc: '2.0', id: frame.id, result: frame.params[0] }))
  }
  const asking = createChain()
  const odd = { error: { code: 4901, reason: 'nodeNotJsonRpc' } }
  expect(await askAll(asking, network, questions(3))).toMatchObject([{ result: 0 }, odd, { result: 2 }])
  refused.add(0).add(2)
  await expect(askAll(asking, network, questions(3))).rejects.toMatchObject(odd.error)
})

test('a batch to an unreachable node fails once', async () => {
  handle = request => void request.socket.destroy()
  await expect(askAll(createChain(), network, questions(3))).rejects.toMatchObject({ code: 4901 })
})

test('without batches, node errors and an unreachable node are distinguished', async () => {
  const reverting: Chain = async (_network, _method, [at] = []) => {
    if (at === 1) throw nodeError({ code: 3, message: 'execution reverted' })
    return at
  }
  expect(await askAll(reverting, network, questions(3))).toMatchObject([
    { result: 0 },
    { error: { code: 3 } },
    { result: 2 },
  ])
})

test('calls with a signal throw 4901 when it is aborted, and other calls continue', async () => {
  const seen: (AbortSignal | undefined)[] = []
  const post: Post = (_url, _body, signal) => {
    seen.push(signal)
    return new Promise((_, refuse) => signal?.addEventListener('abort', () => refuse(new Error('aborted'))))
  }
  const chain = createChain(post)
  const controller = new AbortController()
  const asked = chainUntil(chain, controller.signal)(
    { ...(testNetworks[0] as Network), rpcUrls: ['http://node.example'] },
    'eth_blockNumber',
  )
  void chain({ ...(testNetworks[0] as Network), rpcUrls: ['http://node.example'] }, 'eth_blockNumber')
  controller.abort()
  await expect(asked).rejects.toMatchObject({ code: 4901 })
  expect(seen.map(signal => signal?.aborted)).toEqual([true, undefined])
})

test('with two signals, calls end as soon as either is aborted', async () => {
  const posts: string[] = []
  const post: Post = async (_url, body, signal) => {
    signal?.throwIfAborted()
    posts.push(body)
    return JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: '0x1' })
  }
  const ask = createChain(post)
  const live = new AbortController().signal
  for (const [outer, inner] of [
    [AbortSignal.abort(), live],
    [live, AbortSignal.abort()],
  ] as const)
    await expect(chainUntil(chainUntil(ask, outer), inner)(network, 'eth_chainId')).rejects.toMatchObject({
      code: 4901,
    })
  expect(posts).toEqual([])
  expect(await chainUntil(chainUntil(ask, live), live)(network, 'eth_chainId')).toBe('0x1')
})

const FIRST = 'https://first.example/'
const SECOND = 'https://second.example/'
const both: Network = { ...(testNetworks[0] as Network), title: 'Test', rpcUrls: [FIRST, SECOND] }

type Reply = (frame: { id: number; method: string }) => unknown
const result: Reply = ({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' })
const unreachable: Reply = () => {
  throw new Error('unreachable')
}

/** Creates nodes by URL, and lists the calls that they received. */
const nodes = (replies: Record<string, Reply>) => {
  const asked: [url: string, method: string][] = []
  const post: Post = async (url, body) => {
    const frame = JSON.parse(body)
    const frames: { id: number; method: string }[] = Array.isArray(frame) ? frame : [frame]
    for (const { method } of frames) asked.push([url, method])
    const answers = frames.map(one => replies[url]?.(one))
    return JSON.stringify(Array.isArray(frame) ? answers : answers[0])
  }
  return { asked, post, replies }
}
const askedOf = (asked: [url: string, method: string][]) => asked.splice(0).map(([url]) => url)

test('a failed node is queried last for a while, and then first again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { asked, post, replies } = nodes({ [FIRST]: unreachable, [SECOND]: result })
  const ask = createChain(post)
  expect(await ask(both, 'eth_chainId')).toBe('0x1')
  expect(askedOf(asked)).toEqual([FIRST, SECOND])
  await ask(both, 'eth_chainId')
  expect(askedOf(asked)).toEqual([SECOND])
  vi.advanceTimersByTime(PASSED_OVER - 1)
  await ask(both, 'eth_chainId')
  expect(askedOf(asked)).toEqual([SECOND])
  replies[FIRST] = result
  vi.advanceTimersByTime(1)
  await ask(both, 'eth_chainId')
  await ask(both, 'eth_chainId')
  expect(askedOf(asked)).toEqual([FIRST, FIRST])
  vi.useRealTimers()
})

test('a recently failed node is queried if all others fail, and regains its place when it answers', async () => {
  const { asked, post, replies } = nodes({ [FIRST]: unreachable, [SECOND]: result })
  const ask = createChain(post)
  await ask(both, 'eth_chainId')
  replies[FIRST] = result
  replies[SECOND] = unreachable
  askedOf(asked)
  expect(await ask(both, 'eth_chainId')).toBe('0x1')
  expect(askedOf(asked)).toEqual([SECOND, FIRST])
  await ask(both, 'eth_chainId')
  expect(askedOf(asked)).toEqual([FIRST])
  replies[FIRST] = unreachable
  await expect(ask(both, 'eth_chainId')).rejects.toMatchObject({ code: 4901 })
  expect(askedOf(asked)).toEqual([FIRST, SECOND])
})

test("a node's own error is final: no other node is queried", async () => {
  const reverted: Reply = ({ id }) => ({ jsonrpc: '2.0', id, error: { code: 3, message: 'execution reverted' } })
  const { asked, post } = nodes({ [FIRST]: reverted, [SECOND]: result })
  await expect(createChain(post)(both, 'eth_call')).rejects.toMatchObject({ code: 3 })
  expect(askedOf(asked)).toEqual([FIRST])
})

const limited: Reply = ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32005, message: 'rate limit reached' } })

test('reads skip a node that limits the rate, and if the last node does too, its error is thrown', async () => {
  const { asked, post, replies } = nodes({ [FIRST]: limited, [SECOND]: result })
  const ask = createChain(post)
  expect(await ask(both, 'eth_call')).toBe('0x1')
  expect(askedOf(asked)).toEqual([FIRST, SECOND])
  await ask(both, 'eth_call')
  expect(askedOf(asked)).toEqual([SECOND])
  replies[SECOND] = limited
  await expect(ask(both, 'eth_call')).rejects.toMatchObject({ code: -32005, reason: 'nodeAnswered' })
  expect(askedOf(asked)).toEqual([SECOND, FIRST])
})

test('if one call in a batch exceeds the rate limit, the whole batch goes to the next node', async () => {
  const { asked, post, replies } = nodes({
    [FIRST]: frame => (frame.id === 2 ? limited : result)(frame),
    [SECOND]: result,
  })
  const ask = createChain(post)
  expect(await askAll(ask, both, questions(2))).toEqual([{ result: '0x1' }, { result: '0x1' }])
  expect(askedOf(asked)).toEqual([FIRST, FIRST, SECOND, SECOND])
  replies[SECOND] = frame => (frame.id % 2 === 0 ? limited : result)(frame)
  replies[FIRST] = unreachable
  await expect(askAll(ask, both, questions(2))).rejects.toMatchObject({ code: 4901 })
  replies[FIRST] = replies[SECOND]
  expect(await askAll(ask, both, questions(2))).toMatchObject([{ result: '0x1' }, { error: { code: -32005 } }])
})

test('a transaction over the rate limit goes to the next node, as the first has not processed it', async () => {
  const { asked, post, replies } = nodes({ [FIRST]: limited, [SECOND]: result })
  expect(await createChain(post)(both, 'eth_sendRawTransaction', ['0x02'])).toBe('0x1')
  expect(askedOf(asked)).toEqual([FIRST, SECOND])
  replies[SECOND] = limited
  const refused = createChain(post)(both, 'eth_sendRawTransaction', ['0x02'])
  await expect(refused).rejects.toMatchObject({ code: -32005 })
  expect(askedOf(asked)).toEqual([FIRST, SECOND])
  replies[FIRST] = ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: 'nonce too low' } })
  const final = createChain(post)(both, 'eth_sendRawTransaction', ['0x02'])
  await expect(final).rejects.toMatchObject({ message: 'nonce too low' })
  expect(askedOf(asked)).toEqual([FIRST])
})

test('HTTP status 429 is 4901, and the next node is queried', async () => {
  const urls: unknown[] = []
  handle = ({ url }, body, response) => {
    urls.push(url)
    const { id } = JSON.parse(body)
    if (url === '/key') response.writeHead(429).end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: 429 } }))
    else response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }))
  }
  const [url = ''] = network.rpcUrls
  await expect(createChain()(network, 'eth_chainId')).rejects.toMatchObject({
    code: 4901,
    reason: 'nodeRateLimited',
    values: { network: 'Test' },
  })
  const twoNodes = { ...network, rpcUrls: [url, url.replace('/key', '/other')] }
  expect(await createChain()(twoNodes, 'eth_chainId')).toBe('0x1')
  expect(urls).toEqual(['/key', '/key', '/other'])
  expect(await createChain()(twoNodes, 'eth_sendRawTransaction', ['0x02'])).toBe('0x1')
  expect(urls.slice(3)).toEqual(['/key', '/other'])
})

test.for([
  [402, 'application/json', '{"message":"Payment Required"}'],
  [403, 'application/json', '{"message":"request jsonRPC method is not permitted"}'],
  [404, 'text/plain', '404 page not found'],
  [502, 'text/html', '<html><title>502 Bad Gateway</title></html>'],
  [503, 'application/json', '{"error":"Service Unavailable"}'],
  [503, 'application/json', '{"timestamp":"2026-11-28","status":503,"error":"Service Unavailable","path":"/"}'],
  [403, 'application/json', '{"error":{"code":403,"message":"Forbidden"}}'],
  [200, 'text/plain', 'error code: 1015'],
] as const)('status %i with %s %s goes to the next node', async ([status, type, text], { expect }) => {
  const urls: unknown[] = []
  handle = ({ url }, body, response) => {
    urls.push(url)
    if (url === '/key') response.writeHead(status, { 'content-type': type }).end(text)
    else response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: '0x1' }))
  }
  const [url = ''] = network.rpcUrls
  const twoNodes = { ...network, rpcUrls: [url, url.replace('/key', '/other')] }
  expect(await createChain()(twoNodes, 'eth_gasPrice')).toBe('0x1')
  expect(urls).toEqual(['/key', '/other'])
})

test("responses with the request's id as text, and with its method, are read, single or in a batch", async () => {
  const { post } = nodes({ [FIRST]: ({ id, method }) => ({ jsonrpc: '2.0', id: String(id), method, result: '0x1' }) })
  expect(await createChain(post)({ ...both, rpcUrls: [FIRST] }, 'eth_gasPrice')).toBe('0x1')
  const outcomes = await askAll(createChain(post), { ...both, rpcUrls: [FIRST] }, questions(2))
  expect(outcomes).toEqual([{ result: '0x1' }, { result: '0x1' }])
})

test.for([
  [31, 'Batch of more than 3 requests are not allowed on free tier, to use this feature register paid account'],
  [-32005, 'batch item count exceeded'],
  [-32600, 'batch requests are not supported'],
] as const)('a batch refused with code %i "%s" is sent as single requests', async ([code, message], { expect }) => {
  const error = { code, message }
  const { post } = nodes({ [FIRST]: result })
  for (const whole of [true, false]) {
    const refusing: Post = async (url, body) => {
      const read = JSON.parse(body)
      if (!Array.isArray(read)) return post(url, body)
      return JSON.stringify(whole ? { jsonrpc: '2.0', id: null, error } : read.map(({ id }) => ({ id, error })))
    }
    const outcomes = await askAll(createChain(refusing), { ...both, rpcUrls: [FIRST] }, questions(2))
    expect(outcomes).toEqual([{ result: '0x1' }, { result: '0x1' }])
  }
})

test('a response that is not JSON-RPC counts as a failure', async () => {
  const { asked, post } = nodes({ [FIRST]: () => '<html>', [SECOND]: result })
  expect(await createChain(post)(both, 'eth_chainId')).toBe('0x1')
  expect(askedOf(asked)).toEqual([FIRST, SECOND])
})

test('a transaction is sent to one node only, and the next attempt goes to the next node', async () => {
  const { asked, post } = nodes({ [FIRST]: unreachable, [SECOND]: result })
  const ask = createChain(post)
  await expect(ask(both, 'eth_sendRawTransaction', ['0x02'])).rejects.toMatchObject({ code: 4901 })
  expect(askedOf(asked)).toEqual([FIRST])
  expect(await ask(both, 'eth_sendRawTransaction', ['0x02'])).toBe('0x1')
  expect(askedOf(asked)).toEqual([SECOND])
})

test.for([
  [429, 'Too Many Requests'],
  [-32005, 'limit'],
  [-32011, 'no backend is currently healthy to serve traffic'],
  [-32016, 'over rate limit'],
  [-32029, 'Your app has exceeded its compute units per second capacity'],
  [-32090, 'Too many requests, reason: call rate limit exhausted'],
  [-32007, '50/second request limit reached'],
  [-32000, 'rate limit exceeded'],
  [-32003, 'daily request limit reached - upgrade your account at node.example'],
  [-32000, 'daily request count exceeded, request rate limited'],
  [-32000, 'project ID request rate exceeded'],
  [-32000, 'exceeded the quota usage'],
  [-32000, "You've exceeded the RPS limit available on the current plan."],
  [-32001, "Usage limit reached: You've reached the usage limit for your current plan."],
  [-32000, 'Monthly capacity limit exceeded. Upgrade your scaling policy'],
  [-32600, 'Your app has exceeded its throughput limit'],
  [-32009, 'trace requests limited to 2/sec'],
  [-32097, 'Rate limit reached for Free tier'],
  [15, 'Too many request, try again later'],
  [-32000, 'cu limit exceeded; Request too fast per second'],
  [-32000, 'Unauthorized: You must authenticate your request with an API key.'],
  [-32600, 'Must be authenticated!'],
] as const)(
  'code %i "%s" goes to the next node: alone, in a batch, and instead of a batch',
  async ([code, message]) => {
    const error = { code, message }
    const { asked, post } = nodes({ [FIRST]: ({ id }) => ({ jsonrpc: '2.0', id, error }), [SECOND]: result })
    expect(await createChain(post)(both, 'eth_call')).toBe('0x1')
    expect(await askAll(createChain(post), both, questions(2))).toEqual([{ result: '0x1' }, { result: '0x1' }])
    expect(askedOf(asked)).toEqual([FIRST, SECOND, FIRST, FIRST, SECOND, SECOND])
    const whole: Post = async (url, body) =>
      url === FIRST ? JSON.stringify({ jsonrpc: '2.0', id: null, error }) : post(url, body)
    expect(await askAll(createChain(whole), both, questions(2))).toEqual([{ result: '0x1' }, { result: '0x1' }])
  },
)

test.for([
  [3, 'execution reverted'],
  [3, 'execution reverted: rate limit exceeded'],
  [-32000, 'execution reverted: Too many requests'],
  [-32015, 'quota exceeded'],
  [-32000, 'exceeds block gas limit'],
  [-32000, 'intrinsic gas too low: gas limit 21000'],
  [-32000, 'txpool is full'],
  [-32603, 'Unauthorized'],
  [30, 'Request timeout on the free tier, please upgrade your tier to the paid one'],
  [504, 'Gateway Timeout'],
  [-32000, 'nonce too low'],
  [-32000, 'max fee per gas less than block base fee'],
  [-32602, 'block range limit exceeded'],
] as const)('code %i "%s" is final', async ([code, message]) => {
  const { asked, post } = nodes({
    [FIRST]: ({ id }) => ({ jsonrpc: '2.0', id, error: { code, message } }),
    [SECOND]: result,
  })
  await expect(createChain(post)(both, 'eth_call')).rejects.toMatchObject({ code, message })
  expect(askedOf(asked)).toEqual([FIRST])
})

test('a node that returns an unreadable number is skipped, and the error names the last node', async () => {
  const { asked, post, replies } = nodes({
    [FIRST]: ({ id }) => ({ jsonrpc: '2.0', id, result: 'lots' }),
    [SECOND]: result,
  })
  const ask = createChain(post)
  expect(await askQuantity(ask, both, 'eth_gasPrice')).toBe(1n)
  expect(askedOf(asked)).toEqual([FIRST, SECOND])
  replies[SECOND] = ({ id }) => ({ jsonrpc: '2.0', id, result: { price: 1 } })
  await expect(askQuantity(createChain(post), both, 'eth_gasPrice')).rejects.toMatchObject({
    code: 4901,
    reason: 'nodeUnreadable',
    values: { network: 'Test', node: 'second.example', method: 'eth_gasPrice', answer: '{"price":1}' },
  })
})

test('the whole batch goes to the next node', async () => {
  const { asked, post } = nodes({ [FIRST]: unreachable, [SECOND]: result })
  const outcomes = await askAll(createChain(post), both, questions(3))
  expect(outcomes).toEqual([{ result: '0x1' }, { result: '0x1' }, { result: '0x1' }])
  expect(askedOf(asked)).toEqual([FIRST, FIRST, FIRST, SECOND, SECOND, SECOND])
})

test('the timeout of a node that does not respond is shorter if there is another node', async () => {
  expect(NODE_PATIENCE).toBeLessThan(NODE_TIMEOUT)
  const asked: string[] = []
  const silent: Post = (url, body, signal) => {
    asked.push(url)
    if (url === SECOND) return Promise.resolve(JSON.stringify(result(JSON.parse(body))))
    return new Promise((_, refuse) => signal?.addEventListener('abort', () => refuse(new Error('timeout'))))
  }
  expect(await createChain(silent, 20)(both, 'eth_chainId')).toBe('0x1')
  expect(asked).toEqual([FIRST, SECOND])
})

test('an aborted call queries no other node, and does not count as a failure', async () => {
  const { asked, post, replies } = nodes({ [FIRST]: unreachable, [SECOND]: result })
  const ask = createChain(post)
  await expect(chainUntil(ask, AbortSignal.abort())(both, 'eth_chainId')).rejects.toMatchObject({ code: 4901 })
  replies[FIRST] = result
  await ask(both, 'eth_chainId')
  expect(askedOf(asked)).toEqual([FIRST, FIRST])
})
