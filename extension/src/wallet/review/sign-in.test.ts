import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { parseSignIn, reviewSignIn } from './sign-in.ts'

const FACTS = {
  origin: 'https://harbor.example',
  account: ADDRESS,
  chainId: 1,
  now: Date.parse('2025-11-21T14:05:00Z'),
}
const PLAIN = `harbor.example wants you to sign in with your Ethereum account:
${ADDRESS}

Sign in to Harbor Market and accept its terms of service.

URI: https://harbor.example
Version: 1
Chain ID: 1
Nonce: k3VbQ9tW
Issued At: 2025-11-21T14:02:08Z
Expiration Time: 2025-11-21T15:02:08Z`

const found = (text: string, facts: Partial<typeof FACTS> = {}) => {
  const { findings } = reviewSignIn(text, { ...FACTS, ...facts })
  return findings.map(({ level, name }) => `${level} ${name}`)
}

test('a sign-in is taken apart', () => {
  expect(parseSignIn(PLAIN)).toEqual({
    scheme: null,
    domain: 'harbor.example',
    address: ADDRESS,
    statement: 'Sign in to Harbor Market and accept its terms of service.',
    uri: 'https://harbor.example',
    chainId: 1,
    nonce: 'k3VbQ9tW',
    issuedAt: '2025-11-21T14:02:08Z',
    expires: '2025-11-21T15:02:08Z',
    notBefore: null,
    requestId: null,
    resources: [],
  })
  const long = PLAIN.replace('harbor.example wants', 'https://harbor.example:8443 wants').concat(
    '\nNot Before: 2025-11-21T14:00:00Z\nRequest ID: 7\nResources:\n- https://harbor.example/a\n- ipfs://b',
  )
  expect(parseSignIn(long)).toMatchObject({
    scheme: 'https',
    domain: 'harbor.example:8443',
    requestId: '7',
    resources: ['https://harbor.example/a', 'ipfs://b'],
  })
})

test('a statement may be missing, with one blank line or two', () => {
  const without = PLAIN.replace('Sign in to Harbor Market and accept its terms of service.\n', '')
  expect(parseSignIn(without)).toMatchObject({ statement: null, uri: 'https://harbor.example' })
  expect(parseSignIn(without.replace('\n\n\n', '\n\n'))).toMatchObject({ statement: null })
})

test('what fits is said to fit, and other text is no sign-in', () => {
  expect(found(PLAIN)).toEqual(['none signInMatches'])
  expect(found('I agree to the terms of harbor.example')).toEqual([])
})

test('a sign-in for another site is a danger, and names both', () => {
  const { findings } = reviewSignIn(PLAIN, { ...FACTS, origin: 'https://harbor-rewards.example' })
  expect(findings).toEqual([
    { level: 'danger', name: 'signInElsewhere', values: ['harbor-rewards.example', 'harbor.example'] },
  ])
  const elsewhere = [
    { origin: 'https://app.harbor.example' },
    { origin: 'https://harbor.example:8443' },
    { origin: 'https://harbor.example.evil.example' },
    { origin: 'null' },
  ]
  for (const facts of elsewhere) expect(found(PLAIN, facts), facts.origin).toEqual(['danger signInElsewhere'])
  expect(found(PLAIN.replace('harbor.example wants', 'http://harbor.example wants'))).toEqual([
    'danger signInElsewhere',
  ])
  expect(found(PLAIN.replace('URI: https://harbor.example', 'URI: https://bank.example/login'))).toEqual([
    'danger signInElsewhere',
  ])
})

test('ports and letters of a host are compared as a browser does', () => {
  const at = (domain: string, uri = `https://${domain}`) =>
    PLAIN.replace('harbor.example wants', `${domain} wants`).replace('URI: https://harbor.example', `URI: ${uri}`)
  expect(found(at('Harbor.Example'))).toEqual(['none signInMatches'])
  expect(found(at('harbor.example:443'))).toEqual(['none signInMatches'])
  expect(found(at('localhost:5173', 'http://localhost:5173/in'), { origin: 'http://localhost:5173' })).toEqual([
    'none signInMatches',
  ])
  expect(found(at('bücher.example'), { origin: 'https://xn--bcher-kva.example' })).toEqual(['none signInMatches'])
})

test('another account is a danger, another chain a caution, and so is a time that does not fit', () => {
  expect(found(PLAIN, { account: SECOND })).toEqual(['danger signInOtherAccount'])
  expect(reviewSignIn(PLAIN, { ...FACTS, chainId: 8217 }).findings).toEqual([
    { level: 'caution', name: 'signInOtherChain', values: ['1', '8217'] },
  ])
  expect(found(PLAIN, { now: FACTS.now + 3_600_000 })).toEqual(['caution signInNotValid'])
  expect(found(PLAIN.replace('2025-11-21T15:02:08Z', 'tomorrow'))).toEqual(['caution signInNotValid'])
  expect(found(`${PLAIN}\nNot Before: 2025-11-22T00:00:00Z`)).toEqual(['caution signInNotValid'])
})

test('what only looks like a sign-in is told, and judged by the site that it names', () => {
  const malformed = [
    PLAIN.replace('Nonce: k3VbQ9tW\n', ''),
    PLAIN.replace('Version: 1', 'Version: 2'),
    PLAIN.replaceAll('\n', '\r\n'),
    `Hello!\n\n${PLAIN}`,
  ]
  for (const text of malformed) {
    expect(found(text), text).toEqual(['caution malformedSignIn'])
    expect(found(text, { origin: 'https://evil.example' })).toEqual([
      'danger signInElsewhere',
      'caution malformedSignIn',
    ])
  }
  expect(found(PLAIN.replace('harbor.example wants', 'harbor.example@evil.example wants'))).toEqual([
    'danger signInElsewhere',
    'caution malformedSignIn',
  ])
})

test('of a peer that is no site, nobody can tell whether it is the one that the message names', () => {
  expect(found(PLAIN, { origin: 'session:0a1b' })).toEqual(['caution signInUnproven'])
})
