/** `sendTransaction`, `signTransaction` and `sendRawTransaction` under each prefix. The first two sign. */
import { decodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { decodeTransaction, hashTransaction, recoverTransaction } from '@heliograph/shared/evm/transaction'
import { nodeSchemas } from '@heliograph/shared/wire/node-methods'
import { parseParams, parseParamsOn } from '@heliograph/shared/wire/params'
import { ignoredFields, type TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import type { NoncesView, TransactionEdit, TransactionEffect } from '../../messages.ts'
import type { Activity } from '../activity/activity.ts'
import type { FilledTransaction } from '../fees/filled.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import {
  type Answering,
  type Asking,
  accountOf,
  type Context,
  requireAccount,
  siteNetwork,
} from '../requests/context.ts'
import { ChangedSince, type Draft, type WalletRequest } from '../requests/store.ts'
import { withLimitOf } from '../review/allowance.ts'
import { reviewIgnored, withIgnored } from '../review/ignored.ts'
import { reviewNonce, withNonceFindings } from '../review/nonces.ts'
import { readTransaction, reviewUnreached, unreachable, waitingForNode } from '../review/transaction.ts'
import { rpcError } from '../text/errors.ts'
import { readTokens } from '../tokens/tokens.ts'
import { broadcast } from '../transactions/broadcast.ts'
import { signOnce } from '../transactions/delivery.ts'
import { draftTransaction } from '../transactions/draft.ts'
import { makeInTime, silent } from '../transactions/in-time.ts'
import { readNonces } from '../transactions/nonces.ts'
import { assertUnused } from '../transactions/own-transactions.ts'
import { editRequest, signFilled } from '../transactions/transaction.ts'

/**
 * Returns the review while the node is unreachable or has not responded yet. The request can be retried but not
 * approved.
 */
const unreachedDraft = async (
  context: Pick<Context, 'chain' | 'network' | 'assets' | 'interfaces'>,
  request: TransactionRequest,
  purpose: 'sign' | 'send',
) => {
  const read = readTransaction(request, await context.interfaces.reader(context.network.chainId))
  const tokens = await readTokens(context, request.from, read.acts)
  const { effect, findings } = reviewUnreached(request, purpose, tokens, read)
  return { account: request.from, payload: request, effect, findings }
}

const SCHEMAS = { send: nodeSchemas.sendTransaction, sign: nodeSchemas.signTransaction }

/** Parses a site's params and reviews the transaction. */
const prepareTransaction = async (asked: Context, params: unknown, purpose: 'sign' | 'send'): Promise<Draft> => {
  const request = parseParamsOn(asked.network.chainId, params, SCHEMAS[purpose])
  const account = await requireAccount(asked, request.from)
  const context = { ...asked, network: onBehalfOf(asked.network, account) }
  const ignored = reviewIgnored(ignoredFields((params as readonly unknown[])[0]))
  const { network } = context
  const drafted = await makeInTime(context.chain, chain => draftTransaction({ ...context, chain }, request, purpose))
  if (drafted.made === null) {
    const chain = drafted.late ? silent(context.chain) : context.chain
    const { findings, ...unreached } = await unreachedDraft({ ...context, chain }, request, purpose)
    const why = drafted.late ? waitingForNode(network) : unreachable(network)
    return { ...unreached, account, findings: [...findings, why, ...ignored] }
  }
  const { transaction, effect, findings } = drafted.made
  return { account, payload: transaction, effect, findings: [...findings, ...ignored] }
}

/** Reviews the request again with the user's changes. Throws 4901, and -32602 for a used nonce. */
const editTransaction = async (
  context: Context,
  request: WalletRequest,
  edit: TransactionEdit,
  purpose: 'sign' | 'send',
): Promise<Draft> => {
  const account = accountOf(request)
  const edited = editRequest(request.payload as TransactionRequest, edit)
  if (edit.nonce !== undefined && edited.nonce !== undefined) await assertUnused(context, account, edited.nonce)
  const { transaction, effect, findings } = await draftTransaction(context, edited, purpose)
  return {
    account,
    payload: transaction,
    effect: withLimitOf(request.effect, effect),
    findings: withIgnored(findings, request.findings),
  }
}

/** True if the new contract would not get the address that was shown, which derives from the nonce. */
const createsElsewhere = ({ to, nonce, nonces: shown }: TransactionEffect, { next }: NoncesView): boolean =>
  to === null && nonce === null && shown !== undefined && shown.next !== next

/**
 * Signs an approved request while no other request can take a nonce. Throws ChangedSince if the nonce now has a finding
 * that the review did not show, such as replacing a signed transaction, or if a contract would be created at another
 * address.
 */
const signApproved = async (
  context: Context,
  request: WalletRequest,
  purpose: 'sign' | 'send',
): Promise<readonly [Hex]> => {
  const filled = request.payload as FilledTransaction
  const nonces = await readNonces(context, accountOf(request), purpose)
  const findings = withNonceFindings(request.findings, reviewNonce(filled.nonce, nonces, purpose))
  const shown = request.effect as TransactionEffect
  if (findings || createsElsewhere(shown, nonces)) {
    const effect = { ...shown, nonces }
    throw new ChangedSince({
      account: request.account,
      payload: filled,
      effect,
      findings: findings ?? request.findings,
    })
  }
  return [await signFilled(context, request, filled, decodeQuantity(filled.nonce ?? nonces.next))]
}

/** `sendTransaction`: signs a transaction, stores it, sends it and returns its hash. */
export const sendTransaction: Asking = {
  prepare: (context, params) => prepareTransaction(context, params, 'send'),
  edit: (context, request, edit) => editTransaction(context, request, edit, 'send'),
  recall: async ({ activity }, key) => {
    const sent = (await activity.ofKey(key)).find(({ status }) => status !== 'dropped')
    return sent && { answer: sent.hash }
  },
  act: (context, request) =>
    context.sendInTurn(async () => {
      const signed = await signOnce(context, request, 'pending', () => signApproved(context, request, 'send'))
      return signed.deliver(context, signed.hashes[0] as Hex)
    }),
}

/**
 * Returns the signed bytes. Throws -32002 if the transaction is settled: signing again would create a second
 * transaction.
 */
const bytesOf = (signed: Activity | undefined): Hex => {
  if (signed?.raw) return signed.raw
  throw rpcError('resourceUnavailable', 'signedBefore')
}

/**
 * `signTransaction`: signs a transaction and returns the bytes to the site, which may send them later. The wallet stores
 * them too, so the user can see, send, cancel or discard the transaction.
 */
export const signTransaction: Asking = {
  prepare: (context, params) => prepareTransaction(context, params, 'sign'),
  edit: (context, request, edit) => editTransaction(context, request, edit, 'sign'),
  recall: async ({ activity }, key) => {
    const signed = (await activity.ofKey(key)).find(({ status }) => status !== 'dropped')
    return signed && { answer: bytesOf(signed) }
  },
  act: (context, request) =>
    context.sendInTurn(async () => {
      const { hashes } = await signOnce(context, request, 'signed', () => signApproved(context, request, 'sign'))
      return bytesOf(await context.activity.find(hashes[0] as Hex))
    }),
}

/** Result if the node accepted a transaction without returning its hash. */
const ZERO_HASH = `0x${'0'.repeat(64)}`

/** Marks a transaction as pending if this wallet signed it. */
const noteSent = async ({ activity, now }: Context, hash: Hex) => {
  const signed = await activity.find(hash)
  if (signed?.raw) await activity.change(hash, { status: 'pending', sentAt: now(), failure: null, settledAt: null })
}

/**
 * `sendRawTransaction`: sends a signed transaction to the node. It was approved when it was signed, so the user is not
 * asked.
 */
export const sendRawTransaction: Answering = {
  readsNodeOf: siteNetwork,
  answer: async (context, params) => {
    const { chainId } = context.network
    const raw = parseParams(params, nodeSchemas.sendRawTransaction)
    const { transaction, signature } = decodeTransaction(raw)
    if (!signature) throw rpcError('invalidParams', 'rawNotSigned')
    if (transaction.chainId !== undefined && transaction.chainId !== BigInt(chainId))
      throw rpcError('invalidParams', 'transactionOtherChain', { asked: String(transaction.chainId), active: chainId })
    const network = onBehalfOf(context.network, recoverTransaction(raw))
    const answer = (await broadcast({ ...context, network }, raw)) ?? ZERO_HASH
    await noteSent(context, hashTransaction(raw))
    return answer
  },
}
