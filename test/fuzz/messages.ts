/** Messages, and edits by an attacker that a lenient server still accepts. */
import { hexlify, toUtf8Bytes, toUtf8String, Utf8ErrorFuncs, verifyMessage } from 'ethers'
import { pick, type Random, randomFrom, shuffled } from '../support/random.ts'
import { OWNERS } from './addresses.ts'
import type { Case, Kind, Level, Mutation, Request, Shown, Subject } from './case.ts'

/** The site whose session the adversary wants. The request comes from another site. */
const VICTIM = 'bank.example'
const OWN = 'site.example'

type SignIn = { domain: string; account: string; chainId: number }
type Message = { least: Level; text: string; harmOf(read: string, shown: Shown): bigint }

const signIn = ({ domain, account, chainId }: SignIn): string =>
  [
    `${domain} wants you to sign in with your Ethereum account:`,
    account,
    '',
    'Welcome back.',
    '',
    `URI: https://${domain}/login`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    'Nonce: 8fs9d6fa7sd6f',
    'Issued At: 2023-11-14T22:00:00Z',
  ].join('\n')

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const SPACES = /[\p{Z}\p{Cc}]+/gu

/**
 * Returns the text as a lenient server reads it: without invisible characters, and ignoring width, case and kind of
 * space.
 */
const simplified = (text: string): string =>
  text.normalize('NFKC').replace(INVISIBLE, '').replace(SPACES, ' ').toLowerCase()

/** Acts as a server that checks only its own name, the account and the signature. */
const isAccepted = (text: string, domain: string, account: string): boolean => {
  const claimed = /(\S+) wants you to sign in with your \S+ account: ?(0x[\da-f]{40})/.exec(simplified(text))
  const host = claimed?.[1]
    ?.replace(/^[a-z]+:\/\//, '')
    .replace(/^.*@/, '')
    .replace(/:443$/, '')
    .replace(/\.$/, '')
  return host === domain && claimed?.[2] === account.toLowerCase()
}

const acceptedBy =
  (domain: string, account: string): Message['harmOf'] =>
  read =>
    isAccepted(read, domain, account) ? 1n : 0n

const [OWNER, SECOND] = OWNERS

const MESSAGES: ReadonlyMap<string, Message> = new Map<string, Message>([
  [
    'sign-in to another site',
    {
      least: 'danger',
      text: signIn({ domain: VICTIM, account: OWNER, chainId: 31337 }),
      harmOf: acceptedBy(VICTIM, OWNER),
    },
  ],
  [
    'sign-in to a subdomain',
    {
      least: 'danger',
      text: signIn({ domain: `admin.${OWN}`, account: OWNER, chainId: 31337 }),
      harmOf: acceptedBy(`admin.${OWN}`, OWNER),
    },
  ],
  [
    'sign-in of another account',
    {
      least: 'danger',
      text: signIn({ domain: OWN, account: SECOND, chainId: 31337 }),
      harmOf: acceptedBy(OWN, SECOND),
    },
  ],
  [
    'sign-in on another chain',
    {
      least: 'caution',
      text: signIn({ domain: OWN, account: OWNER, chainId: 1 }),
      harmOf: read => (isAccepted(read, OWN, OWNER) && /chain id: 1(?!\d)/.test(simplified(read)) ? 1n : 0n),
    },
  ],
  [
    'text turned around',
    {
      least: 'caution',
      text: 'Pay \u202e0001\u202c tokens to site.example',
      harmOf: read => (read.includes('\u202e') ? 1n : 0n),
    },
  ],
])

const refused = (domain: string): [string, Message] => [
  `sign-in to ${domain}`,
  {
    least: 'blocked',
    text: signIn({ domain, account: OWNER, chainId: 31337 }),
    harmOf: acceptedBy(domain, OWNER),
  },
]

/** Sign-ins to sites with other registrable domains, which the default settings reject. */
const FOREIGN: ReadonlyMap<string, Message> = new Map([
  refused(VICTIM),
  refused(`${OWN}.${VICTIM}`),
  refused(`my${OWN}`),
  refused('bank.co.uk'),
])

const messageIn = (all: ReadonlyMap<string, Message>, name: string): Message => {
  const found = all.get(name)
  if (!found) throw new Error(`no message ${name}`)
  return found
}

const SPACE = ['  ', '\t', '\u00a0', '\u2003', '\u3000', ' \u200b', '\u2028', '\r\n']
const HIDDEN = ['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\u180e', '\u{e0041}', '\u202d']

const insert = (text: string, at: number, what: string) => text.slice(0, at) + what + text.slice(at)

/** Returns the wide form of a letter, which NFKC maps to the plain letter. */
const wide = (character: string) =>
  /[a-z]/i.test(character) ? String.fromCharCode(character.charCodeAt(0) + 0xfee0) : character

/** Edits of the text, each at one position. */
const EDITS: Readonly<Record<string, (text: string, random: Random) => string>> = {
  'line ends of two characters': text => text.replaceAll('\n', '\r\n'),
  'other spaces': (text, random) => {
    const places = [...text.matchAll(/ /g)].map(({ index }) => index).slice(0, 10)
    const at = pick(random, places)
    return text.slice(0, at) + pick(random, SPACE) + text.slice(at + 1)
  },
  'spaces at line ends': (text, random) =>
    text.replace(/$/gm, () => (random(3) === 0 ? ' '.repeat(1 + random(3)) : '')),
  'space before': (text, random) => pick(random, [' ', '\n', '\r\n', '\t', '\ufeff', '\n\n\n', '\u200b']) + text,
  'words before': (text, random) => pick(random, ['Hello! ', 'Hello!\n\n', '1. ', '> ', '"', 'Sign in: ']) + text,
  'text after': (text, random) => text + pick(random, ['\n', '\n\n', '\nThank you.', '\u0000', ' ']),
  'letters in capitals': (text, random) => {
    const [start = '', ...rest] = text.split(' ')
    return [
      random(2) === 0 ? start.toUpperCase() : start,
      ...rest.map((word, at) => (at < 9 && random(2) === 0 ? word.toUpperCase() : word)),
    ]
      .join(' ')
      .replace(/\b0X(?=[\dA-F]{40}\b)/, '0x')
  },
  'hidden characters': (text, random) => insert(text, random(Math.min(90, text.length)), pick(random, HIDDEN)),
  'wide letters': (text, random) => {
    const [from, length] = [random(Math.min(60, text.length)), 1 + random(6)]
    return text.slice(0, from) + [...text.slice(from, from + length)].map(wide).join('') + text.slice(from + length)
  },
  'scheme before the domain': (text, random) => pick(random, ['https://', 'http://', 'HTTPS://', 'ftp://']) + text,
  'name before the domain': (text, random) =>
    pick(random, ['site.example@', 'https://site.example@', 'user:site.example@']) + text,
  'port of the scheme': text => text.replace(/^(\S+)/, '$1:443'),
  'dot behind the domain': text => text.replace(/^(\S+)/, '$1.'),
  'another chain in words': text => text.replace('Ethereum', 'Solana'),
  'fields in another order': (text, random) => {
    const lines = text.split('\n')
    return [...lines.slice(0, 5), ...shuffled(random, lines.slice(5))].join('\n')
  },
  'field left out': (text, random) => {
    const lines = text.split('\n')
    const at = 2 + random(Math.max(1, lines.length - 2))
    return lines.filter((_, index) => index !== at).join('\n')
  },
  'blank lines': (text, random) => {
    const lines = text.split('\n')
    return lines.flatMap(line => (random(4) === 0 ? ['', line] : [line])).join('\n')
  },
  'control characters': (text, random) =>
    insert(
      text,
      pick(random, [0, text.length, random(text.length)]),
      pick(random, ['\u0000', '\u0007', '\u001b', '\u0085', '\u000b', '\u000c']),
    ),
  'long text before': (text, random) => `${'Terms and conditions apply. '.repeat(200 + random(100))}\n${text}`,
}

/** Edits of the bytes, or of their encoding in the request. */
const SENDINGS = [
  'bytes that are no text',
  'sent as text',
  'sent as capitals',
  'account first',
  'another chain',
] as const

const bytesOf = (text: string, mutations: readonly Mutation[]): Uint8Array => {
  const wrong = mutations.find(({ name }) => name === 'bytes that are no text')
  const bytes = toUtf8Bytes(text)
  if (!wrong) return bytes
  const random = randomFrom(wrong.seed)
  return Uint8Array.of(...bytes, ...Array.from({ length: 1 + random(3) }, () => 0x80 + random(0x40)))
}

const textOf = (bytes: Uint8Array) => toUtf8String(bytes, Utf8ErrorFuncs.replace)

const build = ({ text, harmOf }: Message, { mutations }: Case): Subject => {
  const edited = mutations.reduce((now, { name, seed }) => EDITS[name]?.(now, randomFrom(seed)) ?? now, text)
  const has = (wanted: string) => mutations.some(({ name }) => name === wanted)
  const bytes = bytesOf(edited, mutations)
  const data = hexlify(bytes)
  const isText = has('sent as text') && !has('bytes that are no text') && !edited.startsWith('0x')
  const sent = isText ? edited : has('sent as capitals') ? `0x${data.slice(2).toUpperCase()}` : data
  const params = has('account first') && !isText ? [OWNER, sent] : [sent, OWNER]
  return {
    request: { method: 'personal_sign', params, ...(has('another chain') && { chainId: 8217 }) },
    sceneOf: () => null,
    harmOf: (_, shown) => {
      const { signature } = shown
      // A refused request does no harm. It gets the harm of an accepted one here, so that its shown level must not be
      // too low either.
      if (signature === null) return { sessions: harmOf(textOf(bytes), shown) }
      return { sessions: verifyMessage(bytes, signature) === OWNER ? harmOf(textOf(bytes), shown) : 0n }
    },
  }
}

const mutationsFor = (_: string, random: Random): readonly Mutation[] => {
  const edits = Array.from({ length: 1 + random(3) }, () => pick(random, Object.keys(EDITS)))
  const names = random(2) === 0 ? [...edits, pick(random, SENDINGS)] : edits
  return [...new Set(names)].map(name => ({ name, seed: random(2 ** 31) }))
}

const kindOf = (
  name: string,
  all: ReadonlyMap<string, Message>,
  setting: Pick<Request, 'allowsForeignSignIn'>,
): Kind => ({
  name,
  fixtures: [...all.keys()],
  leastOf: fixture => messageIn(all, fixture).least,
  mutationsFor,
  build: one => {
    const subject = build(messageIn(all, one.fixture), one)
    return { ...subject, request: { ...subject.request, ...setting } }
  },
})

export const messages = kindOf('message', MESSAGES, {})
export const foreignSignIns = kindOf('foreign sign-in', FOREIGN, { allowsForeignSignIn: false })
