/** Replaces a pending transaction, at the same nonce, with a copy that has higher fees or with a cancellation. */
import { decodeQuantity, encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { decodeTransaction, type Transaction } from '@heliograph/shared/evm/transaction'
import type { FeeChoice } from '../../messages.ts'
import type { Activity } from '../activity/activity.ts'
import {
  estimateGas,
  type Fees,
  highestPrice,
  type Offer,
  offerFor,
  paidOf,
  readFees,
  type Speed,
  withMargin,
} from '../fees/fees.ts'
import { readL1Fee } from '../fees/l1-fee.ts'
import { rpcError } from '../text/errors.ts'
import { type OwnParts, signAndSend } from './own-transactions.ts'

/** Raises an amount by a tenth, rounded up. Nodes accept a replacement only if both price and tip rise by a tenth. */
const raised = (wei: bigint): bigint => (wei * 11n + 9n) / 10n

/** Maximum factor by which a replacement's price may exceed the original if the user has not seen the price. */
const MOST_UNSEEN = 5n
/** Price below which MOST_UNSEEN does not apply: 1 gwei, in wei per gas. */
const CHEAP = 1_000_000_000n

const larger = (a: bigint, b: bigint) => (a > b ? a : b)

const priceOf = (offer: Offer): bigint => ('gasPrice' in offer ? offer.gasPrice : offer.maxFeePerGas)

/** Returns a replacement's minimum price. */
const leastOf = (transaction: Transaction): Offer => {
  if ('gasPrice' in transaction) return { gasPrice: raised(transaction.gasPrice) }
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction
  return { maxFeePerGas: raised(maxFeePerGas), maxPriorityFeePerGas: raised(maxPriorityFeePerGas) }
}

/** Returns the current price for a speed, but at least the minimum. */
const offerAbove = (least: Offer, fees: Fees, speed: Speed): Offer => {
  const { baseFee, tips } = fees
  if ('gasPrice' in least) return { gasPrice: larger(least.gasPrice, highestPrice(baseFee ?? 0n, tips[speed], 'slow')) }
  const wanted = offerFor(fees, speed).fees
  const { maxFeePerGas, maxPriorityFeePerGas } =
    'gasPrice' in wanted ? { maxFeePerGas: wanted.gasPrice, maxPriorityFeePerGas: wanted.gasPrice } : wanted
  return {
    maxFeePerGas: larger(least.maxFeePerGas, maxFeePerGas),
    maxPriorityFeePerGas: larger(least.maxPriorityFeePerGas, maxPriorityFeePerGas),
  }
}

/** Converts the choice. Throws -32602 if it is below the minimum, or has another fee type. */
const toOffer = (choice: FeeChoice, least: Offer): Offer => {
  const entries = Object.entries(least).map(([name, minimum]: [string, bigint]) => {
    const chosen = Object.entries(choice).find(([candidate]) => candidate === name)?.[1]
    const price = decodeQuantity(chosen, name)
    if (price < minimum) throw rpcError('invalidParams', 'replacementTooCheap', { place: name, least: String(minimum) })
    return [name, price]
  })
  return Object.fromEntries(entries)
}

/** Returns the bytes of a transaction that may still be included. Throws -32602 if there are none. */
const bytesOf = ({ raw, status }: Activity): Hex => {
  if (raw === null || status === 'dropped') throw rpcError('invalidParams', 'notPending')
  return raw
}

/** Reads the prices for each speed and the minimum, for the page that confirms a replacement. */
export const readReplacement = async (parts: OwnParts, record: Activity, purpose: 'speedUp' | 'cancel') => {
  const { transaction } = decodeTransaction(bytesOf(record))
  const least = leastOf(transaction)
  const fees = await readFees(parts.chain, parts.network)
  const gas = purpose === 'cancel' ? await gasOfNothing(parts, record) : transaction.gas
  const levelOf = (speed: Speed) => {
    const offer = offerAbove(least, fees, speed)
    return { fees: offer, expected: paidOf(offer, fees) }
  }
  const levels = { slow: levelOf('slow'), normal: levelOf('normal'), fast: levelOf('fast') }
  const l1Fee = await readL1Fee(parts.chain, parts.network, () =>
    purpose === 'cancel' ? nothingOf(parts, record, gas, levels.fast.fees) : transaction,
  )
  return { fees, least, gas, l1Fee, ...levels }
}

/** Returns a replacement's price: the user's choice, or else the current price for fast inclusion. */
const readOffer = async (
  { chain, network }: Pick<OwnParts, 'chain' | 'network'>,
  record: Activity,
  choice: FeeChoice | undefined,
): Promise<Offer> => {
  const least = leastOf(decodeTransaction(bytesOf(record)).transaction)
  if (choice) return toOffer(choice, least)
  const offer = offerAbove(least, await readFees(chain, network), 'fast')
  if (priceOf(offer) > MOST_UNSEEN * larger(priceOf(least), CHEAP))
    throw rpcError('invalidInput', 'feesJumped', { times: String(MOST_UNSEEN) })
  return offer
}

/** Returns the hash of the first transaction with this nonce in a chain of replacements. */
const firstOf = ({ replaces, hash }: Activity): Hex => replaces ?? hash

/** Returns a text that identifies an offer, so that a repeated call with the same offer does not sign twice. */
const nameOf = (offer: object): string => JSON.stringify(Object.values(offer).map(encodeQuantity))

/** Sends the same transaction at a higher price. Returns the new hash. */
export const speedUp = async (parts: OwnParts, record: Activity, choice: FeeChoice | undefined): Promise<Hex> => {
  if (record.status !== 'pending') throw rpcError('invalidParams', 'notSpeedable')
  const { transaction } = decodeTransaction(bytesOf(record))
  const offer = await readOffer(parts, record, choice)
  const { account, purpose } = record
  const replacement = { ...transaction, ...offer } as Transaction
  const occasion = {
    account,
    key: `faster ${record.hash} ${nameOf(offer)}`,
    purpose: purpose === 'transaction' ? ('speedUp' as const) : purpose,
    replaces: firstOf(record),
  }
  return signAndSend(parts, occasion, async () => replacement)
}

/** Estimates the gas of an empty transfer to the account itself, which may have code. */
const gasOfNothing = async ({ chain, network }: OwnParts, { account }: Activity): Promise<bigint> => {
  const { gas } = await estimateGas(chain, network, { from: account, to: account, value: '0x0', data: '0x' })
  return withMargin(gas, null)
}

/** Builds an empty transfer to the account itself with the record's nonce. */
const nothingOf = (
  { network }: Pick<OwnParts, 'network'>,
  { account, nonce }: Activity,
  gas: bigint,
  offer: Offer,
): Transaction => {
  const fields = {
    chainId: BigInt(network.chainId),
    nonce: decodeQuantity(nonce),
    gas,
    to: account,
    value: 0n,
  } as const
  return 'gasPrice' in offer
    ? { type: 'legacy', ...fields, ...offer, data: '0x' }
    : { type: 'eip1559', ...fields, ...offer, data: '0x', accessList: [] }
}

/** Cancels a transaction with an empty transfer to the account itself that has the same nonce. Returns the new hash. */
export const cancel = async (parts: OwnParts, record: Activity, choice: FeeChoice | undefined): Promise<Hex> => {
  const { account } = record
  const offer = await readOffer(parts, record, choice)
  const replacement = nothingOf(parts, record, await gasOfNothing(parts, record), offer)
  const key = `nothing ${record.hash} ${nameOf(offer)}`
  const occasion = { account, key, purpose: 'cancel' as const, replaces: firstOf(record) }
  return signAndSend(parts, occasion, async () => replacement)
}
