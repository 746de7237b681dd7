/** Takes the nonce of a transaction that is not on the chain yet: the same again for more, or nothing at all. */
import { rpcError } from '@heliograph/shared/errors'
import { fromQuantity, type Hex, toQuantity } from '@heliograph/shared/evm/hex'
import { decodeTransaction, type Transaction } from '@heliograph/shared/evm/transaction'
import type { FeeChoice } from '../../messages.ts'
import type { Activity } from './activity.ts'
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
} from './fees.ts'
import { type OwnParts, signAndSend } from './own-transactions.ts'

/** Nodes take another transaction with a nonce that is in their pool for a tenth more, of the tip as well. */
const raised = (wei: bigint): bigint => (wei * 11n + 9n) / 10n

/** Without a choice a replacement pays at most so many times what the one before does: nobody has seen the price. */
const MOST_UNSEEN = 5n
/** Wei per gas below which the price does not matter: 1 gwei. */
const CHEAP = 1_000_000_000n

const larger = (a: bigint, b: bigint) => (a > b ? a : b)

const priceOf = (offer: Offer): bigint => ('gasPrice' in offer ? offer.gasPrice : offer.maxFeePerGas)

/** The least that a replacement pays. */
const leastOf = (transaction: Transaction): Offer => {
  if ('gasPrice' in transaction) return { gasPrice: raised(transaction.gasPrice) }
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction
  return { maxFeePerGas: raised(maxFeePerGas), maxPriorityFeePerGas: raised(maxPriorityFeePerGas) }
}

/** What a speed takes now, and no less than the least. */
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

/** Throws -32602 for a choice that pays less than the least, or in another way. */
const toOffer = (choice: FeeChoice, least: Offer): Offer => {
  const entries = Object.entries(least).map(([name, minimum]: [string, bigint]) => {
    const chosen = Object.entries(choice).find(([candidate]) => candidate === name)?.[1]
    const price = toQuantity(chosen, name)
    if (price < minimum) throw rpcError('invalidParams', `${name}: a replacement pays at least ${minimum} wei per gas`)
    return [name, price]
  })
  return Object.fromEntries(entries)
}

/** The bytes of a transaction that may still be taken. Throws -32602. */
const bytesOf = ({ raw, status }: Activity): Hex => {
  if (raw === null || status === 'dropped') throw rpcError('invalidParams', 'The transaction is no longer pending')
  return raw
}

/** What each speed costs now, and what is paid at least: for the page, before it replaces anything. */
export const readReplacement = async (parts: OwnParts, record: Activity, purpose: 'speedUp' | 'cancel') => {
  const { transaction } = decodeTransaction(bytesOf(record))
  const least = leastOf(transaction)
  const fees = await readFees(parts.chain, parts.network)
  const gas = purpose === 'cancel' ? await gasOfNothing(parts, record) : transaction.gas
  const levelOf = (speed: Speed) => {
    const offer = offerAbove(least, fees, speed)
    return { fees: offer, expected: paidOf(offer, fees) }
  }
  return { fees, least, gas, slow: levelOf('slow'), normal: levelOf('normal'), fast: levelOf('fast') }
}

/** What is offered for a replacement: the choice, or without one what is fast now. */
const readOffer = async (
  { chain, network }: Pick<OwnParts, 'chain' | 'network'>,
  record: Activity,
  choice: FeeChoice | undefined,
): Promise<Offer> => {
  const least = leastOf(decodeTransaction(bytesOf(record)).transaction)
  if (choice) return toOffer(choice, least)
  const offer = offerAbove(least, await readFees(chain, network), 'fast')
  if (priceOf(offer) > MOST_UNSEEN * larger(priceOf(least), CHEAP))
    throw rpcError(
      'invalidInput',
      `The network asks more than ${MOST_UNSEEN} times the price of before. Choose the fee.`,
    )
  return offer
}

/** The first of those that have followed each other under the nonce. */
const firstOf = ({ replaces, hash }: Activity): Hex => replaces ?? hash

/** The same offer once more is the same replacement. */
const nameOf = (offer: object): string => JSON.stringify(Object.values(offer).map(fromQuantity))

/** Sends the same again for more. Results in the hash of the new one. */
export const speedUp = async (parts: OwnParts, record: Activity, choice: FeeChoice | undefined): Promise<Hex> => {
  if (record.status !== 'pending') throw rpcError('invalidParams', 'Only what is on its way can be sped up')
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

/** The gas of sending nothing to the account itself, which may run code. */
const gasOfNothing = async ({ chain, network }: OwnParts, { account }: Activity): Promise<bigint> => {
  const { gas } = await estimateGas(chain, network, { from: account, to: account, value: '0x0', data: '0x' })
  return withMargin(gas, null)
}

/** Sends nothing to the account itself under the same nonce. Results in the hash of the new one. */
export const cancel = async (parts: OwnParts, record: Activity, choice: FeeChoice | undefined): Promise<Hex> => {
  const { network } = parts
  const { account, nonce } = record
  const offer = await readOffer(parts, record, choice)
  const gas = await gasOfNothing(parts, record)
  const fields = { chainId: BigInt(network.chainId), nonce: toQuantity(nonce), gas, to: account, value: 0n } as const
  const replacement: Transaction =
    'gasPrice' in offer
      ? { type: 'legacy', ...fields, ...offer, data: '0x' }
      : { type: 'eip1559', ...fields, ...offer, data: '0x', accessList: [] }
  const key = `nothing ${record.hash} ${nameOf(offer)}`
  const occasion = { account, key, purpose: 'cancel' as const, replaces: firstOf(record) }
  return signAndSend(parts, occasion, async () => replacement)
}
