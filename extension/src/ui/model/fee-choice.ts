/** Checks a fee as it is typed. Fields hold gwei; FeeChoice holds wei. */
import type { FeeChoice, FeesView, TransactionEdit } from '../../messages.ts'
import { formatCount, formatExact, parseAmount, printUnits } from '../format/numbers.ts'
import { text } from '../format/text.ts'

export const SPEEDS = ['slow', 'normal', 'fast'] as const
export type Speed = (typeof SPEEDS)[number]

/**
 * The initial state of a fee editor. `used` is the expected gas. `gas` and `nonce` are null if the user cannot edit
 * them. `least` is the lowest fee that replaces another transaction; null if none is replaced. `l1` is the L1 data fee
 * in wei, which no choice changes.
 */
export type FeeStart = {
  fees: FeesView
  current: FeeChoice
  speed: Speed | null
  used: bigint
  l1: bigint
  gas: string | null
  nonce: string | null
  least: FeeChoice | null
}

/** The fields as typed. `price` is the maximum fee per gas, or the gas price if `tip` is null. */
export type Typed = { price: string; tip: string | null; gas: string; nonce: string }
export type Field = keyof Typed

/** `edit` is null if a field is invalid. */
export type Checked = { edit: TransactionEdit | null; errors: Partial<Record<Field, string>>; warning: string }

const GWEI_DECIMALS = 9
const LEAST_GAS = 21_000n
/** Longest gas limit or nonce, in digits. Real ones are far shorter, and this many fit in a safe integer. */
const MOST_DIGITS = 15
/** Multiple of the current fast fee above which a fee causes a warning. */
const FAR = 3n
/** Prices below this one never cause a warning about a high fee: 1 gwei, in wei per gas. */
const CHEAP = 1_000_000_000n

const pricesOf = (fees: FeeChoice): { price: bigint; tip: bigint | null } =>
  'gasPrice' in fees
    ? { price: BigInt(fees.gasPrice), tip: null }
    : { price: BigInt(fees.maxFeePerGas), tip: BigInt(fees.maxPriorityFeePerGas) }

const printGwei = (wei: bigint): string => printUnits(wei.toString(), GWEI_DECIMALS)

/** Returns a price for display, such as "3.1". */
export const formatGwei = (wei: bigint): string => formatExact(wei, GWEI_DECIMALS)

/** Returns the prices as text for the fields. */
export const typedPrices = (fees: FeeChoice): Pick<Typed, 'price' | 'tip'> => {
  const { price, tip } = pricesOf(fees)
  return { price: printGwei(price), tip: tip === null ? null : printGwei(tip) }
}

export const typedOf = ({ current, gas, nonce }: FeeStart): Typed => ({
  ...typedPrices(current),
  gas: gas === null ? '' : String(BigInt(gas)),
  nonce: nonce === null ? '' : String(BigInt(nonce)),
})

/** Returns the speed whose fee equals the current one, or null. */
export const speedOf = ({ fees, current, speed }: FeeStart): Speed | null =>
  speed ?? SPEEDS.find(one => JSON.stringify(fees[one].fees) === JSON.stringify(current)) ?? null

const wholeNumber = (typed: string): bigint | null => {
  const digits = typed.trim()
  return /^\d+$/.test(digits) && digits.length <= MOST_DIGITS ? BigInt(digits) : null
}

const priceError = (typed: string, least: bigint | null): string | undefined => {
  const price = parseAmount(typed, GWEI_DECIMALS)
  if (price === null) return text('noGwei', GWEI_DECIMALS)
  return least !== null && price < least ? text('replacementLeast', formatGwei(least)) : undefined
}

const errorsOf = (typed: Typed, { gas, nonce, least }: FeeStart): Checked['errors'] => {
  const minimum = least && pricesOf(least)
  const price = priceError(typed.price, minimum?.price ?? null)
  const tip = typed.tip === null ? undefined : priceError(typed.tip, minimum?.tip ?? null)
  const isTipAbove = !price && !tip && typed.tip !== null && BigInt(toWei(typed.tip)) > BigInt(toWei(typed.price))
  const tipError = tip ?? (isTipAbove ? text('tipAboveMax') : undefined)
  const limit = wholeNumber(typed.gas)
  const gasError =
    gas !== null && (limit === null || limit < LEAST_GAS) ? text('noGas', formatCount(Number(LEAST_GAS))) : undefined
  const nonceError = nonce !== null && wholeNumber(typed.nonce) === null ? text('noNonce') : undefined
  return {
    ...(price && { price }),
    ...(tipError && { tip: tipError }),
    ...(gasError && { gas: gasError }),
    ...(nonceError && { nonce: nonceError }),
  }
}

const toWei = (gwei: string): string => `0x${(parseAmount(gwei, GWEI_DECIMALS) ?? 0n).toString(16)}`
const toHex = (digits: string): string => `0x${(wholeNumber(digits) ?? 0n).toString(16)}`

const choiceOf = ({ price, tip }: Typed): FeeChoice =>
  tip === null ? { gasPrice: toWei(price) } : { maxFeePerGas: toWei(price), maxPriorityFeePerGas: toWei(tip) }

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** Returns a warning if the prices are far above the current fast fee, otherwise an empty text. */
export const farAbove = (choice: FeeChoice, fees: FeesView): string => {
  const { price, tip } = pricesOf(choice)
  const paid = tip === null ? price : smaller(BigInt(fees.baseFee ?? '0x0') + tip, price)
  const isFar = paid > FAR * BigInt(fees.fast.expected) || price > FAR * pricesOf(fees.fast.fees).price
  return isFar && price > CHEAP ? text('feeFarAbove', formatGwei(BigInt(fees.fast.expected))) : ''
}

/** Returns a warning about valid but unwise prices, or an empty text. */
const warningOf = (choice: FeeChoice, fees: FeesView): string => {
  const { price, tip } = pricesOf(choice)
  const base = BigInt(fees.baseFee ?? '0x0')
  if (price < base) return text('feeBelowNext', formatGwei(base))
  const far = farAbove(choice, fees)
  if (far !== '') return far
  const slow = pricesOf(fees.slow.fees)
  const usual = slow.tip ?? slow.price
  return (tip ?? price) < usual ? text('feeBelowRecent') : ''
}

/**
 * Returns gas and nonce if the user edited them. The transaction keeps an earlier edit until a new value is sent, so a
 * field that was edited back to its initial value is sent as well.
 */
export const touchedOf = (typed: Typed, touched: ReadonlySet<Field>): Pick<TransactionEdit, 'gas' | 'nonce'> => ({
  ...(touched.has('gas') && { gas: toHex(typed.gas) }),
  ...(touched.has('nonce') && { nonce: toHex(typed.nonce) }),
})

/** Turns the fields into an edit: always the prices, and gas and nonce if they were edited. */
export const checkTyped = (typed: Typed, start: FeeStart, touched: ReadonlySet<Field>): Checked => {
  const errors = errorsOf(typed, start)
  if (errors.price || errors.tip) return { edit: null, errors, warning: '' }
  const fees = choiceOf(typed)
  const warning = warningOf(fees, start.fees)
  if (errors.gas || errors.nonce) return { edit: null, errors, warning }
  return { edit: { fees, ...touchedOf(typed, touched) }, errors, warning }
}
