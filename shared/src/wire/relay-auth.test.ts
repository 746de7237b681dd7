import { ed25519 } from '@noble/curves/ed25519.js'
import { base64urlnopad } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RpcError } from '../errors.ts'
import { decodeDidKey, encodeDidKey } from './did-key.ts'
import { CLOCK_LEEWAY, MAX_TOKEN_LENGTH, signJwt, verifyJwt } from './relay-auth.ts'

const privateKey = new Uint8Array(32).fill(1)
const now = 1_795_224_905
const claims = { sub: 'ab'.repeat(32), aud: 'wss://relay.example.org', iat: now, exp: now + 86_400 }
const token = signJwt(claims, privateKey)
const clientId = encodeDidKey(ed25519.getPublicKey(privateKey))

test('a signed token names its client', () => {
  expect(verifyJwt(token, { now })).toBe(clientId)
})

test('a clock may be off by the leeway and no more', () => {
  expect(verifyJwt(token, { now: now - CLOCK_LEEWAY })).toBe(clientId)
  expect(() => verifyJwt(token, { now: now - CLOCK_LEEWAY - 1 })).toThrow('JWT is issued in the future')
  expect(verifyJwt(token, { now: claims.exp + CLOCK_LEEWAY })).toBe(clientId)
  expect(() => verifyJwt(token, { now: claims.exp + CLOCK_LEEWAY + 1 })).toThrow('JWT has expired')
  expect(() => verifyJwt(token, { now: now - 1, leeway: 0 })).toThrow('JWT is issued in the future')
})

test('the audience counts only where audiences are given, without its last slash', () => {
  expect(verifyJwt(token, { now, audiences: ['wss://a.example.org', 'wss://relay.example.org/'] })).toBe(clientId)
  expect(() => verifyJwt(token, { now, audiences: ['wss://relay.example.org/path'] })).toThrow(
    'JWT aud names another relay',
  )
})

test('further claims are passed over', () => {
  const payload = { act: 'client_auth', iss: clientId, ...claims }
  const part = (value: unknown) => base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)))
  const signed = `${part({ typ: 'JWT', alg: 'EdDSA' })}.${part(payload)}`
  const signature = ed25519.sign(new TextEncoder().encode(signed), privateKey)
  expect(verifyJwt(`${signed}.${base64urlnopad.encode(signature)}`, { now })).toBe(clientId)
})

test('a token has a bound', () => {
  expect(() => verifyJwt('.'.repeat(MAX_TOKEN_LENGTH + 1), { now })).toThrow('JWT is longer than')
})

test('no altered token passes, and no error repeats it', () => {
  const secret = token.split('.')[1] ?? ''
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 2 }), (at, put) => {
      const altered = token.slice(0, at) + put + token.slice(at + 1)
      fc.pre(altered !== token)
      const failure = (() => {
        try {
          return verifyJwt(altered, { now })
        } catch (thrown) {
          return thrown
        }
      })()
      expect(failure).toBeInstanceOf(RpcError)
      expect(failure).toMatchObject({ code: 3000, message: expect.stringMatching(/^JWT /) })
      expect(String(failure)).not.toContain(secret.slice(0, 20))
    }),
    { numRuns: 200 },
  )
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
