/** What chain_sendTransaction and chain_signTransaction share: both sign one transaction, and only the first sends it. */
import { type Hex, toQuantity } from '@heliograph/shared/evm/hex'
import { nodeSchemas } from '@heliograph/shared/wire/node-methods'
import { parseParams } from '@heliograph/shared/wire/params'
import { ignoredFields, type TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import type { TransactionEdit, TransactionEffect } from '../../messages.ts'
import { accountOf, type Context, requireAccount } from '../method.ts'
import { ChangedSince, type Draft, type WalletRequest } from '../requests.ts'
import { withLimitOf } from '../review/allowance.ts'
import { reviewIgnored, withIgnored } from '../review/ignored.ts'
import { reviewNonce, withNonceFindings } from '../review/nonces.ts'
import { readTransaction, reviewUnreached, unreachable, waitingForNode } from '../review/transaction.ts'
import { readTokens } from '../tokens.ts'
import { draftTransaction } from '../transactions/draft.ts'
import { makeInTime, silent } from '../transactions/in-time.ts'
import { readNonces } from '../transactions/nonces.ts'
import { assertUnused } from '../transactions/own-transactions.ts'
import { editRequest, type FilledTransaction, signFilled } from '../transactions/transaction.ts'

/** Without its node it cannot be completed; it is shown all the same, and can be tried again. */
const unreachedDraft = async (
  context: Pick<Context, 'chain' | 'network' | 'assets' | 'interfaces'>,
  request: TransactionRequest,
  purpose: 'sign' | 'send',
) => {
  const { data = '0x' } = request
  const tokens = await readTokens(context, request.from, readTransaction({ ...request, data }).acts)
  const readOwn = await context.interfaces.reader(context.network.chainId)
  const { effect, findings } = reviewUnreached(request, purpose, tokens, readOwn)
  return { account: request.from, payload: request, effect, findings }
}

const SCHEMAS = { send: nodeSchemas.sendTransaction, sign: nodeSchemas.signTransaction }

/** Parses the params of a site and reviews the transaction in them. */
export const prepareTransaction = async (
  context: Context,
  params: unknown,
  purpose: 'sign' | 'send',
): Promise<Draft> => {
  const request = parseParams(SCHEMAS[purpose], params)
  const account = await requireAccount(context, request.from)
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

/** The request anew, with what the person settled. Throws 4901, and -32602 for a nonce that was used. */
export const editTransaction = async (
  context: Context,
  request: WalletRequest,
  edit: TransactionEdit,
  purpose: 'sign' | 'send',
): Promise<Draft> => {
  const account = accountOf(request)
  const edited = editRequest(request.payload as FilledTransaction, edit)
  if (edit.nonce !== undefined && edited.nonce !== undefined) await assertUnused(context, account, edited.nonce)
  const { transaction, effect, findings } = await draftTransaction(context, edited, purpose)
  return {
    account,
    payload: transaction,
    effect: withLimitOf(request.effect, effect),
    findings: withIgnored(findings, request.findings),
  }
}

/**
 * The bytes of an approved request, signed when nothing else takes a nonce. Throws ChangedSince where it would take that of
 * a transaction which the person was not told of: another may have been signed since.
 */
export const signApproved = async (
  context: Context,
  request: WalletRequest,
  purpose: 'sign' | 'send',
): Promise<Hex> => {
  const filled = request.payload as FilledTransaction
  const nonces = await readNonces(context, accountOf(request), purpose)
  const findings = withNonceFindings(request.findings, reviewNonce(filled.nonce, nonces, purpose))
  if (findings) {
    const effect = { ...(request.effect as TransactionEffect), nonces }
    throw new ChangedSince({ account: request.account, payload: filled, effect, findings })
  }
  return signFilled(context, request, filled, toQuantity(filled.nonce ?? nonces.next))
}
