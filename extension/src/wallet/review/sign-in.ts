/** Messages with which people sign in to a site: https://eips.ethereum.org/EIPS/eip-4361 */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { Finding, SignInView } from '../../messages.ts'

/** What the message is held against; `now` in ms since 1970. */
export type SignInFacts = { origin: string; account: string; chainId: number; now: number }

/** What makes a text a sign-in to whoever checks it leniently, wherever it stands. */
const CLAIM = /^(?:[a-z][a-z\d+.-]*:\/\/)?(\S+)[ \t]+wants you to sign in with your\b/im

const MESSAGE = new RegExp(
  [
    '^(?:(?<scheme>[a-zA-Z][a-zA-Z\\d+.-]*)://)?(?<domain>[^\\s/?#@]+) wants you to sign in with your [^\\n]{1,60} account:\\n',
    '(?<address>0x[\\da-fA-F]{40})\\n\\n',
    '(?:(?<statement>[^\\n]+)\\n)?\\n?',
    'URI: (?<uri>\\S+)\\n',
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

/** The host and the port that a scheme has by itself left out, in the browser's spelling; what is no host stays as it is. */
const hostOf = (authority: string, scheme: string): string => {
  const isHost = !/[/?#@\\]/.test(authority) && URL.canParse(`${scheme}//${authority}`)
  return isHost ? new URL(`${scheme}//${authority}`).host : authority
}

const isSameSite = (authority: string, scheme: string | null, origin: string): boolean => {
  if (!URL.canParse(origin)) return false
  const { host, protocol } = new URL(origin)
  return (scheme === null || `${scheme.toLowerCase()}:` === protocol) && hostOf(authority, protocol) === host
}

/** Only a URI of the web says on which host it is. */
const isSameHost = (uri: string, origin: string): boolean => {
  if (!URL.canParse(uri) || !URL.canParse(origin)) return false
  return new URL(uri).host === new URL(origin).host
}

const nameOf = (uri: string): string => (URL.canParse(uri) ? new URL(uri).host || uri : uri)
/** The site as it is named in sentences. */
const siteOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host || origin : origin)

const elsewhere = (origin: string, site: string): Finding => ({
  level: 'danger',
  name: 'signInElsewhere',
  values: [siteOf(origin), site],
})

const isOver = (time: string | null, now: number) => time !== null && !(Date.parse(time) > now)
const isAhead = (time: string | null, now: number) => time !== null && !(Date.parse(time) <= now)

/** A peer of a remote session has no site that anybody could vouch for. */
const isSite = (origin: string) => !URL.canParse(origin) || /^https?:$/.test(new URL(origin).protocol)

const reviewSite = ({ domain, scheme, uri }: SignInView, origin: string): Finding[] => {
  if (!isSite(origin)) return [{ level: 'caution', name: 'signInUnproven', values: [domain] }]
  if (!isSameSite(domain, scheme, origin)) return [elsewhere(origin, domain)]
  return isSameHost(uri, origin) ? [] : [elsewhere(origin, nameOf(uri))]
}

const reviewParts = (message: SignInView, { origin, account, chainId, now }: SignInFacts): Finding[] => {
  const findings = reviewSite(message, origin)
  const { address, expires, notBefore } = message
  if (!sameAddress(address, account))
    findings.push({ level: 'danger', name: 'signInOtherAccount', values: [address, account] })
  if (message.chainId !== chainId)
    findings.push({ level: 'caution', name: 'signInOtherChain', values: [String(message.chainId), String(chainId)] })
  if (isOver(expires, now) || isAhead(notBefore, now))
    findings.push({ level: 'caution', name: 'signInNotValid', values: [] })
  return findings.length > 0 ? findings : [{ level: 'none', name: 'signInMatches', values: [] }]
}

/**
 * What a text says as a sign-in, and what does not fit. A text that only looks like one is told as such, and judged by
 * the site that it names: who checks the signature may read it more leniently.
 */
export const reviewSignIn = (text: string, facts: SignInFacts): { signIn: SignInView | null; findings: Finding[] } => {
  const signIn = parseSignIn(text)
  if (signIn) return { signIn, findings: reviewParts(signIn, facts) }
  const claimed = CLAIM.exec(text)?.[1]
  if (claimed === undefined) return { signIn: null, findings: [] }
  const malformed: Finding = { level: 'caution', name: 'malformedSignIn', values: [] }
  const fits = !isSite(facts.origin) || isSameSite(claimed, null, facts.origin)
  return { signIn: null, findings: fits ? [malformed] : [elsewhere(facts.origin, claimed), malformed] }
}
