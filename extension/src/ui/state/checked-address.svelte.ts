/** Compares a typed address with the known ones as soon as it is complete. */
import { untrack } from 'svelte'
import type { UiMethods } from '../../messages.ts'
import { isAddress } from '../format/address.ts'
import { text } from '../format/text.ts'
import { errorText } from './errors.ts'

type Review = UiMethods['reviewAddress'][1]

export type CheckedAddress = {
  /** True if the typed text has the form of an address. */
  readonly isWhole: boolean
  /** The review of the address as typed; null until it has been reviewed. */
  readonly review: Review | null
  /** The known address that this one imitates, and its name. */
  readonly imitated: { address: string; name: string } | undefined
  /** The error of the text as typed; empty once the text changes. */
  readonly error: string
  /** Reviews the address now, unless it has been reviewed. */
  check(): Promise<void>
  /** Sets the error of the text as typed. */
  refuse(says: string): void
}

const NOTHING = { typed: '', says: '' }

/**
 * `ask` reviews an address on the network `chainId`, and again when that changes. Call it during component initialisation.
 */
export const checkAddress = (
  typed: () => string,
  chainId: () => number,
  ask: (address: string, chainId: number) => Promise<Review>,
): CheckedAddress => {
  let reviewed = $state.raw<(Review & { typed: string }) | null>(null)
  let failed = $state.raw(NOTHING)

  const now = $derived(typed().trim())
  /** Derived as a number: each pushed state is a new object and would trigger another review. */
  const place = $derived(chainId())
  const isWhole = $derived(isAddress(now))
  const review = $derived(reviewed?.typed === now ? reviewed : null)
  const imitated = $derived.by(() => {
    const [, address, name] = review?.findings.find(finding => finding.name === 'lookalikeAddress')?.values ?? []
    return address === undefined ? undefined : { address, name: name || text('knownAddress') }
  })

  const look = async (address: string, at: number) => {
    try {
      reviewed = { ...(await ask(address, at)), typed: address }
      failed = NOTHING
    } catch (failure) {
      failed = { typed: address, says: errorText(failure) }
    }
  }
  $effect(() => {
    if (!isWhole) return
    const [address, at] = [now, place]
    untrack(() => void look(address, at))
  })

  return {
    get isWhole() {
      return isWhole
    },
    get review() {
      return review
    },
    get imitated() {
      return imitated
    },
    get error() {
      return failed.typed === now ? failed.says : ''
    },
    check: async () => {
      if (!review) await look(now, place)
    },
    refuse: says => {
      failed = { typed: now, says }
    },
  }
}
