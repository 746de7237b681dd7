/**
 * Reviews an ENS name that resolves to a recipient: finds names that look like others, and names that resolve to
 * another address than before.
 */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { Finding, NameView } from '../../messages.ts'
import { disagreement } from '../networks/checked.ts'
import { nameSkeletonOf, skeletonOf } from '../text/confusables.ts'
import { finding } from './findings.ts'
import type { Known } from './known.ts'
import { isOneEditApart } from './lookalikes.ts'

/**
 * Minimum length of a name that is compared with one edit. Shorter names are one edit away from many unrelated ones.
 */
const MIN_ONE_EDIT = 4
const PLAIN = /^[\x21-\x7e]+$/
const LATIN = /\p{Script=Latin}/u
/** Matches a letter in a script other than Latin. */
const OTHER_SCRIPT = /(?!\p{Script=Latin})\p{L}/u

/** Removes the top level from a name: `alice` for `alice.eth`. */
const bareOf = (name: string): string => name.slice(0, name.lastIndexOf('.'))

const looksLike = (name: string, known: string): boolean => {
  const [seen, other] = [skeletonOf(name), skeletonOf(known)]
  if (seen === other) return true
  return bareOf(known).length >= MIN_ONE_EDIT && (isOneEditApart(name, known) || isOneEditApart(seen, other))
}

/**
 * Returns the name that `name` imitates although it resolves to another address: a contact's ENS name, or the name of a
 * contact or account.
 */
const imitatedBy = (name: string, address: string, { accounts, contacts }: Known): string | undefined => {
  const others = [...accounts, ...contacts].filter(known => !sameAddress(known.address, address))
  const saved = contacts.flatMap(known => (known.ens && !sameAddress(known.address, address) ? [known.ens.name] : []))
  // A saved name that now resolves to another address has its own finding.
  if (saved.includes(name)) return undefined
  const skeletons = [nameSkeletonOf(name), nameSkeletonOf(bareOf(name))]
  return (
    saved.find(known => looksLike(name, known)) ??
    others.find(known => skeletons.includes(nameSkeletonOf(known.name)))?.name
  )
}

/** Returns findings about the name itself. ENSIP-15 refuses most mixtures of scripts, but not all. */
const reviewLetters = (name: string): Finding[] => {
  if (!PLAIN.test(name) && PLAIN.test(skeletonOf(name))) return [finding('caution', 'lookalikeName', name)]
  const isMixed = name.split('.').some(label => LATIN.test(label) && OTHER_SCRIPT.test(label))
  return isMixed ? [finding('caution', 'mixedScripts', name)] : []
}

/** Reports a contact's name that resolved to another address when it was saved. */
const reviewMove = (name: string, address: string, chainId: number, { contacts }: Known): Finding[] => {
  const moved = contacts.find(
    known => known.ens?.name === name && known.ens.chainId === chainId && !sameAddress(known.address, address),
  )
  return moved ? [finding('danger', 'nameMoved', name, moved.name, moved.address, address)] : []
}

/** Returns findings about a normalized name and the address to which it resolves. */
export const reviewName = (
  { name, isOfEthereum, checked }: Pick<NameView, 'name' | 'isOfEthereum' | 'checked'>,
  address: string,
  chainId: number,
  known: Known,
): Finding[] => {
  const imitated = imitatedBy(name, address, known)
  return [
    ...reviewMove(name, address, chainId, known),
    ...(imitated === undefined ? [] : [finding('danger', 'imitatedName', name, imitated)]),
    ...reviewLetters(name),
    ...(isOfEthereum ? [finding('caution', 'nameOfEthereum', name)] : []),
    ...(checked ? checked.facts.flatMap(fact => (fact.said ? disagreement('danger', fact, checked.hosts) : [])) : []),
  ]
}

/** Reports that a contact's ENS name now resolves to `now` instead of the contact's address. */
export const reviewContactName = (contact: Known['contacts'][number], now: string): Finding[] =>
  contact.ens && !sameAddress(contact.address, now)
    ? [finding('caution', 'nameMoved', contact.ens.name, contact.name, contact.address, now)]
    : []
