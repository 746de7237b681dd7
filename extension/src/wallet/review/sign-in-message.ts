/**
 * The texts with which people sign in to a site: by the grammar of the standard, and as leniently as anybody who checks the
 * signature may read them. https://eips.ethereum.org/EIPS/eip-4361#abnf-message-format
 */
import type { SignInView } from '../../messages.ts'
import { plainText } from './text.ts'

const ESCAPED = '%[\\da-fA-F]{2}'
const PLAIN = "[\\w\\p{L}\\p{M}\\p{N}.~!$&'()*+,;=-]"
const PCHAR = `(?:${PLAIN}|[:@]|${ESCAPED})`
const HOST = `(?:\\[[\\da-fA-F:.]+\\]|(?:${PLAIN}|${ESCAPED})*)`
const AUTHORITY = `(?:(?:${PLAIN}|:|${ESCAPED})*@)?${HOST}(?::\\d*)?`
/** A URI with its scheme, whatever that is: https://www.rfc-editor.org/rfc/rfc3986#appendix-A, with the letters of RFC 3987. */
const URI = `[a-zA-Z][a-zA-Z\\d+.-]*:(?://${AUTHORITY}(?:/${PCHAR}*)*|(?!//)(?:${PCHAR}|/)*)(?:\\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?])*)?`

/**
 * Stricter than the standard where it allows a user name in the domain, and more lenient where sites are: in the letters of
 * the domain, statement and nonce, the name of the network, and a blank line less.
 */
const MESSAGE = new RegExp(
  [
    '^(?:(?<scheme>[a-zA-Z][a-zA-Z\\d+.-]*)://)?(?<domain>[^\\s/?#@\\\\]+) wants you to sign in with your [^\\n]{1,60} account:\\n',
    '(?<address>0x[\\da-fA-F]{40})\\n\\n',
    '(?:(?<statement>[^\\n]+)\\n)?\\n?',
    `URI: (?<uri>${URI})\\n`,
    'Version: 1\\n',
    'Chain ID: (?<chainId>\\d{1,15})\\n',
    'Nonce: (?<nonce>[^\\n]+)\\n',
    'Issued At: (?<issuedAt>[^\\n]+)',
    '(?:\\nExpiration Time: (?<expires>[^\\n]+))?',
    '(?:\\nNot Before: (?<notBefore>[^\\n]+))?',
    '(?:\\nRequest ID: (?<requestId>[^\\n]*))?',
    '(?:\\nResources:(?<resources>(?:\\n- [^\\n]+)*))?',
    '\\n?$',
  ].join(''),
  'u',
)

/** The parts of a sign-in message; undefined for any other text, and for one that does not keep to the standard. */
export const parseSignIn = (text: string): SignInView | undefined => {
  const { groups } = MESSAGE.exec(text) ?? {}
  if (!groups) return undefined
  const { scheme, domain = '', address = '', statement, uri = '', chainId, nonce = '', issuedAt = '' } = groups
  return {
    scheme: scheme ?? null,
    domain,
    address,
    statement: statement ?? null,
    uri,
    chainId: Number(chainId),
    nonce,
    issuedAt,
    expires: groups.expires ?? null,
    notBefore: groups.notBefore ?? null,
    requestId: groups.requestId ?? null,
    resources: groups.resources?.split('\n- ').slice(1) ?? [],
  }
}

/**
 * What a text that is or looks like a sign-in names, each in any number and in the order of the text. `sites` are
 * authorities with or without a scheme, `uris` without what is not in their line.
 */
export type SignInClaims = { sites: readonly string[]; uris: readonly string[]; addresses: readonly string[] }

/** What makes a text a sign-in to whoever checks it leniently, wherever it stands. */
const WANTS = /\bwants\s+you\s+to\s+sign\s+in\s+with\s+your\b/gi
const URI_LINE = /^URI ?:\s?(\S+)/gim
const ADDRESS_LINE = /\baccount ?:?\s?(0x[\da-f]{40})(?![\da-f])/gi
/** Characters of a word that may name a host, whose names have 253 at most. */
const MAX_WORD = 512
/** An inner dot as IDNA has it, a port, a user name. */
const NAMES_HOST = /\S[.\u3002:@]\S|^localhost$/i

/** True for a word that can be the name of a host on the internet, and not only part of a sentence. */
export const namesHost = (word: string): boolean => NAMES_HOST.test(word)

/**
 * The words before the phrase that can be meant for a site: names of hosts anywhere, others at the start of a line alone.
 * "The app wants you to sign in" is a sentence.
 */
const sitesIn = (plain: string): string[] =>
  [...plain.matchAll(WANTS)].flatMap(({ index }) => {
    const end = Math.max(index - 1, 0)
    const before = plain.slice(Math.max(end - MAX_WORD, 0), end)
    const space = Math.max(before.lastIndexOf(' '), before.lastIndexOf('\n'))
    const word = before.slice(space + 1)
    const startsLine = space === -1 || before[space] === '\n'
    return word !== '' && (startsLine || namesHost(word)) ? [word] : []
  })

const distinct = (values: readonly string[]): string[] => [...new Set(values)]

/** What a text names as a sign-in; without `sites` it is none. */
export const signInClaims = (text: string): SignInClaims => {
  const plain = plainText(text)
  const all = (pattern: RegExp) => distinct([...plain.matchAll(pattern)].map(([, found = '']) => found))
  return { sites: distinct(sitesIn(plain)), uris: all(URI_LINE), addresses: all(ADDRESS_LINE) }
}
