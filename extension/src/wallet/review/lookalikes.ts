/** Finds origins and addresses that imitate known ones. */
import { sameAddress } from '@heliograph/shared/evm/address'
import { parseUrl } from '@heliograph/shared/url'
import type { RegistrableDomain } from '../sites/registrable-domain.ts'
import { skeletonOf } from '../text/confusables.ts'
import { readableHost } from '../text/punycode.ts'

/** Matches local names and IP addresses, which cannot be registered to imitate a name. */
const NO_DOMAIN = /(^|\.)localhost$|^[\d.]+$|^\[|^[^.]*$/

/**
 * Minimum length of a name that is compared with one edit. Shorter names are one edit away from many unrelated ones.
 */
const MIN_ONE_EDIT = 4

const domainOf = (origin: string, registrableDomain: RegistrableDomain): string | undefined => {
  const hostname = parseUrl(origin)?.hostname ?? ''
  return hostname === '' || NO_DOMAIN.test(hostname) ? undefined : registrableDomain(hostname)
}

/** True if the Levenshtein distance of the texts is 1. */
export const isOneEditApart = (one: string, other: string): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1 || one === other) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1)
}

const looksLike = (domain: string, known: string): boolean => {
  const [readable, readableKnown] = [readableHost(domain), readableHost(known)]
  const [seen, seenKnown] = [skeletonOf(readable), skeletonOf(readableKnown)]
  if (seen === seenKnown) return true
  const name = readableKnown.split('.')[0] ?? ''
  // Skeletons are compared too: a host can combine an edit with confusable letters.
  const isEdited = isOneEditApart(readable, readableKnown) || isOneEditApart(seen, seenKnown)
  return name.length >= MIN_ONE_EDIT && isEdited
}

export type KnownSite = { origin: string; since: number }

/** The imitating and the known domain in readable form. `since` is when the known site was connected. */
export type Imitation = { shown: string; known: string; since: number }

/** Finds the earlier connected site that `origin` imitates. `since` is when `origin` itself was connected, or null. */
export const findImitated = (
  origin: string,
  since: number | null,
  sites: readonly KnownSite[],
  registrableDomain: RegistrableDomain,
): Imitation | undefined => {
  const domain = domainOf(origin, registrableDomain)
  if (domain === undefined) return undefined
  const earlier = sites.filter(site => site.origin !== origin && (since === null || site.since < since))
  const owners = earlier.map(site => ({ owner: domainOf(site.origin, registrableDomain), since: site.since }))
  // A subdomain of a known site belongs to the same owner, so it imitates nobody.
  if (owners.some(({ owner }) => owner === domain)) return undefined
  const imitated = owners.find(({ owner }) => owner !== undefined && looksLike(domain, owner))
  if (imitated?.owner === undefined) return undefined
  return { shown: readableHost(domain), known: readableHost(imitated.owner), since: imitated.since }
}

/**
 * Numbers of digits that look-alikes have in common at the start and at the end: six in total, and two at each end.
 * Users compare the ends of addresses, and a thief can match six digits within minutes.
 */
const ENDS = [
  [4, 2],
  [3, 3],
  [2, 4],
] as const

/** Returns an address's ends, in each of these lengths. */
const endsOf = (address: string): string[] => {
  const digits = address.slice(2).toLowerCase()
  return ENDS.map(([first, last]) => `${digits.slice(0, first)}…${digits.slice(-last)}`)
}

/** Known addresses. If an address occurs twice, the first entry is used. */
export type KnownAddresses<T> = {
  find(address: string): T | undefined
  /**
   * Returns another known address with the same ends, whether or not `address` itself is known. Undefined if there is
   * none.
   */
  findLookalike(address: string): T | undefined
}

/** Indexes the known addresses once, because a request can name thousands of addresses to compare. */
export const indexAddresses = <T extends { address: string }>(known: readonly T[]): KnownAddresses<T> => {
  const exact = new Map(known.toReversed().map(one => [one.address.toLowerCase(), one]))
  const alike = new Map<string, T[]>()
  for (const one of known) for (const ends of endsOf(one.address)) alike.set(ends, [...(alike.get(ends) ?? []), one])
  return {
    find: address => exact.get(address.toLowerCase()),
    findLookalike: address =>
      endsOf(address)
        .flatMap(ends => alike.get(ends) ?? [])
        .find(one => !sameAddress(one.address, address)),
  }
}
