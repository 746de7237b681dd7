/** Holds an address that is typed against those that are known, as soon as it is whole. */
import { untrack } from 'svelte'
import type { UiMethods } from '../messages.ts'
import { isAddress } from './address.ts'
import { errorText } from './errors.ts'
import { text } from './text.ts'

type Review = UiMethods['reviewAddress'][1]

export type CheckedAddress = {
  /** Whether what is typed has the form of an address. */
  readonly isWhole: boolean
  /** What was found of just this address; null until it was looked at. */
  readonly review: Review | null
  /** The address that this one can be taken for, and what that is called. */
  readonly imitated: { address: string; name: string } | undefined
  /** What is wrong with what is typed, for as long as that stands there. */
  readonly error: string
  /** Looks at it now, unless that was done. */
  check(): Promise<void>
  /** Says what is wrong with what is typed now. */
  refuse(says: string): void
}

const NOTHING = { typed: '', says: '' }

/**
 * `ask` has the background look at an address, on the network of `chainId`: with another it is asked again. Must be called while
 * a component is set up.
 */
export const checkAddress = (
  typed: () => string,
  chainId: () => number,
  ask: (address: string, chainId: number) => Promise<Review>,
): CheckedAddress => {
  let reviewed = $state.raw<(Review & { typed: string }) | null>(null)
  let failed = $state.raw(NOTHING)

  const now = $derived(typed().trim())
  /** A number: the state that it is from comes anew with each push. */
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
