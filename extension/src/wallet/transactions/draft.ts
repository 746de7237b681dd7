/** A transaction before it is signed: everything filled in and reviewed, with what a person chooses by. */
import type { Address } from '@heliograph/shared/evm/address'
import type { TransactionRequest } from '@heliograph/shared/wire/node-methods'
import type { NoncesView } from '../../messages.ts'
import type { Chain } from '../chain.ts'
import type { Context } from '../method.ts'
import { reviewDestinations } from '../review/destinations.ts'
import { reviewNonce } from '../review/nonces.ts'
import { type ReviewedTransaction, reviewTransaction } from '../review/transaction.ts'
import { readTokens } from '../tokens.ts'
import type { ActivityStore } from './activity.ts'
import { destinedOf, readAddressFacts } from './address-facts.ts'
import { readNonces } from './nonces.ts'
import type { Restarts } from './restarts.ts'
import { simulate } from './simulation.ts'
import { type FilledTransaction, fillTransaction, toTransaction } from './transaction.ts'

export type DraftParts = Pick<Context, 'network' | 'assets' | 'interfaces' | 'seenPrices'> & {
  chain: Chain
  activity: ActivityStore
  restarts: Restarts
}
export type Drafted = { transaction: FilledTransaction } & ReviewedTransaction

/** Stands in for a nonce that is taken only when the transaction is signed. */
const ANY_NONCE = 0n

/** The nonces, against the chain as it is now; null where the node does not tell, since the person can do without. */
const nonceFacts = async (
  parts: DraftParts,
  account: Address,
  purpose: 'sign' | 'send',
): Promise<NoncesView | null> => {
  try {
    await parts.restarts.look(parts.network)
    return await readNonces(parts, account, purpose)
  } catch {
    return null
  }
}

/** Throws as `fillTransaction` does, and ValueError for what no transaction can hold. */
export const draftTransaction = async (
  parts: DraftParts,
  request: TransactionRequest,
  purpose: 'sign' | 'send',
): Promise<Drafted> => {
  const { from, to, value = '0x0', data = '0x', accessList } = request
  const call = { from, ...(to && { to }), value, data, ...(accessList && { accessList }) }
  const destined = destinedOf(request)
  const acts = destined.flatMap(called => called.acts)
  const [filled, nonces, simulation, facts, tokens] = await Promise.all([
    fillTransaction(parts, request),
    nonceFacts(parts, from, purpose),
    simulate(parts, call),
    readAddressFacts(parts, destined),
    readTokens(parts, from, acts),
  ])
  const { transaction } = filled
  // What could not be signed is refused now, before the person is asked.
  toTransaction(transaction, ANY_NONCE)
  const readOwn = await parts.interfaces.reader(parts.network.chainId)
  const { effect, findings } = reviewTransaction(filled, purpose, tokens, readOwn)
  return {
    transaction,
    effect: {
      ...effect,
      ...(nonces && { nonces }),
      ...(simulation && { simulation }),
    },
    findings: [
      ...findings,
      ...reviewDestinations(destined, facts),
      ...(nonces ? reviewNonce(transaction.nonce, nonces, purpose) : []),
    ],
  }
}
