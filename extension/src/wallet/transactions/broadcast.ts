/** Sends signed transactions to the network's node. */
import { RpcError } from '@heliograph/shared/errors'
import type { Hex } from '@heliograph/shared/evm/hex'
import { isObject } from '@heliograph/shared/evm/json'
import { hashTransaction } from '@heliograph/shared/evm/transaction'
import { isRateLimit } from '../networks/answers.ts'
import { isUnavailable, isUnreachable } from '../networks/node.ts'
import type { Context } from '../requests/context.ts'
import { rpcError } from '../text/errors.ts'

/**
 * Nodes' error messages for a transaction that is already in the pool. They may also refer to another transaction with
 * the same nonce.
 */
const HAS_IT =
  /^(?!.*\bnonce\b).*(?:already ?known|known transaction|already imported|already exists|already (?:present )?in (?:the )?\w*pool)/i

type Place = Pick<Context, 'chain' | 'network'>

/** True if the node knows the transaction. Throws the node's errors, and 4901. */
export const isKnown = async ({ chain, network }: Place, hash: Hex): Promise<boolean> =>
  isObject(await chain(network, 'eth_getTransactionByHash', [hash]))

/** Like `isKnown`, but throws only if the node cannot answer. Returns false for any other error. */
const isThere = async (place: Place, hash: Hex): Promise<boolean> => {
  try {
    return await isKnown(place, hash)
  } catch (error) {
    if (isUnavailable(error)) throw error
    return false
  }
}

/**
 * Sends a signed transaction, which may have been sent before. If the node rejects it because it is known or mined, it
 * counts as accepted. Returns the node's result, or the hash if the transaction was known. Throws the node's error, or
 * 4901 with the hash if the outcome is unknown.
 */
export const broadcast = async (parts: Place, signed: Hex): Promise<unknown> => {
  const { chain, network } = parts
  try {
    return await chain(network, 'eth_sendRawTransaction', [signed])
  } catch (refusal) {
    const hash = hashTransaction(signed)
    if (refusal instanceof RpcError && HAS_IT.test(refusal.message)) return hash
    if (isRateLimit(refusal)) throw refusal
    const known = await isThere(parts, hash).catch(() => undefined)
    if (known) return hash
    if (known === false && !isUnreachable(refusal)) throw refusal
    throw rpcError('chainDisconnected', 'sendingUnsure', { network: network.title, hash }, { hash })
  }
}
