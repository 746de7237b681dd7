import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeDidKey, encodeDidKey } from './did-key.ts'
import {
  CLOCK_LEEWAY,
  encodeJwt,
  MAX_TOKEN_LENGTH,
  MAX_TOKEN_SECONDS,
  type Rules,
  readJwt,
  signJwt,
} from './relay-auth.ts'

const privateKey = new Uint8Array(32).fill(1)
const now = 1_795_224_905
const claims = { sub: 'ab'.repeat(32), aud: 'wss://relay.example.org', iat: now, exp: now + 86_400 }
const token = signJwt(claims, privateKey)
const clientId = encodeDidKey(ed25519.getPublicKey(privateKey))

const clientOf = (token: string, rules: Rules) => readJwt(token, rules).client
/** A token with other claims beside the usual ones. */
const tokenWith = (more: object) =>
  encodeJwt({ iss: clientId, ...claims, ...more }, signed => ed25519.sign(signed, privateKey))

test('a token names its client', () => {
  expect(clientOf(token, { now })).toBe(clientId)
})

test('a token expires on the second of exp', () => {
  const rules = { leeway: 0 }
  expect(clientOf(token, { now: claims.exp - 1, ...rules })).toBe(clientId)
  expect(clientOf(token, { now: claims.exp - 0.001, ...rules })).toBe(clientId)
  for (const late of [claims.exp, claims.exp + 1])
    expect(() => clientOf(token, { now: late, ...rules })).toThrow('JWT has expired')
})

test('a token is not accepted before nbf, if it has one', () => {
  const later = tokenWith({ nbf: now + 60 })
  expect(() => clientOf(later, { now: now + 59, leeway: 0 })).toThrow('JWT is not valid yet')
  expect(clientOf(later, { now: now + 60, leeway: 0 })).toBe(clientId)
  expect(clientOf(later, { now: now + 60 - CLOCK_LEEWAY })).toBe(clientId)
  expect(() => clientOf(tokenWith({ nbf: 'x' }), { now })).toThrow('JWT payload must hold iss, aud, iat and exp')
})

test('a token lasts seven days at most, whatever part of them is over', () => {
  expect(MAX_TOKEN_SECONDS).toBe(604_800)
  expect(clientOf(tokenWith({ exp: now + MAX_TOKEN_SECONDS }), { now })).toBe(clientId)
  const days = { exp: now + MAX_TOKEN_SECONDS + 1 }
  const old = { iat: now - 364 * 86_400, exp: now + 86_400 }
  for (const long of [days, old, { exp: Number.MAX_SAFE_INTEGER }])
    expect(() => clientOf(tokenWith(long), { now })).toThrow('JWT exp must be at most 604800 seconds after iat')
})

test('a clock may be off by the leeway and no more', () => {
  expect(clientOf(token, { now: now - CLOCK_LEEWAY })).toBe(clientId)
  expect(() => clientOf(token, { now: now - CLOCK_LEEWAY - 1 })).toThrow('JWT is issued in the future')
  expect(clientOf(token, { now: claims.exp + CLOCK_LEEWAY - 1 })).toBe(clientId)
  expect(() => clientOf(token, { now: claims.exp + CLOCK_LEEWAY })).toThrow('JWT has expired')
  expect(() => clientOf(token, { now: now - 1, leeway: 0 })).toThrow('JWT is issued in the future')
})

test('the audience counts only where audiences are given, without its last slash', () => {
  expect(clientOf(token, { now, audiences: ['wss://a.example.org', 'wss://relay.example.org/'] })).toBe(clientId)
  expect(() => clientOf(token, { now, audiences: ['wss://relay.example.org/path'] })).toThrow(
    'JWT aud names another relay',
  )
})

test('further claims are passed over', () => {
  expect(clientOf(tokenWith({ act: 'client_auth' }), { now })).toBe(clientId)
})

test('a token has a bound', () => {
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
