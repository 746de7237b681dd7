import { SocketRefusal } from '@heliograph/shared/server/connection'
import { HttpError, type RequestHead } from '@heliograph/shared/server/http'
import { signJwt } from '@heliograph/shared/wire/relay-auth'
import { expect, test } from 'vitest'
import { identify } from './auth.ts'

const NOW = 1_800_000_000
const key = new Uint8Array(32).fill(1)
const ID = 'did:key:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX'
const claims = { sub: 'ab'.repeat(32), aud: 'wss://relay.example', iat: NOW, exp: NOW + 86_400 }
const token = signJwt(claims, key)
const late = signJwt({ ...claims, exp: NOW - 601 }, key)

const request = (query: Record<string, string>, headers: Record<string, string> = {}): RequestHead => ({
  method: 'GET',
  path: '/',
  query: new URLSearchParams(query),
  headers: new Map(Object.entries(headers)),
})

const identifyAt = (head: RequestHead, audiences: string[] = []) => identify(head, audiences, NOW * 1000)

test('a token in the query or in the header names the client', () => {
  expect(identifyAt(request({ auth: token }))).toBe(ID)
  expect(identifyAt(request({}, { authorization: `Bearer ${token}` }))).toBe(ID)
})

test('without a token every connection has a name of its own', () => {
  const [one, two] = [identifyAt(request({})), identifyAt(request({ auth: '' }, { authorization: 'Basic YTpi' }))]
  expect(one).toMatch(/^socket:[\w-]{22}$/)
  expect(two).toMatch(/^socket:[\w-]{22}$/)
  expect(one).not.toBe(two)
})

test.each(['x', `${token}x`, token.slice(0, -8), late])(
  'a bad token is refused with 401, or with 3000 if asked',
  bad => {
    expect(() => identifyAt(request({ auth: bad }))).toThrow(HttpError)
    expect(() => identifyAt(request({}, { authorization: `Bearer ${bad}` }))).toThrow(
      expect.objectContaining({ status: 401 }),
    )
    const asked = () => identifyAt(request({ auth: bad, useOnCloseEvent: 'true' }))
    expect(asked).toThrow(SocketRefusal)
    expect(asked).toThrow(expect.objectContaining({ code: 3000 }))
  },
)

test('the reason names no part of the token and fits a close frame', () => {
  const reasons = ['x', 'a.b.c', late, `${token}.x`, 'x'.repeat(5000)].map(bad => {
    try {
      return identifyAt(request({ auth: bad }))
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message : ''
    }
  })
  for (const reason of reasons) {
    expect(reason).toMatch(/^JWT /)
    expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123)
  }
})

test('aud counts only where public URLs are configured', () => {
  expect(identifyAt(request({ auth: token }), ['wss://relay.example/'])).toBe(ID)
  expect(() => identifyAt(request({ auth: token }), ['wss://other.example'])).toThrow('JWT aud names another relay')
})
