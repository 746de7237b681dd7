/**
 * Reviews a message to sign: text or bytes, hidden characters and sign-in claims. Parses sign-in messages, both by the
 * standard's grammar and as leniently as a verifier may, and compares them with the requesting site:
 * https://eips.ethereum.org/EIPS/eip-4361
 */
import { sameAddress } from '@heliograph/shared/evm/address'
import { encodeData } from '@heliograph/shared/evm/hex'
import { parseUrl } from '@heliograph/shared/url'
import type { Effect, Finding, SignInView } from '../../messages.ts'
import type { RegistrableDomain } from '../sites/registrable-domain.ts'
import { hasHiddenCharacters, lenientText, plainText, readableText } from '../text/text.ts'
import { finding } from './findings.ts'

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
type SignInClaims = { sites: readonly string[]; uris: readonly string[]; addresses: readonly string[] }

/** Matches the phrase by which a lenient verifier recognizes a sign-in, anywhere in the text. */
const WANTS = /\bwants\s+you\s+to\s+sign\s+in\s+with\s+your\b/gi
const URI_LINE = /^URI ?:\s?(\S+)/gim
const ADDRESS_LINE = /\baccount ?:?\s?(0x[\da-f]{40})(?![\da-f])/gi
/** Maximum characters of a word that is read as a host. Host names have at most 253. */
const MAX_WORD = 512
/** Matches a dot inside the word (any that IDNA accepts), a port or a user name. */
const NAMES_HOST = /\S[.\u3002:@]\S|^localhost$/i

/** True if a word can be a host name, as opposed to an ordinary word in a sentence. */
const namesHost = (word: string): boolean => NAMES_HOST.test(word)

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
const signInClaims = (text: string): SignInClaims => {
  const plain = plainText(text)
  const all = (pattern: RegExp) => distinct([...plain.matchAll(pattern)].map(([, found = '']) => found))
  return { sites: distinct(sitesIn(plain)), uris: all(URI_LINE), addresses: all(ADDRESS_LINE) }
}

/**
 * The values with which the message is compared. `claimed` is the URL that a remote peer claims, `now` is Unix time in
 * ms.
 */
export type SignInFacts = {
  origin: string
  claimed?: string | null
  account: string
  chainId: number
  now: number
  registrableDomain: RegistrableDomain
}

/**
 * `signIn` is null if the text does not follow the standard. `foreign` is a site with another registrable domain to
 * which the text signs in, as spelled in the text, or null.
 */
export type SignInReview = { signIn: SignInView | null; findings: Finding[]; foreign: string | null }

const WEB = /^(?:https?|wss?|ftp):/i

/** Returns the origin of a web address, which may lack the scheme or the slashes after it. Null for any other text. */
const webOriginOf = (text: string): string | null => {
  const hasScheme = text.includes('://') || WEB.test(text.trim())
  const url = parseUrl(hasScheme ? text : `https://${text.trim().replace(/^\/\//, '')}`)
  return url && /^https?:$/.test(url.protocol) ? url.origin : null
}

/** Returns an origin's host for display. */
const siteOf = (origin: string): string => parseUrl(origin)?.host || origin

/** False for remote sessions' peers, which have no verifiable origin. */
const isSite = (origin: string) => /^https?:$/.test(parseUrl(origin)?.protocol ?? 'https:')

/** Matches the extension of a page's file name, which is not part of a host name. */
const PAGE = /\.(?:html?|php|aspx?)(?=[/?#]|$)/gi

/**
 * True if `site` has the origin's host and port, and its scheme if it names one. A path is ignored unless it could be
 * read as another host. A malformed authority counts as another site.
 */
const isSameSite = (site: string, origin: string): boolean => {
  const own = parseUrl(origin)
  const [, scheme, authority = '', after = ''] = /^(?:([a-z][a-z\d+.-]*):\/\/)?([^/?#]*)(.*)$/is.exec(site) ?? []
  if (!own || /[@\\]/.test(site) || namesHost(after.replace(PAGE, ''))) return false
  const named = parseUrl(`${own.protocol}//${authority}`)
  return named?.host === own.host && (scheme === undefined || `${scheme.toLowerCase()}:` === own.protocol)
}

/** True if the host has the requesting site's registrable domain. */
const isSameOwner = (host: string, { origin, registrableDomain }: SignInFacts): boolean => {
  const own = parseUrl(origin)?.hostname
  return own !== undefined && own !== '' && registrableDomain(host) === registrableDomain(own)
}

/** True if all parts of an authority, including the user name, have the requesting site's registrable domain. */
const isOwn = (site: string, facts: SignInFacts): boolean => {
  const [authority = ''] = site.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').split(/[/?#\\]/)
  return authority.split('@').every(part => {
    const host = parseUrl(`https://${part}`)?.hostname
    return host !== undefined && isSameOwner(host, facts)
  })
}

/** True for a web URI with another owner's host. Other URIs, such as did: and urn:, do not name a host. */
const namesOther = (uri: string, facts: SignInFacts): boolean =>
  WEB.test(uri) && !isSameOwner(parseUrl(uri)?.hostname ?? '', facts)

const elsewhere = (origin: string, site: string): Finding => finding('danger', 'signInElsewhere', siteOf(origin), site)

const unproven = (site: string): Finding => finding('caution', 'signInUnproven', site)

/** Returns the first site other than the requesting one, or else the first URI's host with another owner. */
const otherOf = (sites: readonly string[], uris: readonly string[], facts: SignInFacts): string | undefined => {
  const uri = uris.find(uri => namesOther(uri, facts))
  return sites.find(site => !isSameSite(site, facts.origin)) ?? (uri === undefined ? undefined : siteOf(uri))
}

const isOver = (time: string | null, now: number) => time !== null && !(Date.parse(time) > now)
const isAhead = (time: string | null, now: number) => time !== null && !(Date.parse(time) <= now)

const reviewTerms = ({ chainId, expires, notBefore }: SignInView, facts: SignInFacts): Finding[] => {
  const isValid = !isOver(expires, facts.now) && !isAhead(notBefore, facts.now)
  return [
    ...(chainId === facts.chainId ? [] : [finding('caution', 'signInOtherChain', chainId, facts.chainId)]),
    ...(isValid ? [] : [finding('caution', 'signInNotValid')]),
  ]
}

const reviewAddress = (addresses: readonly string[], { account }: SignInFacts): Finding[] => {
  const other = addresses.find(address => !sameAddress(address, account))
  return other === undefined ? [] : [finding('danger', 'signInOtherAccount', other, account)]
}

export const MALFORMED_SIGN_IN = finding('caution', 'malformedSignIn')
const MATCHES = finding('none', 'signInMatches')

/**
 * Reviews a text as a sign-in. A text that does not follow the standard is judged by everything that it names, because
 * a verifier may read it more leniently.
 */
export const reviewSignIn = (text: string, facts: SignInFacts): SignInReview => {
  const claims = signInClaims(text)
  const signIn = parseSignIn(text) ?? null
  const [first] = claims.sites
  if (first === undefined) return { signIn: null, findings: [], foreign: null }
  const isRemote = !isSite(facts.origin)
  // A peer that claims no URL cannot be compared with a site.
  const named = isRemote ? webOriginOf(facts.claimed ?? '') : facts.origin
  const asked = { ...facts, origin: named ?? facts.origin }
  const foreign = named === null ? undefined : claims.sites.find(site => namesHost(site) && !isOwn(site, asked))
  // A peer's claim is unproven, so only its registrable domain is compared.
  const exact = isRemote ? [] : claims.sites
  const other = named === null ? undefined : (foreign ?? otherOf(exact, claims.uris, asked))
  const ofSite = other === undefined ? (isRemote ? [unproven(first)] : []) : [elsewhere(asked.origin, other)]
  const findings = [
    ...ofSite,
    ...reviewAddress(signIn ? [signIn.address] : claims.addresses, facts),
    ...(signIn ? reviewTerms(signIn, facts) : [MALFORMED_SIGN_IN]),
  ]
  return { signIn, findings: findings.length > 0 ? findings : [MATCHES], foreign: foreign ?? null }
}

export type Review = { effect: Effect; findings: Finding[] }
/** `foreign` is a site with another registrable domain to which the message signs in, or null. */
type MessageReview = Review & { effect: { kind: 'message' }; foreign: string | null }

/** Matches the hex digits of 32 bytes, which do not reveal what they stand for. */
const HASH = /^\s*(?:0x)?[\da-f]{64}\s*$/i

/** Reviews a message. `networkName` is the network's name in the signed prefix. */
export const reviewMessage = (message: Uint8Array, networkName: string, facts: SignInFacts): MessageReview => {
  const text = readableText(message)
  const shown = {
    kind: 'message',
    bytes: encodeData(message),
    text,
    signedAs: `${networkName} Signed Message`,
  } as const
  if (text === null) {
    // A lenient verifier may accept a sign-in with control characters, so unreadable text is reviewed as a sign-in too.
    const { findings, foreign } = reviewSignIn(lenientText(message), facts)
    const unread = finding('caution', 'notText', message.length)
    return { effect: { ...shown, signIn: null }, findings: [...findings, unread], foreign }
  }
  const { signIn, findings, foreign } = reviewSignIn(text, facts)
  const hidden = hasHiddenCharacters(text) ? [finding('caution', 'hiddenCharacters')] : []
  const hash = HASH.test(text) ? [finding('caution', 'hashAsText')] : []
  return { effect: { ...shown, signIn }, findings: [...findings, ...hidden, ...hash], foreign }
}
