/** Tokens as JOSE libraries make them (RFC 7515, RFC 7519). They differ from the tokens of WalletConnect's clients. */
import { createPrivateKey, sign } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeDidKey } from '../../wire/did-key.ts'
import { readJwt, type TokenRules } from '../../wire/relay-auth.ts'
import { readRegisterAuth } from '../../wire/watch.ts'
import { assertSigned } from './jwt.ts'

const PUBLIC_URL = 'wss://relay.example.org'
const now = 1_795_224_905
const rules: TokenRules = { now, audiences: [PUBLIC_URL] }

const seed = new Uint8Array(32).fill(7)
const publicKey = ed25519.getPublicKey(seed)
const client = encodeDidKey(publicKey)
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const privateKey = createPrivateKey({
  key: { kty: 'OKP', crv: 'Ed25519', d: base64(seed), x: base64(publicKey) },
  format: 'jwk',
})

const part = (text: string) => base64(Buffer.from(text))

/** Signs the header and the claims, each given as JSON. */
const signed = (header: string, claims: string): string => {
  const parts = `${part(header)}.${part(claims)}`
  return `${parts}.${base64(sign(undefined, Buffer.from(parts), privateKey))}`
}

const usualClaims = { iss: client, sub: 'ab'.repeat(32), aud: PUBLIC_URL, iat: now, exp: now + 3600 }
const tokenOf = (header: object, claims: object = {}) =>
  signed(JSON.stringify(header), JSON.stringify({ ...usualClaims, ...claims }))
const clientOf = (token: string) => assertSigned(readJwt(token, rules)).client

const usual = { alg: 'EdDSA', typ: 'JWT' }

test.each([
  ['header {"alg":"EdDSA"}', { alg: 'EdDSA' }, {}],
  ['alg Ed25519', { alg: 'Ed25519', typ: 'JWT' }, {}],
  ['typ jwt', { alg: 'EdDSA', typ: 'jwt' }, {}],
  ['typ Jwt', { alg: 'EdDSA', typ: 'Jwt' }, {}],
  ['typ application/jwt', { alg: 'EdDSA', typ: 'application/jwt' }, {}],
  ['typ Application/JWT', { alg: 'EdDSA', typ: 'Application/JWT' }, {}],
  ['an extra kid', { ...usual, kid: 'key-1' }, {}],
  ['many extra members', { ...usual, kid: 'a', jku: 'https://x.example', jwk: {}, x5c: [], cty: null, b64: true }, {}],
  ['iat and exp with fractions', usual, { iat: now + 0.25, exp: now + 3600.75 }],
  ['nbf with a fraction', usual, { nbf: now - 0.5 }],
  ['an aud list of one', usual, { aud: [PUBLIC_URL] }],
  ['an aud list of several', usual, { aud: ['https://app.example', 'urn:x', `${PUBLIC_URL}/`] }],
  ['aud with the default port', usual, { aud: `${PUBLIC_URL}:443` }],
  ['aud with a host in another case', usual, { aud: 'wss://Relay.Example.org' }],
  ['extra claims', usual, { jti: 'x', scope: null, act: {} }],
])('a token with %s is accepted', (_, header, claims) => {
  expect(clientOf(tokenOf(header, claims))).toBe(client)
})

const HEADER = 'JWT header must have'
const PAYLOAD = 'JWT payload must have iss, aud, iat and exp'

test.each([
  ['crit', { ...usual, crit: ['b64'], b64: false }, {}, HEADER],
  ['crit without items', { ...usual, crit: [] }, {}, HEADER],
  ['crit null', { ...usual, crit: null }, {}, HEADER],
  ['alg none', { alg: 'none' }, {}, HEADER],
  ['alg in another case', { alg: 'EDDSA' }, {}, HEADER],
  ['alg ed25519', { alg: 'ed25519' }, {}, HEADER],
  ['alg ES256', { alg: 'ES256', typ: 'JWT' }, {}, HEADER],
  ['alg as a list', { alg: ['EdDSA'] }, {}, HEADER],
  ['no alg', { typ: 'JWT' }, {}, HEADER],
  ['typ of another kind of token', { alg: 'EdDSA', typ: 'at+jwt' }, {}, HEADER],
  ['typ JWS', { alg: 'EdDSA', typ: 'JOSE' }, {}, HEADER],
  ['typ with blanks', { alg: 'EdDSA', typ: ' JWT' }, {}, HEADER],
  ['typ as a number', { alg: 'EdDSA', typ: 1 }, {}, HEADER],
  ['a list as its header', [usual], {}, HEADER],
  ['another aud in a list', usual, { aud: ['wss://relay.example.com'] }, 'JWT aud is another relay'],
  ['aud at another port', usual, { aud: `${PUBLIC_URL}:8443` }, 'JWT aud is another relay'],
  ['aud https', usual, { aud: 'https://relay.example.org' }, 'JWT aud is another relay'],
  ['an empty aud list', usual, { aud: [] }, 'JWT aud is another relay'],
  ['a number in aud', usual, { aud: [PUBLIC_URL, 1] }, PAYLOAD],
  ['a list in aud', usual, { aud: [[PUBLIC_URL]] }, PAYLOAD],
  ['aud null', usual, { aud: null }, PAYLOAD],
  ['iat as text', usual, { iat: `${now}` }, PAYLOAD],
  ['exp null', usual, { exp: null }, PAYLOAD],
  ['exp in the past by a fraction', usual, { iat: now - 900, exp: now - 600.5 }, 'JWT has expired'],
  ['exp too late by a fraction', usual, { exp: now + 604_800.5 }, 'JWT exp must be at most'],
  ['nbf in the future by a fraction', usual, { nbf: now + 600.5 }, 'JWT is not valid yet'],
])('a token with %s is refused', (_, header, claims, reason) => {
  expect(() => clientOf(tokenOf(header, claims))).toThrow(expect.objectContaining({ code: 3000 }))
  expect(() => clientOf(tokenOf(header, claims))).toThrow(reason)
})

test('times too large for a number are refused', () => {
  for (const [name, value] of [
    ['iat', '-1e999'],
    ['exp', '1e999'],
    ['nbf', '-1e999'],
  ] as const) {
    const claims = JSON.stringify({ ...usualClaims, [name]: 0 }).replace(`"${name}":0`, `"${name}":${value}`)
    expect(() => clientOf(signed(JSON.stringify(usual), claims))).toThrow(PAYLOAD)
  }
})

test('a watch may have a list of audiences and fractions of seconds', () => {
  const watch = {
    ...usualClaims,
    act: 'irn_watchRegister',
    typ: 'subscriber',
    sub: 'https://push.example.org',
    whu: 'https://push.example.org/v1/watch',
    aud: ['https://other.example', PUBLIC_URL],
    iat: now + 0.5,
    exp: now + 600.5,
    tag: [1100],
    sts: ['accepted'],
  }
  const token = signed(JSON.stringify({ alg: 'EdDSA', kid: '1' }), JSON.stringify(watch))
  expect(assertSigned(readRegisterAuth(token, rules)).client).toBe(client)
})

const recased = (text: string) =>
  fc
    .infiniteStream(fc.boolean())
    .map(upper => [...text].map(letter => (upper.next().value ? letter.toUpperCase() : letter.toLowerCase())).join(''))

const typ = fc.option(fc.oneof(recased('JWT'), recased('application/jwt')), { nil: undefined })
const ALGORITHMS = ['EdDSA', 'Ed25519'] as const
const KNOWN_MEMBERS = ['alg', 'typ', 'crit']
const extraMembers = fc
  .dictionary(
    fc.oneof(fc.constantFrom('kid', 'jku', 'jwk', 'x5c', 'x5t#S256', 'cty', 'iss', 'zip', '__proto__'), fc.string()),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 4 },
  )
  .map(members => Object.fromEntries(Object.entries(members).filter(([name]) => !KNOWN_MEMBERS.includes(name))))
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const time = (least: number, most: number) =>
  fc.tuple(fc.integer({ min: least, max: most }), fraction).map(([whole, part]) => whole + part)
const spelledUrl = fc.tuple(recased(PUBLIC_URL), fc.constantFrom('', '/', ':443', ':443/')).map(pair => pair.join(''))
const otherAudience = fc.oneof(
  fc.webUrl({ validSchemes: ['https', 'wss'] }),
  fc.string(),
  fc.constant('wss://relay.example.com'),
)
const aud = fc.oneof(
  spelledUrl,
  fc
    .tuple(fc.array(otherAudience, { maxLength: 3 }), spelledUrl, fc.array(otherAudience, { maxLength: 3 }))
    .map(([before, own, after]) => [...before, own, ...after]),
)
const acceptable = fc.record({
  header: fc
    .tuple(fc.constantFrom(...ALGORITHMS), typ, extraMembers)
    .map(([alg, typ, extra]) => ({ ...extra, alg, typ })),
  claims: fc.record(
    { aud, iat: time(now - 3600, now + 500), exp: time(now + 600, now + 86_400), nbf: time(now - 3600, now + 500) },
    { requiredKeys: ['aud', 'iat', 'exp'] },
  ),
})

test('every header and all claims that the standards allow are accepted', () => {
  fc.assert(
    fc.property(acceptable, ({ header, claims }) => {
      const token = tokenOf(header, claims)
      fc.pre(token.length <= 4096)
      expect(clientOf(token)).toBe(client)
    }),
    { numRuns: 300 },
  )
})

const wrongHeader = fc.oneof(
  extraMembers.chain(extra => fc.jsonValue({ maxDepth: 2 }).map(crit => ({ ...extra, ...usual, crit }))),
  fc
    .oneof(
      fc.constantFrom('none', 'HS256', 'ES256', 'ES256K', 'RS256', 'Ed448', 'eddsa'),
      fc.jsonValue({ maxDepth: 1 }),
    )
    .filter(alg => !ALGORITHMS.some(known => known === alg))
    .map(alg => ({ ...usual, alg })),
  fc
    .string()
    .filter(typ => !/^(application\/)?jwt$/i.test(typ))
    .map(typ => ({ alg: 'EdDSA', typ })),
)

test('another alg, another typ and every crit are refused', () => {
  fc.assert(
    fc.property(acceptable, wrongHeader, ({ claims }, header) => {
      const token = tokenOf(header, claims)
      fc.pre(token.length <= 4096)
      expect(() => clientOf(token)).toThrow(HEADER)
    }),
    { numRuns: 300 },
  )
})

test('an aud list without the relay is refused', () => {
  const others = fc.array(
    otherAudience.filter(text => !text.toLowerCase().includes('relay.example.org')),
    { maxLength: 5 },
  )
  fc.assert(
    fc.property(others, audiences => {
      expect(() => clientOf(tokenOf(usual, { aud: audiences }))).toThrow('JWT aud is another relay')
    }),
  )
})
