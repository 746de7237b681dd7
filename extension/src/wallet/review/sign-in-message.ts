/**
 * Parses sign-in messages, both by the standard's grammar and as leniently as a verifier may.
 * https://eips.ethereum.org/EIPS/eip-4361#abnf-message-format
 */
import type { SignInView } from '../../messages.ts'
import { plainText } from '../text/text.ts'

const ESCAPED = '%[\\da-fA-F]{2}'
const PLAIN = "[\\w\\p{L}\\p{M}\\p{N}.~!$&'()*+,;=-]"
const PCHAR = `(?:${PLAIN}|[:@]|${ESCAPED})`
const HOST = `(?:\\[[\\da-fA-F:.]+\\]|(?:${PLAIN}|${ESCAPED})*)`
const AUTHORITY = `(?:(?:${PLAIN}|:|${ESCAPED})*@)?${HOST}(?::\\d*)?`
/** Matches a URI with any scheme (https://www.rfc-editor.org/rfc/rfc3986#appendix-A) and with RFC 3987's characters. */
const URI = `[a-zA-Z][a-zA-Z\\d+.-]*:(?://${AUTHORITY}(?:/${PCHAR}*)*|(?!//)(?:${PCHAR}|/)*)(?:\\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?])*)?`

/**
 * Matches a message. Stricter than the standard: no user name in the domain. More lenient, because sites are: any
 * characters in the domain, statement and nonce, any network name, and only one blank line around a missing statement.
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

/** Parses a sign-in message. Undefined for text that does not follow the standard. */
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
 * Sites, URIs and addresses that a text names if it is read leniently as a sign-in, in order. `sites` are authorities
 * with or without a scheme.
 */
export type SignInClaims = { sites: readonly string[]; uris: readonly string[]; addresses: readonly string[] }

/** Matches the phrase by which a lenient verifier recognizes a sign-in, anywhere in the text. */
const WANTS = /\bwants\s+you\s+to\s+sign\s+in\s+with\s+your\b/gi
const URI_LINE = /^URI ?:\s?(\S+)/gim
const ADDRESS_LINE = /\baccount ?:?\s?(0x[\da-f]{40})(?![\da-f])/gi
/** Maximum characters of a word that is read as a host. Host names have at most 253. */
const MAX_WORD = 512
/** Matches a dot inside the word (any that IDNA accepts), a port or a user name. */
const NAMES_HOST = /\S[.\u3002:@]\S|^localhost$/i

/** True if a word can be a host name, as opposed to an ordinary word in a sentence. */
export const namesHost = (word: string): boolean => NAMES_HOST.test(word)

/**
 * Returns the words in front of the phrase that can name a site: host names anywhere, other words only at the start of
 * a line. In "The app wants you to sign in", no site is named.
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

/** Reads a text leniently as a sign-in. If `sites` is empty, it is not a sign-in. */
export const signInClaims = (text: string): SignInClaims => {
  const plain = plainText(text)
  const all = (pattern: RegExp) => distinct([...plain.matchAll(pattern)].map(([, found = '']) => found))
  return { sites: distinct(sitesIn(plain)), uris: all(URI_LINE), addresses: all(ADDRESS_LINE) }
}
