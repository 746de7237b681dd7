import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchFromGateway } from './gateways.ts'

/** Number of characters, more than the client reads of any response. */
const ENOUGH = 1 << 20

let server: Server
let base: string
const asked: string[] = []

const describeRequest = async (request: IncomingMessage) => {
  const { 'content-type': type, cookie, referer } = request.headers
  return JSON.stringify({ method: request.method, type, cookie, referer, body: await text(request) })
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    if (path === '/slow') return
    if (path === '/endless') {
      const more = () => response.write('x'.repeat(1_000), () => !response.destroyed && setImmediate(more))
      return more()
    }
    if (path === '/moved') response.writeHead(307, { location: '/elsewhere' })
    if (path === '/refused') response.writeHead(404)
    response.end(await describeRequest(request))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const ask = async (path: string, body: string | null, signal = AbortSignal.timeout(30_000)) =>
  fetchFromGateway(`${base}${path}`, body, signal)

test('a query without a body is a GET without cookies and without a referrer', async () => {
  const { status, text: answer } = await ask('/answer', null)
  expect(status).toBe(200)
  expect(JSON.parse(answer)).toEqual({ method: 'GET', body: '' })
})

test('a query with a body is a POST of JSON', async () => {
  const body = '{"data":"0x01"}'
  const { text: answer } = await ask('/answer', body)
  expect(JSON.parse(answer)).toEqual({ method: 'POST', type: 'application/json', body })
})

test('an error response resolves with its status', async () => {
  expect(await ask('/refused', null)).toMatchObject({ status: 404 })
})

test.each([['GET', null] as const, ['POST', '{}'] as const])('a redirect of a %s is not followed', async (_, body) => {
  const before = asked.length
  await expect(ask('/moved', body)).rejects.toThrow()
  expect(asked.slice(before)).toEqual(['/moved'])
})

test('an endless response is read only up to a limit', async () => {
  const { text: answer } = await ask('/endless', null)
  expect(answer.length).toBeLessThan(ENOUGH)
})

test('a gateway that does not respond fails when the signal is aborted', async () => {
  await expect(ask('/slow', null, AbortSignal.timeout(200))).rejects.toThrow()
})
