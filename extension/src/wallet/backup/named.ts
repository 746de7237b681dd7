/** Finds names and addresses in a backup that imitate the wallet's. The names are indexed once, for thousands of items. */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { Finding } from '../../messages.ts'
import { finding } from '../review/findings.ts'
import { indexAddresses } from '../review/lookalikes.ts'
import { nameSkeletonOf } from '../text/confusables.ts'
import type { Held } from './section.ts'

type Named = { address: string; name: string }

const byKey = (known: readonly Named[], keyOf: (name: string) => string): ReadonlyMap<string, readonly Named[]> => {
  const all = new Map<string, Named[]>()
  for (const one of known) {
    const key = keyOf(one.name)
    all.set(key, [...(all.get(key) ?? []), one])
  }
  return all
}

const spelled = (name: string): string => name.toLowerCase()

/** Returns a function that compares a name and an address with the names and addresses of other accounts and contacts. */
export const namedReview = ({ accounts, contacts }: Held): ((one: Named) => Finding[]) => {
  const known: readonly Named[] = [...accounts.values(), ...contacts.values()]
  const addresses = indexAddresses(known)
  const bySpelling = byKey(known, spelled)
  const bySkeleton = byKey(known, nameSkeletonOf)
  return ({ address, name }) => {
    const isOther = (one: Named) => !sameAddress(one.address, address)
    const skeleton = nameSkeletonOf(name)
    const isKnown = skeleton === '' || (bySpelling.get(spelled(name)) ?? []).some(isOther)
    const imitated = isKnown ? undefined : bySkeleton.get(skeleton)?.find(isOther)
    const like = addresses.findLookalike(address)
    return [
      ...(like ? [finding('danger', 'lookalikeAddress', address, like.address, like.name)] : []),
      ...(imitated ? [finding('danger', 'imitatedName', name, imitated.name)] : []),
    ]
  }
}
