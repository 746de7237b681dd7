import { ed25519 } from '@noble/curves/ed25519.js'
import { expect, test } from 'vitest'
import { encodeDidKey } from './did-key.ts'
import { encodeJwt } from './relay-auth.ts'
import { readRegisterAuth, readUnregisterAuth } from './watch.ts'

const MAX_WATCH_SECONDS = 2_592_000

const privateKey = new Uint8Array(32).fill(1)
const client = encodeDidKey(ed25519.getPublicKey(privateKey))
const now = 1_795_224_905
const rules = { now }

const common = {
  iss: client,
  aud: 'wss://relay.example.org',
  sub: 'https://push.example.org',
  iat: now,
  typ: 'subscriber',
  whu: 'https://push.example.org/v1/watch',
}
const registering = { ...common, act: 'irn_watchRegister', exp: now + 600, tag: [1100], sts: ['accepted'] }
const unregistering = { ...common, act: 'irn_watchUnregister' }

const tokenOf = (claims: object) => encodeJwt(claims, signed => ed25519.sign(signed, privateKey))

test('reads a registration and its signer, and drops unknown claims', () => {
  const {
    client: signer,
    claims,
    signed,
    signature,
    publicKey,
  } = readRegisterAuth(tokenOf({ ...registering, ksu: 'x' }), rules)
  const { iss: _, ...rest } = registering
  expect(claims).toEqual(rest)
  expect(signer).toBe(client)
  expect(ed25519.verify(signature, signed, publicKey)).toBe(true)
})

test.each([
  [{ act: 'irn_watchUnregister' }, 'act: must be irn_watchRegister'],
  [{ typ: 'both' }, 'typ: must be subscriber or publisher'],
  [{ sub: '' }, 'sub: must have 1 to 256 characters'],
  [{ sub: 'x'.repeat(257) }, 'sub: must have 1 to 256 characters'],
  [{ whu: `https://push.example.org/${'x'.repeat(232)}` }, 'whu: must be an http or https URL'],
  [{ whu: 'https://a:SECRET@push.example.org/' }, 'whu: must be an http or https URL'],
  [{ tag: [] }, 'tag: must have 1 to 128 items'],
  [{ tag: Array.from({ length: 129 }, () => 1) }, 'tag: must have 1 to 128 items'],
  [{ tag: [-1] }, 'tag[0]: must be a whole number from 0'],
  [{ tag: undefined }, 'tag: is missing'],
  [{ sts: [] }, 'sts: must have 1 to'],
  [{ sts: ['accepted', 'lost'] }, 'sts[1]: must be one of accepted, queued, delivered'],
  [{ exp: undefined }, 'exp: is missing'],
  [{ exp: `${now + 1}` }, 'exp: must be of type number'],
  [{ exp: now + MAX_WATCH_SECONDS + 1 }, `exp: must be at most ${MAX_WATCH_SECONDS} seconds after iat`],
])('refuses a registration with %j without quoting it', (change, rule) => {
  const read = () => readRegisterAuth(tokenOf({ ...registering, ...change }), rules)
  expect(read).toThrow(`params.registerAuth.${rule}`)
  expect(read).not.toThrow('SECRET')
})

test('accepts a registration for thirty days', () => {
  const exp = now + MAX_WATCH_SECONDS
  expect(readRegisterAuth(tokenOf({ ...registering, exp }), rules).claims.exp).toBe(exp)
})

test.each([
  ['a token', 'JWT must have three parts'],
  [tokenOf({ ...registering, iss: 'did:key:z6Mk' }), 'JWT iss must be the did:key'],
  [tokenOf({ ...registering, iat: now + 601, exp: now + 700 }), 'JWT was issued in the future'],
  [tokenOf({ ...registering, iat: now - 2000, exp: now - 601 }), 'JWT has expired'],
])('case %#: refuses an invalid or expired token with code 3000', (token, rule) => {
  expect(() => readRegisterAuth(token, rules)).toThrow(expect.objectContaining({ code: 3000 }))
  expect(() => readRegisterAuth(token, rules)).toThrow(rule)
})

test('checks the audience if the relay has public URLs', () => {
  const token = tokenOf(registering)
  expect(readRegisterAuth(token, { now, audiences: ['wss://relay.example.org/'] }).client).toBe(client)
  expect(() => readRegisterAuth(token, { now, audiences: ['wss://other.example.org'] })).toThrow(
    'JWT aud is another relay',
  )
})

test('a token that unregisters a watch may lack exp, and still expires', () => {
  const token = tokenOf(unregistering)
  expect(readUnregisterAuth(token, rules).claims).toMatchObject({ typ: 'subscriber', whu: common.whu })
  expect(readUnregisterAuth(token, { now: now + MAX_WATCH_SECONDS }).client).toBe(client)
  expect(() => readUnregisterAuth(token, { now: now + MAX_WATCH_SECONDS + 601 })).toThrow('JWT has expired')
  expect(() => readUnregisterAuth(tokenOf({ ...unregistering, exp: now - 601 }), rules)).toThrow('JWT has expired')
  expect(() => readUnregisterAuth(tokenOf(registering), rules)).toThrow(
    'params.unregisterAuth.act: must be irn_watchUnregister',
  )
})
