/**
 * Drafts and signs the one transaction that runs all calls of a batch: the account calls itself, and the code of
 * BATCH_DELEGATE makes the calls. If the account does not have the code yet, the transaction also carries the account's
 * authorization. https://eips.ethereum.org/EIPS/eip-7702
 */
import { encodeCallsArgument } from '@heliograph/shared/evm/abi-encode'
import type { Address } from '@heliograph/shared/evm/address'
import { type Authorization, type SignedAuthorization, signAuthorization } from '@heliograph/shared/evm/authorization'
import { decodeQuantity, encodeData, encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { signTransaction, type Transaction } from '@heliograph/shared/evm/transaction'
import type { Network } from '@heliograph/shared/network'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import { BATCH_DELEGATE, type FeeChoice } from '../../messages.ts'
import { explainCall, withUnread } from '../descriptors/explain.ts'
import type { Filled, FilledTransaction } from '../fees/filled.ts'
import { readL1Fee } from '../fees/l1-fee.ts'
import { reviewTogether, type Together } from '../review/calls.ts'
import { reviewDestinations } from '../review/destinations.ts'
import { readTransaction } from '../review/transaction.ts'
import { rpcError } from '../text/errors.ts'
import { readTokens } from '../tokens/tokens.ts'
import { addressesOf, checkAddresses, factsOf } from './address-checks.ts'
import { type Batch, callOf, type DraftedBatch, readNextNonces, UNTRIED_GAS, withExplanations } from './batch.ts'
import { checkedFacts, compareFor } from './checked-facts.ts'
import { withCode } from './code-override.ts'
import { UNSIGNED } from './delegation.ts'
import { designationOf } from './designation.ts'
import type { DraftParts } from './draft.ts'
import { simulateTogether } from './simulation.ts'
import { editRequest, fillTransaction, toTransaction } from './transaction.ts'

/** `executeBatch((address,uint256,bytes)[])`, which makes all calls or reverts. */
const EXECUTE_BATCH = '0x34fcd5be'
/** Gas that a transaction pays for each authorization. */
const AUTHORIZATION_GAS = 25_000n
const ANY_NONCE = 0n

/** False for calls that create a contract, which BATCH_DELEGATE cannot make. */
export const canBeTogether = (batch: Batch): boolean => batch.every(({ to }) => to !== undefined)

const dataOf = (batch: Batch): Hex => {
  const calls = batch.map(({ to, value = '0x0', data = '0x' }) => ({
    target: to as Address,
    value: decodeQuantity(value),
    data,
  }))
  return `${EXECUTE_BATCH}${encodeData(encodeCallsArgument(calls)).slice(2)}`
}

/** Returns the authorization for the account that also sends the transaction, whose nonce is used before the check. */
const authorizationOf = ({ chainId }: Pick<Network, 'chainId'>, nonce: bigint): Authorization => ({
  chainId: BigInt(chainId),
  address: BATCH_DELEGATE,
  nonce: nonce + 1n,
})

/** Returns the transaction to sign. Throws -32602 for a gas price, because authorizations need EIP-1559 fees. */
const toUpgrade = (filled: FilledTransaction, nonce: bigint, authorization: SignedAuthorization): Transaction => {
  const transaction = toTransaction(filled, nonce)
  if (transaction.type !== 'eip1559' || transaction.to === undefined) throw rpcError('invalidParams', 'feesIncomplete')
  return { ...transaction, to: transaction.to, type: 'eip7702', authorizationList: [authorization] }
}

/** Adds the cost of the authorization, which is neither in the estimate nor in the L1 fee of a transaction without it. */
const withAuthorization = async ({ chain, network }: DraftParts, filled: Filled): Promise<Filled> => {
  const { transaction, needed, ownGas, l1Fee: _, ...rest } = filled
  const gas = encodeQuantity(decodeQuantity(transaction.gas) + AUTHORIZATION_GAS)
  const upgraded = { ...transaction, gas }
  const l1Fee = await readL1Fee(chain, network, () =>
    toUpgrade(upgraded, ANY_NONCE, { ...authorizationOf(network, ANY_NONCE), ...UNSIGNED }),
  )
  return {
    ...rest,
    transaction: upgraded,
    needed: needed === null ? null : needed + AUTHORIZATION_GAS,
    ownGas: ownGas + AUTHORIZATION_GAS,
    ...(l1Fee !== undefined && { l1Fee }),
  }
}

/** Gives a batch whose gas could not be estimated the gas of as many untried calls. */
const withGasForAll = (filled: Filled, { length }: Batch): Filled => {
  if (filled.failure === null) return filled
  const ownGas = UNTRIED_GAS * BigInt(length)
  return { ...filled, ownGas, transaction: { ...filled.transaction, gas: encodeQuantity(ownGas) } }
}

const fill = async (parts: DraftParts, batch: Batch, { upgrades }: Together, fees: FeeChoice | undefined) => {
  const [{ from }] = batch
  const request: TransactionRequest = { from, to: from, value: '0x0', data: dataOf(batch) }
  const filled = withGasForAll(await fillTransaction(parts, editRequest(request, { ...(fees && { fees }) })), batch)
  return upgrades ? withAuthorization(parts, filled) : filled
}

/**
 * Drafts the transaction. `fees` are the user's choice. Throws like `fillTransaction`, and -32602 for a gas price if the
 * transaction gives the account code.
 */
export const draftTogether = async (
  own: DraftParts,
  batch: Batch,
  together: Together,
  fees: FeeChoice | undefined,
): Promise<DraftedBatch> => {
  const [{ from }] = batch
  const { upgrades } = together
  // The node estimates and simulates the calls as if the account already had the code.
  const parts = upgrades ? { ...own, chain: withCode(own.chain, from, designationOf(BATCH_DELEGATE)) } : own
  const readOwn = await parts.interfaces.reader(parts.network.chainId)
  const reads = batch.map(request => readTransaction(request, readOwn))
  const addressed = batch.map((request, at) => addressesOf(request, reads[at]))
  const acts = addressed.flatMap(one => one.acts)
  const filling = Promise.all([fill(parts, batch, together, fees), readNextNonces(parts, from, 1)])
  const [[filled, { displaced }], simulation, tokens, facts, comparison] = await Promise.all([
    filling,
    filling.then(([filled, { nonces }]) => simulateTogether(parts, filled, nonces[0], batch.map(callOf))),
    readTokens(parts, from, acts),
    checkAddresses(parts, addressed),
    compareFor(own, addressed, 'pays'),
  ])
  const { transaction } = filled
  const balance = encodeQuantity(filled.balance)
  const { checked, findings: differences } = checkedFacts(comparison, { balance, facts, tokens })
  // Rejects a transaction that cannot be signed, before the user is asked.
  if (upgrades) toUpgrade(transaction, ANY_NONCE, { ...authorizationOf(parts.network, ANY_NONCE), ...UNSIGNED })
  else toTransaction(transaction, ANY_NONCE)
  const { effect, findings } = reviewTogether(filled, batch, together, tokens, { simulation, displaced }, reads)
  const explanations = await Promise.all(
    batch.map((call, at) => explainCall(parts, { value: '0x0', data: '0x', ...call }, tokens, reads[at])),
  )
  return {
    transactions: [transaction],
    effect: {
      ...withExplanations(effect, explanations),
      facts: factsOf(facts),
      balance,
      ...(checked && { checked }),
    },
    findings: [
      ...withUnread(findings, explanations),
      ...reviewDestinations(
        addressed.flatMap(one => one.calls),
        facts,
      ),
      ...differences,
    ],
  }
}

/** Signs the transaction and, if it gives the account code, the authorization for this network and this nonce only. */
export const signTogether = (
  network: Pick<Network, 'chainId'>,
  filled: FilledTransaction,
  { upgrades }: Together,
  nonce: bigint,
  key: Uint8Array,
): Hex => {
  if (!upgrades) return signTransaction(toTransaction(filled, nonce), key)
  return signTransaction(toUpgrade(filled, nonce, signAuthorization(authorizationOf(network, nonce), key)), key)
}
