/** Compares a typed address with the known ones as soon as it seems complete, and looks up a typed ENS name. */
import { readPastedAddress } from '@heliograph/shared/pasted/address'
import { untrack } from 'svelte'
import type { UiMethods } from '../../messages.ts'
import { isName } from '../format/address.ts'
import { text } from '../format/text.ts'
import { CallError } from './client.svelte.ts'
import { errorText } from './errors.ts'

type Review = UiMethods['reviewAddress'][1]

export type CheckedAddress = {
  /** True if the typed text has the form of an ENS name, or of an address that may lack some digits. */
  readonly isWhole: boolean
  /** True while a typed name is being looked up. */
  readonly isLooking: boolean
  /** The review of the text as typed; null until it has been reviewed. */
  readonly review: Review | null
  /** The known address that this one imitates, and its name. */
  readonly imitated: { address: string; name: string } | undefined
  /** The error of the text as typed; empty once the text changes. */
  readonly error: string
  /** The part of the settings in which the error can be fixed, if any. */
  readonly remedy: 'networks/1' | 'security' | undefined
  /** Reviews the text now, unless it has been reviewed. */
  check(): Promise<void>
  /** Sets the error of the text as typed. */
  refuse(says: string): void
}

/** The pause in typing after which a name is looked up, in ms. */
const NAME_PAUSE = 400

const remedies: Readonly<Record<string, CheckedAddress['remedy']>> = {
  noEthereumNode: 'networks/1',
  nameOffChain: 'security',
}

/** A text and the network that it was typed for. */
type Typed = { text: string; chainId: number }

/** Matches a nearly complete address. Text with fewer digits is the start of an address that is being typed. */
const NEARLY_ADDRESS = /^0x[\da-f]{30,}$/i

const isSame = (one: Typed | undefined, other: Typed) => one?.text === other.text && one.chainId === other.chainId

/**
 * Reviews the typed text with `ask` on the network `chainId`, and again when the network changes. Call it during
 * component initialization.
 */
export const checkAddress = (
  typed: () => string,
  chainId: () => number,
  ask: (text: string, chainId: number) => Promise<Review>,
): CheckedAddress => {
  let reviewed = $state.raw<{ of: Typed; review: Review }>()
  let failed = $state.raw<{ of: Typed; says: string; reason: string }>()
  let looking = $state.raw<{ of: Typed; end: Promise<void> }>()

  /** These are primitive values, because each pushed state is a new object and would trigger another review. */
  const now = $derived(typed().trim())
  const place = $derived(chainId())
  const given = $derived({ text: now, chainId: place })
  const { address, chain, unknown } = $derived(readPastedAddress(now))
  const isOfName = $derived(isName(address))
  const isWhole = $derived(isOfName || NEARLY_ADDRESS.test(address) || chain !== undefined || unknown !== undefined)
  const review = $derived(reviewed && isSame(reviewed.of, given) ? reviewed.review : null)
  const failure = $derived(failed && isSame(failed.of, given) ? failed : undefined)
  const imitated = $derived.by(() => {
    const [, address, name] = review?.findings.find(finding => finding.name === 'lookalikeAddress')?.values ?? []
    return address === undefined ? undefined : { address, name: name || text('knownAddress') }
  })

  const reviewNow = async (of: Typed) => {
    try {
      reviewed = { of, review: await ask(of.text, of.chainId) }
      failed = undefined
    } catch (error) {
      failed = { of, says: errorText(error), reason: error instanceof CallError ? error.reason : '' }
    }
    if (isSame(looking?.of, of)) looking = undefined
  }
  /** Reviews the text, or returns the running review of the same text. */
  const look = (of: Typed): Promise<void> => {
    if (!looking || !isSame(looking.of, of)) looking = { of, end: reviewNow(of) }
    return looking.end
  }
  $effect(() => {
    if (!isWhole) return
    const of = given
    if (!isOfName) return untrack(() => void look(of))
    const timer = setTimeout(() => void look(of), NAME_PAUSE)
    return () => clearTimeout(timer)
  })

  return {
    get isWhole() {
      return isWhole
    },
    get isLooking() {
      return isOfName && isSame(looking?.of, given)
    },
    get review() {
      return review
    },
    get imitated() {
      return imitated
    },
    get error() {
      return failure?.says ?? ''
    },
    get remedy() {
      return remedies[failure?.reason ?? '']
    },
    check: async () => {
      if (!review) await look(given)
    },
    refuse: says => {
      failed = { of: given, says, reason: '' }
    },
  }
}
