/** The text of a failed call. */

import { inLanguage } from '../format/sentences.ts'
import { text } from '../format/text.ts'
import { cutText, flatText } from '../format/text-safety.ts'
import { CANCELLED, CallError, CONNECTION_LOST } from './client.svelte.ts'

/** JSON-RPC 2.0 "Internal error". Its details stay in the background. */
const INTERNAL = -32603

/** Longest text, in characters. It may quote a node or a contract, at any length. */
const LONGEST = 300

/** The error in the page's language. Empty if the person cancelled the call. */
export const errorText = (error: unknown): string => {
  if (!(error instanceof CallError) || error.code === INTERNAL) return text('somethingFailed')
  if (error.code === CANCELLED) return ''
  return error.code === CONNECTION_LOST ? text('connectionLost') : flatText(cutText(inLanguage(error.message), LONGEST))
}
