/** Origins and addresses that are made to be taken for others. */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { RegistrableDomain } from '../registrable-domain.ts'
import { skeletonOf } from './confusables.ts'
import { readableHost } from './punycode.ts'

/** Names of this computer and numbers of hosts: nobody registers them to imitate a name. */
const NO_DOMAIN = /(^|\.)localhost$|^[\d.]+$|^\[|^[^.]*$/

/** Shorter names are one letter from many others that have nothing to do with them. */
const MIN_ONE_EDIT = 4

const domainOf = (origin: string, registrableDomain: RegistrableDomain): string | undefined => {
  if (!URL.canParse(origin)) return undefined
  const { hostname } = new URL(origin)
  return hostname === '' || NO_DOMAIN.test(hostname) ? undefined : registrableDomain(hostname)
}

/** Whether one letter more, less or other makes one text of the other. */
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
  // Of skeletons as well: a host can have a letter more and others that look alike.
  const isEdited = isOneEditApart(readable, readableKnown) || isOneEditApart(seen, seenKnown)
  return name.length >= MIN_ONE_EDIT && isEdited
}

export type KnownSite = { origin: string; since: number }

/** A site that `origin` can be taken for: what a person reads in both, and since when the real one is known. */
export type Imitation = { shown: string; known: string; since: number }

/** The site connected before that an origin imitates, if there is one. `since` is when it was connected itself, or null. */
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
  // What belongs to a known site is that site.
  if (owners.some(({ owner }) => owner === domain)) return undefined
  const imitated = owners.find(({ owner }) => owner !== undefined && looksLike(domain, owner))
  if (imitated?.owner === undefined) return undefined
  return { shown: readableHost(domain), known: readableHost(imitated.owner), since: imitated.since }
}

/** What is seen of an address in its short form: `0x`, the first four digits and the last four. */
const endsOf = (address: string): string => `${address.slice(0, 6)}${address.slice(-4)}`.toLowerCase()

/** The known address that another one can be taken for. */
export const findLookalike = <T extends { address: string }>(address: string, known: readonly T[]): T | undefined => {
  if (known.some(other => sameAddress(other.address, address))) return undefined
  return known.find(other => endsOf(other.address) === endsOf(address))
}
