/** Reviews with a planted weakness. The fuzz test must detect each of them. */
import { functions } from '@heliograph/shared/evm/functions'
import { FunctionFragment } from 'ethers'
import type { Kind, Shown } from './case.ts'
import { payments } from './payments.ts'
import type { Review } from './review.ts'
import { safeRefunds } from './safe-refunds.ts'
import { transactions } from './transactions.ts'
import { traps } from './traps.ts'
import { typedData } from './typed-data.ts'

type Weaken = (shown: Shown) => Shown

/** `detected` is a mutation that exposes the weakness by itself, or null if a plain request does. */
export type Weakness = { name: string; kind: Kind; cases: number; weaken: Weaken; detected: string | null }

const LEVELS = ['danger', 'caution'] as const

/** Removes these findings from a review. */
const without =
  (...names: readonly string[]): Weaken =>
  shown => {
    const findings = shown.findings.filter(finding => !names.includes(finding.split(' ')[1] ?? ''))
    const level = LEVELS.find(one => findings.some(finding => finding.startsWith(one))) ?? 'none'
    return { ...shown, findings, level }
  }

/** Number of cases that covers each fixture of the kind. */
const ONCE = { payments: 6, traps: 6, safeRefunds: 12, transactions: 50, typedData: 40 }
/** Number of cases that covers each mutation. */
const MANY = 100

const SELECTORS = new Set(functions.map(text => FunctionFragment.from(`function ${text}`).selector))
const isOdd = ({ sent }: Shown) => sent.some(({ data }) => ((data.length - 2) / 2) % 32 !== 4 && data !== '0x')
const isKnown = ({ sent }: Shown) => sent.every(({ data }) => SELECTORS.has(data.slice(0, 10)))
const isPlainApproval = ({ sent }: Shown) =>
  sent.some(({ data }) => data.startsWith('0x095ea7b3') && data.endsWith('f'.repeat(64)))

const plainly = (name: string, kind: Kind, cases: number, weaken: Weaken): Weakness => ({
  name,
  kind,
  cases,
  weaken,
  detected: null,
})

export const WEAKNESSES: readonly Weakness[] = [
  {
    // A decoder that is too strict behaves like this.
    name: 'ignores findings if the calldata is not a whole number of words',
    kind: transactions,
    cases: MANY,
    weaken: shown => (isOdd(shown) ? { ...shown, level: 'caution', findings: ['caution malformedCall'] } : shown),
    detected: 'tail bytes',
  },
  plainly('treats every allowance as limited', transactions, ONCE.transactions, shown =>
    isPlainApproval(shown) ? { ...shown, level: 'caution', findings: [] } : shown,
  ),
  {
    name: 'ignores coins that a known function takes',
    kind: payments,
    cases: MANY,
    weaken: shown => (isKnown(shown) ? without('mostOfAsset', 'coinsToUnknown', 'unknownContract')(shown) : shown),
    detected: 'known function',
  },
  plainly('ignores the share of the balance', payments, ONCE.payments, without('mostOfAsset')),
  plainly('ignores the loss in a simulation', traps, ONCE.traps, without('unexplainedLoss')),
  plainly('simulates only once', traps, ONCE.traps, without('behavesDifferently')),
  plainly('ignores the refund of a Safe', safeRefunds, ONCE.safeRefunds, without('mostOfAsset', 'firstRecipient')),
  plainly('accepts dust as a price', typedData, ONCE.typedData, without('dustOrder')),
  plainly('accepts nothing as a price', typedData, ONCE.typedData, without('emptyOrder')),
  plainly("accepts another party's gain as a price", typedData, ONCE.typedData, without('gainElsewhere')),
]

export const weakened =
  (review: Review, { weaken }: Weakness): Review =>
  async request => {
    const shown = await review(request)
    return shown.level === 'blocked' ? shown : weaken(shown)
  }
