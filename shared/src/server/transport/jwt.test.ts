import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RpcError } from '../../errors.ts'
import { encodeDidKey } from '../../wire/did-key.ts'
import { encodeJwt, readJwt, signJwt } from '../../wire/relay-auth.ts'
import { readRegisterAuth } from '../../wire/watch.ts'
import { assertSigned } from './jwt.ts'

const privateKey = new Uint8Array(32).fill(1)
const now = 1_795_224_905
const claims = { sub: 'ab'.repeat(32), aud: 'wss://relay.example.org', iat: now, exp: now + 86_400 }
const token = signJwt(claims, privateKey)
const clientId = encodeDidKey(ed25519.getPublicKey(privateKey))
const clientOf = (token: string) => assertSigned(readJwt(token, { now })).client

const failureOf = (token: string): unknown => {
  try {
    return clientOf(token)
  } catch (thrown) {
    return thrown
  }
}

/** The same signature with the group order added to s, which ZIP 215 verifiers accept. */
const withRaisedS = (signature: Uint8Array): Uint8Array => {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const s = signature.subarray(32).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n) + order
  const raised = Uint8Array.from({ length: 32 }, (_, index) => Number((s >> BigInt(8 * index)) & 255n))
  return Uint8Array.of(...signature.subarray(0, 32), ...raised)
}

test('a signed token identifies its client', () => {
  expect(clientOf(token)).toBe(clientId)
})

test('the token of a watch is verified the same way', () => {
  const watch = {
    ...claims,
    iss: clientId,
    act: 'irn_watchRegister',
    typ: 'subscriber',
    whu: 'https://push.example.org/v1/watch',
    tag: [1100],
    sts: ['accepted'],
  }
  const tokenOf = (key: Uint8Array) => encodeJwt(watch, signed => ed25519.sign(signed, key))
  expect(assertSigned(readRegisterAuth(tokenOf(privateKey), { now })).client).toBe(clientId)
  const foreign = readRegisterAuth(tokenOf(privateKey.with(0, 2)), { now })
  expect(() => assertSigned(foreign)).toThrow('JWT signature does not match')
})

test('refuses a malleated signature', () => {
  const raised = encodeJwt({ iss: clientId, ...claims }, signed => withRaisedS(ed25519.sign(signed, privateKey)))
  expect(() => clientOf(raised)).toThrow('JWT signature does not match')
})

test('refuses a key of small order, for which anyone can sign', () => {
  const iss = encodeDidKey(Uint8Array.of(1, ...new Uint8Array(31)))
  const forged = encodeJwt({ iss, ...claims }, () => Uint8Array.of(1, ...new Uint8Array(63)))
  expect(() => clientOf(forged)).toThrow('JWT iss must be a canonical Ed25519 key, not of small order')
})

test('refuses a key that is not a curve point', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), key => {
      const forged = encodeJwt({ iss: encodeDidKey(key), ...claims }, () => new Uint8Array(64))
      expect(() => clientOf(forged)).toThrow(
        /^JWT (signature does not match|iss must be a canonical Ed25519 key, not of small order)$/,
      )
    }),
  )
})

test('refuses any altered token without quoting it', () => {
  const secret = token.split('.')[1] ?? ''
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 2 }), (at, put) => {
      const altered = token.slice(0, at) + put + token.slice(at + 1)
      fc.pre(altered !== token)
      const failure = failureOf(altered)
      expect(failure).toBeInstanceOf(RpcError)
      expect(failure).toMatchObject({ code: 3000, message: expect.stringMatching(/^JWT /) })
      expect(String(failure)).not.toContain(secret.slice(0, 20))
    }),
    { numRuns: 200 },
  )
})

test('agrees with an independent verifier', () => {
  const bytes = fc.uint8Array({ minLength: 64, maxLength: 64 })
  const own = fc.nat(63).chain(at => fc.nat(255).map(byte => [at, byte] as const))
  fc.assert(
    fc.property(fc.oneof(bytes, own), change => {
      let signed = new Uint8Array()
      let signature = new Uint8Array()
      const text = encodeJwt({ iss: clientId, ...claims }, given => {
        signed = Uint8Array.from(given)
        signature = Uint8Array.from(ed25519.sign(given, privateKey))
        signature = change instanceof Uint8Array ? Uint8Array.from(change) : signature.with(...change)
        return signature
      })
      const isValid = ed25519.verify(signature, signed, ed25519.getPublicKey(privateKey), { zip215: false })
      expect(failureOf(text) === clientId).toBe(isValid)
    }),
  )
})
