/** Drafts a transaction before it is signed: fills in every field and reviews it. */
import type { Address } from '@heliograph/shared/evm/address'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import type { NoncesView } from '../../messages.ts'
import type { ActivityStore } from '../activity/activity.ts'
import type { ChainResets } from '../activity/chain-resets.ts'
import { explainCall, withUnread } from '../descriptors/explain.ts'
import type { FilledTransaction } from '../fees/filled.ts'
import type { Chain } from '../networks/node.ts'
import type { Context } from '../requests/context.ts'
import { reviewDestinations } from '../review/destinations.ts'
import { reviewNonce } from '../review/nonces.ts'
import { type ReviewedTransaction, readTransaction, reviewTransaction } from '../review/transaction.ts'
import { readTokens } from '../tokens/tokens.ts'
import { addressesOf, checkAddresses, factsOf } from './address-checks.ts'
import { checkedFacts, compareFor } from './checked-facts.ts'
import { readNonces } from './nonces.ts'
import { simulate } from './simulation.ts'
import { fillTransaction, toTransaction } from './transaction.ts'

export type DraftParts = Pick<Context, 'network' | 'assets' | 'interfaces' | 'descriptors' | 'seenPrices'> & {
  chain: Chain
  activity: ActivityStore
  chainResets: ChainResets
}
export type Drafted = { transaction: FilledTransaction } & ReviewedTransaction

/** Placeholder: the nonce is assigned when the transaction is signed. */
const ANY_NONCE = 0n

/** Reads the account's nonces. Null if the node does not answer, because the information is optional. */
const nonceFacts = async (
  parts: DraftParts,
  account: Address,
  purpose: 'sign' | 'send',
): Promise<NoncesView | null> => {
  try {
    await parts.chainResets.look(parts.network)
    return await readNonces(parts, account, purpose)
  } catch {
    return null
  }
}

/** Drafts a transaction. Throws like `fillTransaction`, and ValueError for values that a transaction cannot contain. */
export const draftTransaction = async (
  parts: DraftParts,
  request: TransactionRequest,
  purpose: 'sign' | 'send',
): Promise<Drafted> => {
  const { from } = request
  const read = readTransaction(request, await parts.interfaces.reader(parts.network.chainId))
  const addressed = addressesOf(request, read)
  const filling = Promise.all([fillTransaction(parts, request), nonceFacts(parts, from, purpose)])
  const [[filled, nonces], simulation, facts, tokens, comparison] = await Promise.all([
    filling,
    filling.then(([drafted, known]) => simulate(parts, drafted, known?.next)),
    checkAddresses(parts, [addressed]),
    readTokens(parts, from, addressed.acts),
    compareFor(parts, [addressed], 'pays'),
  ])
  const { transaction } = filled
  // Rejects a transaction that cannot be signed, before the user is asked.
  toTransaction(transaction, ANY_NONCE)
  const { effect, findings } = reviewTransaction(filled, purpose, tokens, read)
  const explanation = await explainCall(parts, transaction, tokens, read)
  const balance = encodeQuantity(filled.balance)
  const { checked, findings: differences } = checkedFacts(comparison, { balance, nonces, facts, tokens })
  return {
    transaction,
    effect: {
      ...effect,
      balance,
      facts: factsOf(facts),
      ...(nonces && { nonces }),
      ...(simulation && { simulation }),
      ...(explanation.explained && { explained: explanation.explained }),
      ...(checked && { checked }),
    },
    findings: [
      ...withUnread(findings, [explanation]),
      ...reviewDestinations(addressed.calls, facts),
      ...(nonces ? reviewNonce(transaction.nonce, nonces, purpose) : []),
      ...differences,
    ],
  }
}
