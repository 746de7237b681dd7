/**
 * Compares a sign-in message with the requesting site: https://eips.ethereum.org/EIPS/eip-4361#verifying-domain-binding
 */
import { sameAddress } from '@heliograph/shared/evm/address'
import { parseUrl } from '@heliograph/shared/url'
import type { Finding, SignInView } from '../../messages.ts'
import type { RegistrableDomain } from '../sites/registrable-domain.ts'
import { namesHost, parseSignIn, signInClaims } from './sign-in-message.ts'

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

const elsewhere = (origin: string, site: string): Finding => ({
  level: 'danger',
  name: 'signInElsewhere',
  values: [siteOf(origin), site],
})

const unproven = (site: string): Finding => ({ level: 'caution', name: 'signInUnproven', values: [site] })

/** Returns the first site other than the requesting one, or else the first URI's host with another owner. */
const otherOf = (sites: readonly string[], uris: readonly string[], facts: SignInFacts): string | undefined => {
  const uri = uris.find(uri => namesOther(uri, facts))
  return sites.find(site => !isSameSite(site, facts.origin)) ?? (uri === undefined ? undefined : siteOf(uri))
}

const isOver = (time: string | null, now: number) => time !== null && !(Date.parse(time) > now)
const isAhead = (time: string | null, now: number) => time !== null && !(Date.parse(time) <= now)

const reviewTerms = ({ chainId, expires, notBefore }: SignInView, facts: SignInFacts): Finding[] => {
  const findings: Finding[] = []
  if (chainId !== facts.chainId)
    findings.push({ level: 'caution', name: 'signInOtherChain', values: [String(chainId), String(facts.chainId)] })
  if (isOver(expires, facts.now) || isAhead(notBefore, facts.now))
    findings.push({ level: 'caution', name: 'signInNotValid', values: [] })
  return findings
}

const reviewAddress = (addresses: readonly string[], { account }: SignInFacts): Finding[] => {
  const other = addresses.find(address => !sameAddress(address, account))
  return other === undefined ? [] : [{ level: 'danger', name: 'signInOtherAccount', values: [other, account] }]
}

export const MALFORMED_SIGN_IN: Finding = { level: 'caution', name: 'malformedSignIn', values: [] }
const MATCHES: Finding = { level: 'none', name: 'signInMatches', values: [] }

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
