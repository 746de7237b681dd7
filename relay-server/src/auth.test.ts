import { SocketRefusal } from '@heliograph/shared/server/transport/connection'
import { HttpError, type RequestHead } from '@heliograph/shared/server/transport/http'
import { signJwt } from '@heliograph/shared/wire/relay-auth'
import { describe, expect, test } from 'vitest'
import { type AuthRules, createIdentify } from './auth.ts'

const NOW = 1_800_000_000
const key = new Uint8Array(32).fill(1)
const ID = 'did:key:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX'
const claims = { sub: 'ab'.repeat(32), aud: 'wss://relay.example', iat: NOW, exp: NOW + 86_400 }
const token = signJwt(claims, key)
const late = signJwt({ ...claims, exp: NOW - 600 }, key)

const open: AuthRules = { auth: 'optional', publicUrls: [], projectIds: [], origins: [] }

const request = (query: Record<string, string>, headers: Record<string, string> = {}): RequestHead => ({
  method: 'GET',
  path: '/',
  query: new URLSearchParams(query),
  headers: new Map(Object.entries(headers)),
})

const identify = async (head: RequestHead, rules: Partial<AuthRules> = {}) =>
  createIdentify({ ...open, ...rules })(head, NOW * 1000)

/** The refusal over HTTP and, for clients that request it, in a close frame. */
const refusals = async (query: Record<string, string>, rules: Partial<AuthRules>, headers = {}) => {
  const over = (more: Record<string, string>) =>
    identify(request({ ...query, ...more }, headers), rules).catch((thrown: unknown) => thrown)
  return [await over({}), await over({ useOnCloseEvent: 'true' })]
}

const expectRefusal = async (
  query: Record<string, string>,
  rules: Partial<AuthRules>,
  status: number,
  message: string,
  headers = {},
) => {
  const [refused, closed] = await refusals(query, rules, headers)
  expect(refused).toBeInstanceOf(HttpError)
  expect(refused).toMatchObject({ status, message })
  expect(closed).toBeInstanceOf(SocketRefusal)
  expect(closed).toMatchObject({ code: 3000, message })
}

describe('tokens', () => {
  test('a token in the query or in the header identifies the client', async () => {
    expect(await identify(request({ auth: token }))).toBe(ID)
    expect(await identify(request({}, { authorization: `Bearer ${token}` }))).toBe(ID)
  })

  test('without a token every connection gets a random name', async () => {
    const one = await identify(request({}))
    const two = await identify(request({ auth: '' }, { authorization: 'Basic YTpi' }))
    expect(one).toMatch(/^socket:[\w-]{22}$/)
    expect(two).toMatch(/^socket:[\w-]{22}$/)
    expect(one).not.toBe(two)
  })

  test('a required token cannot be omitted', async () => {
    await expectRefusal({}, { auth: 'required' }, 401, 'JWT is missing')
    expect(await identify(request({ auth: token }), { auth: 'required' })).toBe(ID)
  })

  test.each(['x', 'a.b.c', `${token}x`, `${token}.x`, token.slice(0, -8), late, 'x'.repeat(5000)])(
    'an invalid token is refused with a reason that does not quote it and fits a close frame',
    async bad => {
      const [refused, closed] = await refusals({ auth: bad }, {})
      expect(refused).toMatchObject({ status: 401, message: expect.stringMatching(/^JWT /) })
      expect(closed).toMatchObject({ code: 3000, message: expect.stringMatching(/^JWT /) })
      const reason = refused instanceof Error ? refused.message : ''
      expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123)
      expect(bad.split('.').some(part => part.length > 20 && reason.includes(part))).toBe(false)
    },
  )

  test('a token with the signature of another key is refused', async () => {
    const foreign = `${token.slice(0, token.lastIndexOf('.'))}.${signJwt(claims, key.with(0, 2)).split('.')[2]}`
    await expectRefusal({ auth: foreign }, {}, 401, 'JWT signature does not match')
  })

  test('a known token is still checked for expiry', async () => {
    const known = createIdentify(open)
    expect(known(request({ auth: token }), NOW * 1000)).toBe(ID)
    expect(known(request({ auth: token }), NOW * 1000)).toBe(ID)
    expect(() => known(request({ auth: token }), (claims.exp + 600) * 1000)).toThrow('JWT has expired')
  })

  test('aud is checked only if public URLs are configured', async () => {
    expect(await identify(request({ auth: token }), { publicUrls: ['wss://relay.example/'] })).toBe(ID)
    await expectRefusal({ auth: token }, { publicUrls: ['wss://other.example'] }, 401, 'JWT aud is another relay')
  })
})

describe('lists of the settings', () => {
  const projectIds = ['0123', '4567']
  test('only listed project ids may connect, if there is a list', async () => {
    await expectRefusal({}, { projectIds }, 400, 'Project ID is missing')
    await expectRefusal({ projectId: '89ab' }, { projectIds }, 403, 'Project not found')
    expect(await identify(request({ projectId: '4567', auth: token }), { projectIds })).toBe(ID)
    expect(await identify(request({ projectId: '89ab', auth: token }))).toBe(ID)
  })

  test('only web pages of listed origins may connect, and clients without an origin', async () => {
    const origins = ['https://app.example', 'chrome-extension://abcdef']
    const message = 'Unauthorized: origin not allowed'
    for (const origin of ['https://evil.example', 'https://app.example.evil', 'http://app.example', 'null'])
      await expectRefusal({ auth: token }, { origins }, 403, message, { origin })
    for (const origin of origins) expect(await identify(request({ auth: token }, { origin }), { origins })).toBe(ID)
    expect(await identify(request({ auth: token }), { origins })).toBe(ID)
  })

  test('project, token and origin are checked in this order', async () => {
    const rules: Partial<AuthRules> = { auth: 'required', projectIds, origins: ['https://app.example'] }
    const headers = { origin: 'https://evil.example' }
    await expectRefusal({}, rules, 400, 'Project ID is missing', headers)
    await expectRefusal({ projectId: '0123' }, rules, 401, 'JWT is missing', headers)
    await expectRefusal({ projectId: '0123', auth: token }, rules, 403, 'Unauthorized: origin not allowed', headers)
  })
})
