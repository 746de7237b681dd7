import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultNetworks, type Network } from '@heliograph/shared/network'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askQuantity, createChain, isUnreachable, NODE_TIMEOUT, postWithin } from './chain.ts'

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
  const [first] = defaultNetworks
  if (!first) throw new Error('there is a network')
  network = { ...first, title: 'Test', rpcUrl: `http://127.0.0.1:${port}/key` }
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

test('a request is JSON-RPC over POST, and its result is the answer', async () => {
  let seen: unknown
  handle = (request, body, response) => {
    seen = [request.method, request.url, request.headers['content-type'], request.headers.cookie, JSON.parse(body)]
    response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: { number: '0x1' } }))
  }
  expect(await createChain()(network, 'eth_getBlockByNumber', ['latest', false])).toEqual({ number: '0x1' })
  const message = { id: 1, jsonrpc: '2.0', method: 'eth_getBlockByNumber', params: ['latest', false] }
  expect(seen).toEqual(['POST', '/key', 'application/json', undefined, message])
})

test('each request has an id of its own', async () => {
  const ids: unknown[] = []
  handle = answering(id => {
    ids.push(id)
    return JSON.stringify({ jsonrpc: '2.0', id, result: null })
  })
  const ask = createChain()
  await Promise.all([ask(network, 'eth_syncing'), ask(network, 'eth_syncing'), ask(network, 'eth_syncing')])
  expect(new Set(ids).size).toBe(3)
})

test("the node's own error is passed on, whatever the status of the answer", async () => {
  handle = (_, body, response) => {
    response.statusCode = 500
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, error }))
  }
  const refused = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
  await expect(chain(network, 'eth_call')).rejects.toMatchObject(refused)
})

test('what is no answer to the request is 4901', async () => {
  const answers: ((id: number) => string)[] = [
    () => '<html>Bad gateway</html>',
    () => '',
    id => JSON.stringify({ jsonrpc: '2.0', id: id + 1, result: '0x1' }),
    id => JSON.stringify({ jsonrpc: '2.0', id: String(id), result: '0x1' }),
    id => JSON.stringify([{ jsonrpc: '2.0', id, result: '0x1' }]),
    id => JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_call', params: [] }),
    id => JSON.stringify({ jsonrpc: '2.0', id }),
    id => JSON.stringify({ jsonrpc: '2.0', id, error: 'no' }),
    id => `{"jsonrpc":"2.0","id":${id},"result":${'['.repeat(300)}${']'.repeat(300)}}`,
  ]
  for (const answer of answers) {
    handle = answering(answer)
    await expect(chain(network, 'eth_chainId'), String(answer)).rejects.toMatchObject({
      code: 4901,
      message: 'The Test RPC gave an answer that is not JSON-RPC',
    })
  }
})

test('a node that does not answer in time is 4901', async () => {
  expect(NODE_TIMEOUT).toBe(20_000)
  handle = () => {}
  await expect(createChain(postWithin(20))(network, 'eth_chainId')).rejects.toMatchObject({ code: 4901 })
})

test('a node that breaks off, that redirects, or that is not there is 4901, and its URL is not told', async () => {
  const cannot = { code: 4901, message: 'Cannot reach the Test RPC' }
  handle = (_request, _body, response) => void response.destroy()
  await expect(chain(network, 'eth_chainId')).rejects.toMatchObject(cannot)
  handle = (request, body, response) => {
    if (request.url === '/key') response.writeHead(307, { location: '/elsewhere' }).end()
    else response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: '0x1' }))
  }
  await expect(chain(network, 'eth_chainId')).rejects.toMatchObject(cannot)
  await expect(chain({ ...network, rpcUrl: 'http://127.0.0.1:1/' }, 'eth_chainId')).rejects.toMatchObject(cannot)
})

test('a network without an RPC URL is 4901, and nothing is asked', async () => {
  const asked: string[] = []
  const ask = createChain(async url => {
    asked.push(url)
    return ''
  })
  const { rpcUrl: _, ...without } = network
  await expect(ask(without, 'eth_chainId')).rejects.toMatchObject({
    code: 4901,
    message: expect.stringContaining('Test has no RPC URL yet'),
  })
  expect(asked).toEqual([])
})

test('a quantity that is none is 4901', async () => {
  handle = answering(id => JSON.stringify({ jsonrpc: '2.0', id, result: '0x2a' }))
  expect(await askQuantity(chain, network, 'eth_gasPrice')).toBe(42n)
  for (const result of [null, 42, '42', '0x', '0x02a', '-0x1', `0x1${'0'.repeat(64)}`, {}]) {
    handle = answering(id => JSON.stringify({ jsonrpc: '2.0', id, result }))
    const error = await askQuantity(chain, network, 'eth_gasPrice').catch(thrown => thrown)
    expect(isUnreachable(error), String(result)).toBe(true)
    expect(error.message).toBe('The Test RPC gave no number for eth_gasPrice')
  }
})
