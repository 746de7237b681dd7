import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeDidKey, encodeDidKey } from './did-key.ts'
import { encodeJwt, readJwt, signJwt, type TokenRules } from './relay-auth.ts'

const CLOCK_LEEWAY = 600
const MAX_TOKEN_LENGTH = 4096
const MAX_TOKEN_SECONDS = 604_800

const privateKey = new Uint8Array(32).fill(1)
const now = 1_795_224_905
const claims = { sub: 'ab'.repeat(32), aud: 'wss://relay.example.org', iat: now, exp: now + 86_400 }
const token = signJwt(claims, privateKey)
const clientId = encodeDidKey(ed25519.getPublicKey(privateKey))

const clientOf = (token: string, rules: TokenRules) => readJwt(token, rules).client
/** Signs a token with additional or replaced claims. */
const tokenWith = (more: object) =>
  encodeJwt({ iss: clientId, ...claims, ...more }, signed => ed25519.sign(signed, privateKey))

test('a token identifies its client', () => {
  expect(clientOf(token, { now })).toBe(clientId)
})

test('a token expires at exp', () => {
  const rules = { leeway: 0 }
  expect(clientOf(token, { now: claims.exp - 1, ...rules })).toBe(clientId)
  expect(clientOf(token, { now: claims.exp - 0.001, ...rules })).toBe(clientId)
  for (const late of [claims.exp, claims.exp + 1])
    expect(() => clientOf(token, { now: late, ...rules })).toThrow('JWT has expired')
})

test('a token is not accepted before nbf, if present', () => {
  const later = tokenWith({ nbf: now + 60 })
  expect(() => clientOf(later, { now: now + 59, leeway: 0 })).toThrow('JWT is not valid yet')
  expect(clientOf(later, { now: now + 60, leeway: 0 })).toBe(clientId)
  expect(clientOf(later, { now: now + 60 - CLOCK_LEEWAY })).toBe(clientId)
  expect(() => clientOf(tokenWith({ nbf: 'x' }), { now })).toThrow('JWT payload must have iss, aud, iat and exp')
})

test('refuses tokens valid for more than seven days, however much time has passed', () => {
  expect(clientOf(tokenWith({ exp: now + MAX_TOKEN_SECONDS }), { now })).toBe(clientId)
  const days = { exp: now + MAX_TOKEN_SECONDS + 1 }
  const old = { iat: now - 364 * 86_400, exp: now + 86_400 }
  for (const long of [days, old, { exp: Number.MAX_SAFE_INTEGER }])
    expect(() => clientOf(tokenWith(long), { now })).toThrow('JWT exp must be at most 604800 seconds after iat')
})

test('tolerates clock skew up to the leeway', () => {
  expect(clientOf(token, { now: now - CLOCK_LEEWAY })).toBe(clientId)
  expect(() => clientOf(token, { now: now - CLOCK_LEEWAY - 1 })).toThrow('JWT was issued in the future')
  expect(clientOf(token, { now: claims.exp + CLOCK_LEEWAY - 1 })).toBe(clientId)
  expect(() => clientOf(token, { now: claims.exp + CLOCK_LEEWAY })).toThrow('JWT has expired')
  expect(() => clientOf(token, { now: now - 1, leeway: 0 })).toThrow('JWT was issued in the future')
})

test('checks aud only if audiences are given, and ignores a trailing slash', () => {
  expect(clientOf(token, { now, audiences: ['wss://a.example.org', 'wss://relay.example.org/'] })).toBe(clientId)
  expect(() => clientOf(token, { now, audiences: ['wss://relay.example.org/path'] })).toThrow(
    'JWT aud is another relay',
  )
})

test('ignores additional claims', () => {
  expect(clientOf(tokenWith({ act: 'client_auth' }), { now })).toBe(clientId)
})

test('limits the length of a token', () => {
  expect(() => readJwt('.'.repeat(MAX_TOKEN_LENGTH + 1), { now })).toThrow('JWT is longer than')
})

test('every Ed25519 key has one did:key', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), key => {
      const did = encodeDidKey(key)
      expect(did).toMatch(/^did:key:z6Mk\w{44}$/)
      expect(decodeDidKey(did)).toEqual(key)
    }),
  )
})
