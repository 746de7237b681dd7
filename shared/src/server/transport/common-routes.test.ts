import { expect, test } from 'vitest'
import { createMetrics } from '../metrics/metrics.ts'
import { local } from './caller.fixture.ts'
import { commonRoutes } from './common-routes.ts'
import { createRouter } from './http.ts'

/** Calls GET on a service in the given state. */
const get = async (
  path: string,
  { failure, degraded = [], statusToken }: { failure?: string; degraded?: string[]; statusToken?: string },
  authorization?: string,
) => {
  const service = { name: 'Test Service', version: '3.1', prefix: 'TEST' }
  const routes = commonRoutes({
    service,
    metrics: createMetrics(),
    statusToken,
    failure: () => failure,
    degraded: () => degraded,
  })
  const headers = new Map(authorization === undefined ? [] : [['authorization', authorization]])
  const router = createRouter(routes, fault => expect.unreachable(String(fault)))
  return router({ method: 'GET', path, query: new URLSearchParams(), headers, caller: local, body: new Uint8Array() })
}

test.each([
  ['/health', {}, 200, { status: 'ok' }],
  ['/ready', {}, 200, { status: 'ready' }],
  ['/health', { failure: 'no space' }, 503, { status: 'failing', reason: 'no space' }],
  ['/ready', { failure: 'no space' }, 503, { status: 'failing', reason: 'no space' }],
  ['/health', { degraded: ['a', 'b'] }, 200, { status: 'degraded', reasons: ['a', 'b'] }],
  ['/ready', { degraded: ['a'] }, 200, { status: 'degraded', reasons: ['a'] }],
  ['/ready', { degraded: ['a'], failure: 'no space' }, 503, { status: 'failing', reason: 'no space' }],
])('%s of a service with %j is %i', async (path, state, status, said) => {
  const reply = await get(path, state)
  expect([reply.status, JSON.parse(reply.body)]).toEqual([status, said])
})

test('with a status token the metrics require it, and health does not', async () => {
  expect((await get('/metrics', {})).status).toBe(200)
  expect((await get('/metrics', { statusToken: 'sesame' }, 'Bearer sesame')).status).toBe(200)
  for (const authorization of [undefined, 'Bearer x', 'Basic sesame']) {
    const { status, headers, body } = await get('/metrics', { statusToken: 'sesame' }, authorization)
    expect([status, headers['WWW-Authenticate']]).toEqual([401, 'Bearer'])
    expect(body).not.toMatch(/heliograph|sesame/)
  }
  expect((await get('/health', { statusToken: 'sesame' })).status).toBe(200)
  expect((await get('/ready', { statusToken: 'sesame' })).status).toBe(200)
})
