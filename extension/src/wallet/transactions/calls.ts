/**
 * Drafts a site's batch of calls: one transaction for all calls if the account's code can run them, or else one for
 * each call. An account without the code gets it only if the site requires all calls or none, or if the user chooses so.
 */
import type { CallsEffect, FeeChoice, Finding } from '../../messages.ts'
import type { FilledTransaction } from '../fees/filled.ts'
import type { Together } from '../review/calls.ts'
import { rpcError } from '../text/errors.ts'
import { readAtomicity } from './atomicity.ts'
import { type Batch, draftBatch } from './batch.ts'
import type { DraftParts } from './draft.ts'
import { canBeTogether, draftTogether } from './together.ts'
import { editRequest } from './transaction.ts'

/**
 * `isAtomic` means that the site requires all calls or none, `isChosen` that the user wants that. `calls` are the site's,
 * `fees` the user's choice. `transactions` are to be signed: one for each call or, with `together`, one for all. There are none until the node has
 * answered.
 */
export type CallsPayload = {
  id: string
  isAtomic: boolean
  isChosen?: boolean
  calls: Batch
  fees?: FeeChoice
  transactions: readonly FilledTransaction[]
  together?: Together
}

export type DraftedCalls = { payload: CallsPayload; effect: CallsEffect; findings: readonly Finding[] }

/** `offered` means that the account could get the code if the user chooses so. */
type Found = { together?: Together; offered?: true }

/**
 * Finds out how one transaction can run the calls. Throws 5760 if the site requires all calls or none, or the user has
 * chosen so, and the account cannot do that; 4901.
 */
export const findTogether = async (
  parts: DraftParts,
  { calls, isAtomic, isChosen = false }: Pick<CallsPayload, 'calls' | 'isAtomic' | 'isChosen'>,
): Promise<Found> => {
  // A transaction with one call happens as a whole or not at all.
  if (calls.length === 1) return {}
  const found = canBeTogether(calls) ? await readAtomicity(parts, calls[0].from) : { status: 'unsupported' as const }
  if (found.status === 'supported') return { together: { upgrades: false, replaces: null } }
  if (!isAtomic && !isChosen) return found.status === 'ready' ? { offered: true } : {}
  if (found.status === 'unsupported') throw rpcError('atomicityUnsupported', 'notAtomic')
  return { together: { upgrades: true, replaces: found.replaces, ...(!isAtomic && { isChosen: true }) } }
}

/**
 * Drafts the batch, or drafts it again if it was drafted before. Throws like `findTogether`, `draftBatch` and
 * `draftTogether`.
 */
export const draftCalls = async (parts: DraftParts, before: CallsPayload): Promise<DraftedCalls> => {
  const { together: _, transactions: shown, ...kept } = before
  const { calls, fees } = kept
  const { together, offered } = await findTogether(parts, before)
  if (together) {
    const { transactions, ...reviewed } = await draftTogether(parts, calls, together, fees)
    return { payload: { ...kept, transactions, together }, ...reviewed }
  }
  // Transactions that were shown keep their gas limits.
  const wanted = before.together ? calls : calls.map((call, at) => shown[at] ?? call)
  const [first, ...others] = wanted.map(request => editRequest(request, { ...(fees && { fees }) }))
  if (!first) throw rpcError('invalidParams', 'noCalls')
  const { transactions, effect, findings } = await draftBatch(parts, [first, ...others])
  const payload = { ...kept, transactions }
  return { payload, effect: offered ? { ...effect, mayBeTogether: true } : effect, findings }
}
