import { cpuTimeOf } from '@heliograph/shared/cpu-time.fixture'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { registrableDomain } from '../sites/registrable-domain.fixture.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { parseSignIn, reviewSignIn, type SignInFacts } from './message.ts'

const FACTS: SignInFacts = {
  origin: 'https://harbor.example',
  account: ADDRESS,
  chainId: 1,
  now: Date.parse('2025-11-21T14:05:00Z'),
  registrableDomain,
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

const found = (text: string, facts: Partial<SignInFacts> = {}) => {
  const { findings } = reviewSignIn(text, { ...FACTS, ...facts })
  return findings.map(({ level, name }) => `${level} ${name}`)
}

test('a sign-in is parsed into its fields', () => {
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

test('the statement is optional, with one blank line or two', () => {
  const without = PLAIN.replace('Sign in to Harbor Market and accept its terms of service.\n', '')
  expect(parseSignIn(without)).toMatchObject({ statement: null, uri: 'https://harbor.example' })
  expect(parseSignIn(without.replace('\n\n\n', '\n\n'))).toMatchObject({ statement: null })
})

test('a matching sign-in is confirmed, and other text is not a sign-in', () => {
  expect(found(PLAIN)).toEqual(['none signInMatches'])
  expect(found('I agree to the terms of harbor.example')).toEqual([])
})

test('a sign-in for another site is a danger with both names', () => {
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

test('hosts and ports are compared as browsers compare them', () => {
  const at = (domain: string, uri = `https://${domain}`) =>
    PLAIN.replace('harbor.example wants', `${domain} wants`).replace('URI: https://harbor.example', `URI: ${uri}`)
  expect(found(at('Harbor.Example'))).toEqual(['none signInMatches'])
  expect(found(at('harbor.example:443'))).toEqual(['none signInMatches'])
  expect(found(at('localhost:5173', 'http://localhost:5173/in'), { origin: 'http://localhost:5173' })).toEqual([
    'none signInMatches',
  ])
  expect(found(at('bücher.example'), { origin: 'https://xn--bcher-kva.example' })).toEqual(['none signInMatches'])
})

test('another account is a danger; another chain or an invalid time is a caution', () => {
  expect(found(PLAIN, { account: SECOND })).toEqual(['danger signInOtherAccount'])
  expect(reviewSignIn(PLAIN, { ...FACTS, chainId: 8217 }).findings).toEqual([
    { level: 'caution', name: 'signInOtherChain', values: ['1', '8217'] },
  ])
  expect(found(PLAIN, { now: FACTS.now + 3_600_000 })).toEqual(['caution signInNotValid'])
  expect(found(PLAIN.replace('2025-11-21T15:02:08Z', 'tomorrow'))).toEqual(['caution signInNotValid'])
  expect(found(`${PLAIN}\nNot Before: 2025-11-22T00:00:00Z`)).toEqual(['caution signInNotValid'])
})

test('a malformed sign-in is reported, and reviewed by the site that it names', () => {
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

const OWN = ['harbor.example', 'https://harbor.example', 'HTTPS://Harbor.Example', 'harbor.example:443']
const PAGES = ['/index.html', '/app/login.PHP?step=2', '/in.htm#/', '/a.html/b.aspx']
const AFTER = ['/', '//', '/login', '/app/', '?', '?next=home', '#', '#/in', '/?next=%2Fhome#top', ...PAGES]

test.each(OWN.flatMap(own => AFTER.map(after => `${own}${after}`)))(
  '%s names the requesting site in an invalid form',
  site => {
    expect(found(PLAIN.replace('harbor.example wants', `${site} wants`))).toEqual(['caution malformedSignIn'])
    for (const origin of ['https://evil.example', 'https://app.harbor.example', 'https://harbor.example:8443', 'null'])
      expect(found(PLAIN.replace('harbor.example wants', `${site} wants`), { origin })).toContain(
        'danger signInElsewhere',
      )
  },
)

test.each([
  'harbor.example.evil.example/',
  'http://harbor.example/',
  'https://harbor.example:8443/',
  'harbor.example/bank.example',
  'harbor.example/@bank.example',
  'harbor.example/bank.example/index.html',
  'harbor.example/index.html/bank.example',
  'harbor.example/index.html.bank.example',
  'bank.example/harbor.example',
  'bank.example/@harbor.example',
  'harbor.example@bank.example/',
  'bank.example@harbor.example/',
  'harbor.example\\bank.example',
  'bank.example\\@harbor.example',
  'harbor.example?bank.example',
  'harbor.example#bank.example',
  'https:///harbor.example',
  '/harbor.example',
])('%s can be read as another site', site => {
  expect(found(PLAIN.replace('harbor.example wants', `${site} wants`))).toContain('danger signInElsewhere')
})

test("a remote peer's site in a sign-in is unproven, and a site that it does not claim is foreign", () => {
  const origin = 'wc:0a1b'
  for (const claimed of [
    undefined,
    null,
    '',
    'no address',
    'harbor-app://open',
    'https://harbor.example/app',
    'https://app.harbor.example',
    'harbor.example',
    'HARBOR.EXAMPLE/app',
    ' https://harbor.example ',
  ])
    expect(found(PLAIN, { origin, ...(claimed !== undefined && { claimed }) })).toEqual(['caution signInUnproven'])
  for (const claimed of [
    'https://evil.example',
    'https://harbor.example.evil.example',
    'http://localhost:3000',
    'evil.example',
    'evil.example:8443/app',
    '//evil.example',
    'HTTPS://EVIL.EXAMPLE',
    ' https://evil.example/ ',
    'https:evil.example',
    ' HTTP:/evil.example',
    'https://harbor.example@evil.example',
  ]) {
    expect(found(PLAIN, { origin, claimed })).toEqual(['danger signInElsewhere'])
    expect(reviewSignIn(PLAIN, { ...FACTS, origin, claimed }).foreign).toBe('harbor.example')
  }
  for (const uri of ['https://bank.example/', 'wss://bank.example', 'https://harbor.example.bank.example']) {
    const text = PLAIN.replace('URI: https://harbor.example', `URI: ${uri}`)
    expect(found(text, { origin, claimed: 'https://harbor.example' })).toEqual(['danger signInElsewhere'])
  }
})

const withUri = (uri: string) => PLAIN.replace('URI: https://harbor.example', `URI: ${uri}`)

test.each([
  'https://harbor.example/login?next=%2Fhome#top',
  'https://harbor.example:8443',
  'http://harbor.example/',
  'https://auth.harbor.example/oauth/callback',
  'HTTPS://HARBOR.EXAMPLE',
  'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp',
  'did:web:other.example',
  'urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66',
  'ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/',
  'mailto:someone@other.example',
  'harbor-app://sign-in',
])('the URI %s is valid in EIP-4361 and matches the site', uri => {
  expect(parseSignIn(withUri(uri))).toMatchObject({ uri })
  expect(found(withUri(uri))).toEqual(['none signInMatches'])
})

test.each([
  'https://bank.example',
  'https://harbor.example@bank.example/',
  'https://harbor.example.bank.example',
  'wss://bank.example/socket',
  'HTTPS:bank.example',
  'https:/bank.example',
  'https://',
])('the web URI %s names another host, a danger in any malformed variant', uri => {
  expect(found(withUri(uri))).toEqual(['danger signInElsewhere'])
  for (const junk of ['\\', '<', ' x', '\u200b', '%zz', '\r'])
    expect(found(withUri(`${uri}${junk}`)), junk).toContain('danger signInElsewhere')
})

test.each(['harbor.example/login', '/login', '//harbor.example', '1http://harbor.example', 'https://a b', 'urn:a{b}'])(
  '%j has no valid scheme, so the message is malformed',
  uri => {
    expect(parseSignIn(withUri(uri))).toBeUndefined()
    expect(found(withUri(uri))).toContain('caution malformedSignIn')
  },
)

const foreignTo = (text: string, origin = FACTS.origin) => reviewSignIn(text, { ...FACTS, origin }).foreign
const forSite = (site: string) => PLAIN.replace('harbor.example wants', `${site} wants`)

test('only sites with another registrable domain are foreign', () => {
  for (const own of [
    'harbor.example',
    'app.harbor.example',
    'harbor.example:8443',
    'http://harbor.example',
    'HARBOR.example',
  ])
    expect(foreignTo(forSite(own)), own).toBeNull()
  for (const other of [
    'bank.example',
    'harbor.example.bank.example',
    'xn--harbr-0xa.example',
    '127.0.0.1',
    'localhost',
  ])
    expect(foreignTo(forSite(other)), other).toBe(other)
  expect(foreignTo(forSite('bank.co.uk'), 'https://harbor.co.uk')).toBe('bank.co.uk')
  expect(foreignTo(forSite('bank.github.io'), 'https://harbor.github.io')).toBe('bank.github.io')
  expect(foreignTo(forSite('localhost:3000'), 'http://localhost:5173')).toBeNull()
  expect(foreignTo(forSite('bank.example'), 'null')).toBe('bank.example')
  expect(foreignTo(forSite('bank.example'), 'session:0a1b')).toBeNull()
})

test('a user name in the domain never makes another site pass for the requesting one', () => {
  for (const site of ['bank.example@harbor.example', 'harbor.example@bank.example', 'bank.example:x@harbor.example'])
    expect(foreignTo(forSite(site)), site).toBe(site)
})

test('a sentence about signing in is not a sign-in, and names no host', () => {
  for (const text of [
    'The app wants you to sign in with your wallet.',
    'Hi! Acme Inc. wants you to sign in with your key',
  ])
    expect(reviewSignIn(text, FACTS)).toEqual({ signIn: null, findings: [], foreign: null })
  expect(reviewSignIn('Acme wants you to sign in with your wallet', FACTS)).toMatchObject({
    foreign: null,
    findings: [{ level: 'danger', name: 'signInElsewhere' }, { name: 'malformedSignIn' }],
  })
})

describe('a foreign sign-in keeps its level despite', () => {
  const { origin } = { origin: 'https://evil.example' }
  const isRefused = (text: string) => {
    const { findings, foreign } = reviewSignIn(text, { ...FACTS, origin })
    return foreign !== null && findings.some(({ level, name }) => level === 'danger' && name === 'signInElsewhere')
  }
  const space = fc.constantFrom(
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\u00a0',
    '\u2003',
    '\ufeff',
    '\u200b',
    '\u202e',
    '\u0000',
    '\u3000',
  )
  const padding = fc.array(space, { maxLength: 5 }).map(parts => parts.join(''))

  test('white space, byte order marks and invisible characters around it', () => {
    fc.assert(
      fc.property(padding, padding, (before, after) => {
        expect(isRefused(`${before}${PLAIN}${after}`)).toBe(true)
      }),
    )
  })

  test('invisible characters in its first line, and other white space between words', () => {
    const [line = ''] = PLAIN.split('\n')
    const unseen = fc.constantFrom('\u200b', '\u200d', '\ufeff', '\u2060', '\u00ad', '\u0000', '\u061c')
    fc.assert(
      fc.property(fc.nat(line.length), unseen, space, (at, hidden, gap) => {
        expect(isRefused(`${PLAIN.slice(0, at)}${hidden}${PLAIN.slice(at)}`)).toBe(true)
        const words = line.replaceAll(' ', ` ${gap} `)
        expect(isRefused(PLAIN.replace(line, words))).toBe(true)
      }),
    )
  })

  test('compatibility forms, case and line endings', () => {
    const wide = (text: string) =>
      [...text]
        .map(char => (/[!-~]/.test(char) ? String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0) : char))
        .join('')
    const [line = ''] = PLAIN.split('\n')
    const changes = [
      PLAIN.toUpperCase(),
      PLAIN.replaceAll('\n', '\r\n'),
      PLAIN.replaceAll('\n', '\r'),
      PLAIN.replaceAll('\n', '\u2028'),
      PLAIN.replace(line, wide(line)),
      PLAIN.replace('harbor.example', 'harbor\u3002example'),
      PLAIN.replace('harbor.example', 'https://harbor.example'),
      PLAIN.replace('harbor.example', 'evil.example@harbor.example'),
      PLAIN.replace('harbor.example', 'harbor.example/evil.example'),
      PLAIN.replace('harbor.example', 'harbor.example:443'),
    ]
    for (const text of changes) expect(isRefused(text), text).toBe(true)
  })

  test('a matching sign-in before, after or inside it', () => {
    const own = PLAIN.replaceAll('harbor.example', 'evil.example')
    for (const text of [
      `${own}\n\n${PLAIN}`,
      `${PLAIN}\n\n${own}`,
      own.replace('Sign in to', `${PLAIN.split('\n')[0]}`),
    ])
      expect(isRefused(text)).toBe(true)
  })

  test('any characters after the account', () => {
    const from = PLAIN.indexOf('\n')
    fc.assert(
      fc.property(fc.integer({ min: from, max: PLAIN.length }), fc.string({ unit: 'binary' }), (at, text) => {
        expect(isRefused(`${PLAIN.slice(0, at)}${text}${PLAIN.slice(at)}`)).toBe(true)
      }),
    )
  })
})

test('a megabyte of near matches is parsed quickly', () => {
  const texts = [
    ' '.repeat(1e6),
    'a'.repeat(1e6),
    'wants you to sign in with your '.repeat(32_000),
    '\n'.repeat(1e6),
    'URI: '.repeat(2e5),
    `${'a.'.repeat(5e5)} wants you to sign in with your`,
  ]
  for (const text of texts) expect(cpuTimeOf(() => reviewSignIn(text, FACTS))).toBeLessThan(3_000)
})
