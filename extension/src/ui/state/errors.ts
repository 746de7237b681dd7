/** The text of a failed call. */
import type { ReasonView } from '../../messages.ts'
import { reasonText, text } from '../format/text.ts'
import { cutText, flatText } from '../format/text-safety.ts'
import { CANCELLED, CallError, CONNECTION_LOST } from './client.svelte.ts'

/** JSON-RPC 2.0 "Internal error". Its details stay in the background. */
const INTERNAL = -32603

/** Longest error text, in characters. Its values may quote a node or a contract. */
const LONGEST = 400

/** Returns the reason in the page's language, on one line and without hidden characters. */
export const wordsOf = (given: ReasonView): string => flatText(cutText(reasonText(given), LONGEST))

/** Returns the error in the page's language. Empty if the user cancelled the call. */
export const errorText = (error: unknown): string => {
  if (!(error instanceof CallError) || error.code === INTERNAL) return text('somethingFailed')
  if (error.code === CANCELLED) return ''
  return error.code === CONNECTION_LOST ? text('connectionLost') : wordsOf(error)
}
